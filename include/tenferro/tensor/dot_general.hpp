// The axes of a general contraction and the shape rule that follows from them (docs/semantics.md,
// Contractions).
#pragma once

#include <span>

#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// Pairs lhs_contract[i] with rhs_contract[i] (summed) and lhs_batch[i] with rhs_batch[i] (kept); all other
/// axes are free. The result has axes [lhs_free…, rhs_free…, batch…], free axes in the operand's order, batch
/// axes in list order.
struct DotGeneralConfig {
    Dims lhs_contract, rhs_contract;
    Dims lhs_batch, rhs_batch;

    friend bool operator==(const DotGeneralConfig&, const DotGeneralConfig&) = default;
};

/// Axes of an operand of `rank` that are in neither list, ascending.
[[nodiscard]] TENFERRO_API Dims free_axes(std::size_t rank, std::span<const Index> contract,
                                          std::span<const Index> batch);

/// The result shape. Throws InvalidConfig (lists of different length), AxisOutOfBounds, DuplicateAxis,
/// AxisRoleConflict (an axis both contracted and batch) or ShapeMismatch.
[[nodiscard]] TENFERRO_API Dims dot_general_shape(std::span<const Index> lhs, std::span<const Index> rhs,
                                                  const DotGeneralConfig& config);

}}  // namespace tenferro::TENFERRO_ABI
