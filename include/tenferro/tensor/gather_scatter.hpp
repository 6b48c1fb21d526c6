// The configurations of pad, gather and scatter, with the names and meaning of StableHLO, for known and
// for symbolic extents.
#pragma once

#include "tenferro/tensor_core/extent.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// One entry per axis: elements before, after and between neighbours. Negative low and high remove elements.
template <Extent E>
struct BasicPadConfig {
    BasicShape<E> low, high;
    Dims interior;

    friend bool operator==(const BasicPadConfig&, const BasicPadConfig&) = default;
};
using PadConfig = BasicPadConfig<Index>;

/// Axis index_vector_dim of `indices` (its rank stands for an axis of extent 1 at the end) holds index
/// vectors; the other axes, in order, are the batch. For each index vector a window of slice_sizes starts at
/// the operand's element whose index on axis start_index_map[k] is component k, clamped so that the window
/// fits, and 0 on the other axes. Axes in collapsed_slice_dims, where the window has extent 1, disappear; the
/// window's other axes, in order, become the axes offset_dims of the result, whose remaining axes are the
/// batch.
template <Extent E>
struct BasicGatherConfig {
    Dims offset_dims, collapsed_slice_dims, start_index_map;
    Index index_vector_dim = 0;
    BasicShape<E> slice_sizes;

    friend bool operator==(const BasicGatherConfig&, const BasicGatherConfig&) = default;
};
using GatherConfig = BasicGatherConfig<Index>;

/// The other direction: axes update_window_dims of `updates` are, in order, the operand's axes that are not
/// in inserted_window_dims; its remaining axes are the batch of `indices`. Windows that do not lie inside the
/// operand, whole, are dropped. Of windows that overlap, scatter keeps the last and scatter_add the sum.
struct ScatterConfig {
    Dims update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims;
    Index index_vector_dim = 0;

    friend bool operator==(const ScatterConfig&, const ScatterConfig&) = default;
};

}}  // namespace tenferro::TENFERRO_ABI
