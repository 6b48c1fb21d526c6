// Sums over all elements of a tensor, to compare results by.
#pragma once

#include <complex>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro::cli {

struct Checksum {
    std::complex<double> sum;
    double absolute = 0;  ///< sum of the absolute values
};

/// Of a compact tensor, in memory order, accumulated in extended precision.
[[nodiscard]] Checksum checksum(const Tensor& tensor);

}  // namespace tenferro::cli
