// Random numbers for the searches, the same with every standard library.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    /// Uniform in (0, 1).
    [[nodiscard]] double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }
    [[nodiscard]] double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Gumbel-distributed: adding it to scores and taking the largest draws from their Boltzmann
    /// distribution.
    [[nodiscard]] double gumbel() { return -std::log(-std::log(uniform())); }
    [[nodiscard]] std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }

private:
    std::mt19937_64 engine_;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
