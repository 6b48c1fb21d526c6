// The symbolic twin of gather_scatter.hpp: which axes windows and batches have when extents may be unknown.
#pragma once

#include "ops/infer.hpp"
#include "tenferro/ops/operations.hpp"

namespace tenferro::inline TENFERRO_ABI::ops {

/// The shape that `gather` gives. Checks the axis lists.
[[nodiscard]] SymShape gather_shape(const TensorMeta& operand, const TensorMeta& indices, const Gather& gather);
/// The gather that reads what a scatter of `updates` writes.
[[nodiscard]] Gather windows_of(const TensorMeta& operand, const TensorMeta& updates, const ScatterConfig& config);
/// The scatter that writes where `gather` reads.
[[nodiscard]] ScatterConfig scatter_of(const Gather& gather);

}  // namespace tenferro::inline TENFERRO_ABI::ops
