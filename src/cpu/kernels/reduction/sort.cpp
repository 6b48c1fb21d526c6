// Sorting along an axis: each line is sorted in a contiguous copy, short ones by merging, long ones by radix,
// a byte of their keys after the other. Both are stable.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "cpu/kernels/loops/line_loop.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/reduction/lines.hpp"
#include "tenferro/base/error_allocator.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

template <class T>
using SortLine = std::vector<T, ErrorAllocator<T>>;

/// A strict order in which NaN is above everything.
struct Below {
    template <class T>
    bool operator()(T x, T y) const noexcept {
        return x < y || (x == x && y != y);
    }
};

struct Above {
    template <class T>
    bool operator()(T x, T y) const noexcept {
        return Below{}(y, x);
    }
};

/// A number without sign in the order of Below: that of the bits but for the sign, or for negative numbers
/// their complement. Zeros have one key, and all NaN.
template <class T>
auto key_of(T x) noexcept {
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

/// Fewer elements are merged as quickly as their bytes are counted, of which there are sizeof(T) each.
template <class T>
constexpr std::size_t kFewestByRadix = 32 * sizeof(T);

/// By the bytes of the keys from the last on, those that all elements share left out; descending by those of
/// their complements. `room` is as long.
template <class T>
void sort_by_radix(SortLine<T>& line, SortLine<T>& room, bool descending) {
    using Key = decltype(key_of(T()));
    const Key turned = descending ? ~Key{0} : Key{0};
    std::array<std::array<Index, 256>, sizeof(T)> counts{};
    const auto byte = [turned](T x, std::size_t number) {
        return static_cast<std::size_t>((key_of(x) ^ turned) >> (8 * number) & 255);
    };
    const auto length = static_cast<Index>(line.size());
    for_each_piece(length, sizeof(T), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            for (std::size_t number = 0; number < sizeof(T); ++number)
                ++counts[number][byte(line[static_cast<std::size_t>(i)], number)];
    });
    for (std::size_t number = 0; number < sizeof(T); ++number) {
        std::array<Index, 256>& places = counts[number];
        if (places[byte(line[0], number)] == length) continue;
        Index place = 0;
        for (Index& count : places) place += std::exchange(count, place);
        for_each_piece(length, 1, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                const T x = line[static_cast<std::size_t>(i)];
                room[static_cast<std::size_t>(places[byte(x, number)]++)] = x;
            }
        });
        line.swap(room);
    }
}

template <class T>
void sort_each(const TensorRead& a, Index axis, bool descending, const TensorWrite& out,
               CpuContext& context) {
    const LineLoop loop(a, axis, out);
    loop.run(context, [&](const Offsets<2>& origin, Index count) {
        const auto length = static_cast<std::size_t>(loop.length());
        const bool by_radix = length >= kFewestByRadix<T>;
        SortLine<T> line(length), room(by_radix ? length : 0);
        for (Index c = 0; c < count; ++c) {
            const T* from = a.data_as<T>() + origin[1] + c * loop.line_stride()[1];
            T* to = out.data_as<T>() + origin[0] + c * loop.line_stride()[0];
            for (T& x : line) x = *from, from += loop.step()[1];
            if (by_radix)
                sort_by_radix(line, room, descending);
            else if (descending)
                std::stable_sort(line.begin(), line.end(), Above{});
            else
                std::stable_sort(line.begin(), line.end(), Below{});
            for (const T& x : line) *to = x, to += loop.step()[0];
        }
    });
}

}  // namespace

void sort(const TensorRead& a, Index axis, bool descending, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    visit_dtype(a.dtype(), [&]<class T> {
        if constexpr (info(OpId::Sort).dtypes.contains(storage_dtype<T>))
            sort_each<T>(a, axis, descending, out, context);
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
