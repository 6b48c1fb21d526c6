// Random numbers for the searches, the same with every standard library.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// SplitMix64 (Steele, Lea and Flood 2014).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    /// Uniform in (0, 1).
    [[nodiscard]] double uniform() { return (static_cast<double>(word() >> 11) + 0.5) * 0x1p-53; }
    [[nodiscard]] double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Gumbel-distributed: adding it to scores and taking the largest draws from their Boltzmann
    /// distribution.
    [[nodiscard]] double gumbel() { return -std::log(-std::log(uniform())); }
    /// Uniform among 0 … n - 1; n is below 2^32.
    [[nodiscard]] std::size_t below(std::size_t n) {
        return static_cast<std::size_t>((word() >> 32) * n >> 32);
    }

private:
    [[nodiscard]] std::uint64_t word() {
        std::uint64_t x = state_ += 0x9e3779b97f4a7c15;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
        x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
        return x ^ (x >> 31);
    }

    std::uint64_t state_;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
