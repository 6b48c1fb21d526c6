// The shape rules of gather and scatter. Both reduce to one set of axis lists, which each calls by its own
// names.
#include "tenferro/tensor/gather_scatter.hpp"

#include <algorithm>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/dot_general.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

/// What the operation and its axis lists are called in messages.
struct Names {
    std::string_view op, window, dropped, map;
};
constexpr Names kGather{"gather", "offset_dims", "collapsed_slice_dims", "start_index_map"};

/// Extents of the batch axes of `indices`, after checking the index vectors.
Dims batch_shape(std::size_t operand_rank, std::span<const Index> indices, Index vector_dim,
                 std::span<const Index> map, const Names& names) {
    const auto rank = static_cast<Index>(indices.size());
    if (vector_dim < 0 || vector_dim > rank)
        throw Error(ErrorKind::AxisOutOfBounds, names.op,
                    text("index_vector_dim ", vector_dim, " is out of bounds for indices of rank ", rank));
    const Index components = vector_dim == rank ? 1 : indices[vector_dim];
    if (components != static_cast<Index>(map.size()))
        throw Error(ErrorKind::ShapeMismatch, names.op,
                    text(names.map, " has ", map.size(), " axes but indices axis ", vector_dim,
                         " has extent ", components));
    check_axes(map, operand_rank, names.op, names.map);
    Dims batch(indices);
    if (vector_dim < rank) batch.erase(static_cast<std::size_t>(vector_dim));
    return batch;
}

/// Checks that the window axes of the result (or of the updates) account for the operand's axes that are not
/// dropped.
void check_window_axes(std::size_t operand_rank, std::span<const Index> window,
                       std::span<const Index> dropped, std::size_t result_rank, const Names& names) {
    check_axes(dropped, operand_rank, names.op, names.dropped);
    if (window.size() + dropped.size() != operand_rank)
        throw Error(ErrorKind::RankMismatch, names.op,
                    text(names.window, " and ", names.dropped, " have ", window.size(), " and ",
                         dropped.size(), " axes but the operand has rank ", operand_rank));
    check_axes(window, result_rank, names.op, names.window);
    if (!std::is_sorted(window.begin(), window.end()))
        throw Error(ErrorKind::InvalidConfig, names.op,
                    text(names.window, " ", list_text(window), " is not ascending"));
}

void check_window(std::span<const Index> operand, std::span<const Index> window, std::string_view op) {
    for (std::size_t axis = 0; axis < operand.size(); ++axis)
        if (window[axis] < 0 || window[axis] > operand[axis])
            throw Error(ErrorKind::ShapeMismatch, op,
                        text("operand axis ", axis, " has extent ", operand[axis], " but the window has ",
                             window[axis]));
}

}  // namespace

Dims gather_shape(std::span<const Index> operand, std::span<const Index> indices,
                  const GatherConfig& config) {
    const Dims batch =
        batch_shape(operand.size(), indices, config.index_vector_dim, config.start_index_map, kGather);
    const std::size_t rank = batch.size() + config.offset_dims.size();
    check_window_axes(operand.size(), config.offset_dims, config.collapsed_slice_dims, rank, kGather);
    if (config.slice_sizes.size() != operand.size())
        throw Error(ErrorKind::RankMismatch, "gather",
                    text("slice_sizes has ", config.slice_sizes.size(), " entries but the operand has rank ",
                         operand.size()));
    check_window(operand, config.slice_sizes, "gather");
    for (const Index axis : config.collapsed_slice_dims)
        if (config.slice_sizes[axis] != 1)
            throw Error(ErrorKind::InvalidConfig, "gather",
                        text("collapsed axis ", axis, " has slice size ", config.slice_sizes[axis],
                             " but must have 1"));
    Dims shape(rank, 0);
    const Dims window_axes = free_axes(operand.size(), config.collapsed_slice_dims, {});
    const Dims batch_axes = free_axes(rank, config.offset_dims, {});
    for (std::size_t k = 0; k < window_axes.size(); ++k)
        shape[config.offset_dims[k]] = config.slice_sizes[window_axes[k]];
    for (std::size_t k = 0; k < batch.size(); ++k) shape[batch_axes[k]] = batch[k];
    (void)element_count(shape, "gather");
    return shape;
}

GatherConfig scatter_windows(std::span<const Index> operand, std::span<const Index> indices,
                             std::span<const Index> updates, const ScatterConfig& config,
                             std::string_view op) {
    const Names names{op, "update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims"};
    const Dims batch = batch_shape(operand.size(), indices, config.index_vector_dim,
                                   config.scatter_dims_to_operand_dims, names);
    check_window_axes(operand.size(), config.update_window_dims, config.inserted_window_dims, updates.size(),
                      names);
    const Dims batch_axes = free_axes(updates.size(), config.update_window_dims, {});
    if (batch_axes.size() != batch.size())
        throw Error(ErrorKind::RankMismatch, op,
                    text("updates has ", batch_axes.size(), " batch axes but indices has ", batch.size()));
    for (std::size_t k = 0; k < batch.size(); ++k)
        if (updates[batch_axes[k]] != batch[k])
            throw Error(ErrorKind::ShapeMismatch, op,
                        text("updates axis ", batch_axes[k], " has extent ", updates[batch_axes[k]],
                             " but batch axis ", k, " of indices has extent ", batch[k]));
    GatherConfig windows{config.update_window_dims, config.inserted_window_dims,
                         config.scatter_dims_to_operand_dims, config.index_vector_dim,
                         Dims(operand.size(), 1)};
    const Dims window_axes = free_axes(operand.size(), config.inserted_window_dims, {});
    for (std::size_t k = 0; k < window_axes.size(); ++k)
        windows.slice_sizes[window_axes[k]] = updates[config.update_window_dims[k]];
    check_window(operand, windows.slice_sizes, op);
    return windows;
}

}}  // namespace tenferro::TENFERRO_ABI
