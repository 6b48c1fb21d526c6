// The configurations of pad, gather and scatter, with the names and meaning of StableHLO, and the shape rules
// that follow.
#pragma once

#include <span>

#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// One entry per axis: elements before, after and between neighbours. Negative low and high remove elements.
struct PadConfig {
    Dims low, high, interior;

    friend bool operator==(const PadConfig&, const PadConfig&) = default;
};

/// Axis index_vector_dim of `indices` (its rank stands for an axis of extent 1 at the end) holds index
/// vectors; the other axes, in order, are the batch. For each index vector a window of slice_sizes starts at
/// the operand's element whose index on axis start_index_map[k] is component k, clamped so that the window
/// fits, and 0 on the other axes. Axes in collapsed_slice_dims, where the window has extent 1, disappear; the
/// window's other axes, in order, become the axes offset_dims of the result, whose remaining axes are the
/// batch.
struct GatherConfig {
    Dims offset_dims, collapsed_slice_dims, start_index_map;
    Index index_vector_dim = 0;
    Dims slice_sizes;

    friend bool operator==(const GatherConfig&, const GatherConfig&) = default;
};

/// The other direction: axes update_window_dims of `updates` are, in order, the operand's axes that are not
/// in inserted_window_dims; its remaining axes are the batch of `indices`. Windows that do not lie inside the
/// operand, whole, are dropped. Of windows that overlap, scatter keeps the last and scatter_add the sum.
struct ScatterConfig {
    Dims update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims;
    Index index_vector_dim = 0;

    friend bool operator==(const ScatterConfig&, const ScatterConfig&) = default;
};

/// The result's shape. Throws AxisOutOfBounds, DuplicateAxis, RankMismatch, ShapeMismatch or InvalidConfig.
[[nodiscard]] TENFERRO_API Dims gather_shape(std::span<const Index> operand, std::span<const Index> indices,
                                             const GatherConfig& config);

/// The gather that reads what the scatter writes, after checking, in the name of `op`, that `updates` has the
/// shape of its result.
[[nodiscard]] TENFERRO_API GatherConfig scatter_windows(std::span<const Index> operand,
                                                        std::span<const Index> indices,
                                                        std::span<const Index> updates,
                                                        const ScatterConfig& config, std::string_view op);

}}  // namespace tenferro::TENFERRO_ABI
