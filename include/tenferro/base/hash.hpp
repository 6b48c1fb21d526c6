// Combines words into a 64-bit hash for cache keys (a multiply-xorshift mix; not for untrusted hash tables).
#pragma once

#include <cstdint>
#include <string_view>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class Hasher {
public:
    void add(std::uint64_t word) noexcept {
        state_ = (state_ ^ word) * 0x9E3779B97F4A7C15ull;
        state_ ^= state_ >> 29;
    }
    void add(std::string_view bytes) noexcept {
        add(static_cast<std::uint64_t>(bytes.size()));
        for (const char c : bytes) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
        add(std::uint64_t{0});
    }
    [[nodiscard]] std::uint64_t value() const noexcept { return state_ ^ (state_ >> 32); }

private:
    std::uint64_t state_ = 0xCBF29CE484222325ull;
};

}}  // namespace tenferro::TENFERRO_ABI
