// Reproducible random operands for a network.
//
// Rule. Operand k (from 0) has its own SplitMix64 stream that starts from the state seed + (k + 1) * 2^32.
// Elements are drawn in memory order, the real before the imaginary part. A draw r gives ±(1/2 + u) with the
// sign from the lowest bit of r and u in [0, 1) from its upper 53 bits; it is computed in double and then
// scaled by
//     sqrt(12/13) * product over the operand's summed axes of extent^(-1 / (2 m)),   m = operands' axes with
//     that label,
// (and 1/sqrt 2 for complex). So every element of the result has a variance near 1 over all seeds however
// large the network is, and no factor is near 0. Of a long network nearly every seed gives far less, which
// may underflow, and very few give far more.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/instance.hpp"
#include "tenferro/einsum/network.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro::cli {

/// One tensor per operand with the given shapes, stored in `order`. `dtype` is floating point or complex.
[[nodiscard]] std::vector<Tensor> random_operands(const tensor_network::Network& network,
                                                  std::span<const Dims> shapes, DType dtype, AxisOrder order,
                                                  std::uint64_t seed);

/// The scale of each operand's elements.
[[nodiscard]] std::vector<double> operand_scales(const tensor_network::Network& network);

}  // namespace tenferro::cli
