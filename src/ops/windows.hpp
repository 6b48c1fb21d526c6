// The symbolic twin of gather_scatter.hpp: which axes windows and batches have when extents may be unknown.
#pragma once

#include <limits>

#include "ops/infer.hpp"
#include "tenferro/ops/operations.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace ops {

// Axis lists are checked by the rules for known shapes, with stand-ins for extents that are not known: large
// ones for the operand, so that windows fit, and as few elements as can be in windows.
constexpr Index kManyElements = std::numeric_limits<std::int32_t>::max();
[[nodiscard]] Dims stand_ins(const SymShape& shape, Index unknown);
/// An index vector has as many components as are wanted.
[[nodiscard]] Dims index_stand_ins(const SymShape& indices, Index vector_dim, std::size_t components);

/// The shape that `gather` gives. Checks the axis lists.
[[nodiscard]] SymShape gather_shape(const TensorMeta& operand, const TensorMeta& indices,
                                    const Gather& gather);
/// The gather that reads what a scatter of `updates` writes.
[[nodiscard]] Gather windows_of(const TensorMeta& operand, const TensorMeta& updates,
                                const ScatterConfig& config);
/// The scatter that writes where `gather` reads.
[[nodiscard]] ScatterConfig scatter_of(const Gather& gather);

}}}  // namespace tenferro::TENFERRO_ABI::ops
