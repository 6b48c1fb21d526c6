// The interpreter of step lists whose values carry a power of two each.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tenferro/einsum/program.hpp"
#include "tenferro/einsum/scaled.hpp"
#include "tenferro/tensor/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// Inputs and outputs are those of `run`; input i has the exponent exponents[i]. Every value is scaled when
/// it is made, so that only what lies far below the largest element of a tensor can underflow.
[[nodiscard]] std::vector<std::optional<ScaledTensor>> run_scaled(const Program& program,
                                                                  std::span<const TensorRead* const> inputs,
                                                                  std::span<const std::int64_t> exponents,
                                                                  BackendSession& session,
                                                                  const RunOptions& options);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
