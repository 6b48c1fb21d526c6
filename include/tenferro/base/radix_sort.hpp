// Sorting by radix: elements with keys that are numbers without sign, a byte of the keys after the other from
// the last on, so that elements of equal keys keep their order.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// A number without sign in the order of real numbers with NaN above all: that of the bits but for the sign,
/// or for negative numbers their complement. Zeros have one key, and all NaN.
template <class T>
[[nodiscard]] auto radix_key(T x) noexcept {
    using Key = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    constexpr Key kSign = Key{1} << (8 * sizeof(T) - 1);
    if constexpr (std::is_integral_v<T>) {
        return static_cast<Key>(static_cast<Key>(x) ^ kSign);
    } else {
        if (x != x) return ~Key{0};
        const Key bits = std::bit_cast<Key>(x == 0 ? T(0) : x);
        return (bits & kSign) != 0 ? ~bits : bits | kSign;
    }
}

/// Sorts a vector that is not empty by key(element); `room` is as long. Bytes that all keys share are left
/// out. for_each_piece(steps, body) calls body(begin, end) for pieces of the vector in their order, where
/// each element takes so many steps.
template <class Elements, class KeyOf, class Pieces>
void sort_by_radix(Elements& line, Elements& room, const KeyOf& key, const Pieces& for_each_piece) {
    using Key = decltype(key(line[0]));
    std::array<std::array<std::size_t, 256>, sizeof(Key)> counts{};
    const auto byte = [&key](const auto& x, std::size_t number) {
        return static_cast<std::size_t>(key(x) >> (8 * number) & 255);
    };
    for_each_piece(sizeof(Key), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            for (std::size_t number = 0; number < sizeof(Key); ++number)
                ++counts[number][byte(line[i], number)];
    });
    for (std::size_t number = 0; number < sizeof(Key); ++number) {
        std::array<std::size_t, 256>& places = counts[number];
        if (places[byte(line[0], number)] == line.size()) continue;
        std::size_t place = 0;
        for (std::size_t& count : places) place += std::exchange(count, place);
        for_each_piece(1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) room[places[byte(line[i], number)]++] = line[i];
        });
        line.swap(room);
    }
}

}}  // namespace tenferro::TENFERRO_ABI
