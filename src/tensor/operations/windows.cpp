// gather, scatter and scatter_add: checks, then the backend's loop over windows.
#include "tensor/operations/checks.hpp"
#include "tensor/operations/extents.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

/// What the operation and its axis lists are called in messages.
struct Names {
    std::string_view op, window, dropped, map;
};
constexpr Names kGather{"gather", "offset_dims", "collapsed_slice_dims", "start_index_map"};

/// Extents of the batch axes of `indices`, after checking the index vectors.
template <Extent E>
BasicShape<E> batch_shape(std::size_t operand_rank, std::span<const E> indices, Index vector_dim,
                          DimsView map, const Names& names) {
    const auto rank = static_cast<Index>(indices.size());
    if (vector_dim < 0 || vector_dim > rank)
        throw Error(ErrorKind::AxisOutOfBounds, names.op,
                    text("index_vector_dim ", vector_dim, " is out of bounds for indices of rank ", rank));
    const E components = vector_dim == rank ? E(1) : indices[static_cast<std::size_t>(vector_dim)];
    if (rules::differ(components, E(static_cast<Index>(map.size()))))
        throw Error(ErrorKind::ShapeMismatch, names.op,
                    text(names.map, " has ", map.size(), " axes but indices axis ", vector_dim,
                         " has extent ", rules::extent_text(components)));
    check_axes(map, operand_rank, names.op, names.map);
    BasicShape<E> batch;
    for (Index axis = 0; axis < rank; ++axis)
        if (axis != vector_dim) batch.push_back(indices[static_cast<std::size_t>(axis)]);
    return batch;
}

/// Checks that the window axes of the result (or of the updates) account for the operand's axes that are not
/// dropped.
void check_window_axes(std::size_t operand_rank, DimsView window, DimsView dropped, std::size_t result_rank,
                       const Names& names) {
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

template <Extent E>
void check_window(std::span<const E> operand, std::span<const E> window, std::string_view op) {
    for (std::size_t axis = 0; axis < operand.size(); ++axis)
        if (rules::above(E(0), window[axis]) || rules::above(window[axis], operand[axis]))
            throw Error(ErrorKind::ShapeMismatch, op,
                        text("operand axis ", axis, " has extent ", rules::extent_text(operand[axis]),
                             " but the window has ", rules::extent_text(window[axis])));
}

}  // namespace

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::gather(const Operand& a, const Operand& indices,
                                         const GatherConfig& config) {
    constexpr std::string_view op = "gather";
    check_defined(OpId::Gather, a.dtype);
    check_index_dtype(indices, op, "indices");
    const Shape batch =
        batch_shape(a.rank(), indices.shape, config.index_vector_dim, config.start_index_map, kGather);
    const std::size_t rank = batch.size() + config.offset_dims.size();
    check_window_axes(a.rank(), config.offset_dims, config.collapsed_slice_dims, rank, kGather);
    check_entries(config.slice_sizes.size(), a, op, "slice_sizes");
    check_window<E>(a.shape, config.slice_sizes, op);
    for (const Index axis : config.collapsed_slice_dims)
        if (const E& size = config.slice_sizes[static_cast<std::size_t>(axis)]; rules::differ(size, E(1)))
            throw Error(ErrorKind::InvalidConfig, op,
                        text("collapsed axis ", axis, " has slice size ", rules::extent_text(size),
                             " but must have 1"));
    Meta result{a.dtype, Shape(rank, E(0))};
    const Dims window_axes = free_axes(a.rank(), config.collapsed_slice_dims, {});
    const Dims batch_axes = free_axes(rank, config.offset_dims, {});
    for (std::size_t k = 0; k < window_axes.size(); ++k)
        result.shape[static_cast<std::size_t>(config.offset_dims[k])] =
            config.slice_sizes[static_cast<std::size_t>(window_axes[k])];
    for (std::size_t k = 0; k < batch.size(); ++k)
        result.shape[static_cast<std::size_t>(batch_axes[k])] = batch[k];
    check_count(result.shape, op);
    return result;
}

template <Extent E>
BasicGatherConfig<E> ShapeRules<E>::scatter_windows(OpId id, const Operand& a, const Operand& indices,
                                                    const Operand& updates, const ScatterConfig& config) {
    const std::string_view op = info(id).name;
    check_defined(id, a.dtype);
    check_dtypes(a, updates, op, "the operand", "updates");
    check_index_dtype(indices, op, "indices");
    const Names names{op, "update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims"};
    const Shape batch = batch_shape(a.rank(), indices.shape, config.index_vector_dim,
                                    config.scatter_dims_to_operand_dims, names);
    check_window_axes(a.rank(), config.update_window_dims, config.inserted_window_dims, updates.rank(),
                      names);
    const Dims batch_axes = free_axes(updates.rank(), config.update_window_dims, {});
    if (batch_axes.size() != batch.size())
        throw Error(ErrorKind::RankMismatch, op,
                    text("updates has ", batch_axes.size(), " batch axes but indices has ", batch.size()));
    for (std::size_t k = 0; k < batch.size(); ++k)
        if (const E& extent = updates.shape[static_cast<std::size_t>(batch_axes[k])];
            rules::differ(extent, batch[k]))
            throw Error(ErrorKind::ShapeMismatch, op,
                        text("updates axis ", batch_axes[k], " has extent ", rules::extent_text(extent),
                             " but batch axis ", k, " of indices has extent ", rules::extent_text(batch[k])));
    GatherConfig windows{config.update_window_dims, config.inserted_window_dims,
                         config.scatter_dims_to_operand_dims, config.index_vector_dim, Shape(a.rank(), E(1))};
    const Dims window_axes = free_axes(a.rank(), config.inserted_window_dims, {});
    for (std::size_t k = 0; k < window_axes.size(); ++k)
        windows.slice_sizes[static_cast<std::size_t>(window_axes[k])] =
            updates.shape[static_cast<std::size_t>(config.update_window_dims[k])];
    check_window<E>(a.shape, windows.slice_sizes, op);
    return windows;
}

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::scatter(const Operand& a, const Operand& indices, const Operand& updates,
                                          const ScatterConfig& config) {
    (void)scatter_windows(OpId::Scatter, a, indices, updates, config);
    return {a.dtype, Shape(a.shape.begin(), a.shape.end())};
}
template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::scatter_add(const Operand& a, const Operand& indices,
                                              const Operand& updates, const ScatterConfig& config) {
    (void)scatter_windows(OpId::ScatterAdd, a, indices, updates, config);
    return {a.dtype, Shape(a.shape.begin(), a.shape.end())};
}

TENFERRO_WINDOW_OPS(TENFERRO_RULE_OF)
template BasicGatherConfig<Index> ShapeRules<Index>::scatter_windows(OpId, const Operand&, const Operand&,
                                                                     const Operand&, const ScatterConfig&);
template BasicGatherConfig<SymDim> ShapeRules<SymDim>::scatter_windows(OpId, const Operand&, const Operand&,
                                                                       const Operand&, const ScatterConfig&);

namespace {

Dims checked_gather_shape(const BackendSession& s, const TensorRead& a, const TensorRead& indices,
                          const GatherConfig& config) {
    check_operand(s, OpId::Gather, a);
    check_place(s.backend_info(), indices, "gather", "indices");
    return ShapeRules<Index>::gather(a, indices, config).shape;
}

GatherConfig checked_windows(const BackendSession& s, OpId op, const TensorRead& a, const TensorRead& indices,
                             const TensorRead& updates, const ScatterConfig& config) {
    check_operand(s, op, a);
    check_place(s.backend_info(), indices, info(op).name, "indices");
    check_place(s.backend_info(), updates, info(op).name, "updates");
    return ShapeRules<Index>::scatter_windows(op, a, indices, updates, config);
}

}  // namespace

void BackendSession::gather_into(const TensorRead& a, const TensorRead& indices, const GatherConfig& config,
                                 const TensorWrite& out) {
    check_out(backend_info(), out, a.dtype(), checked_gather_shape(*this, a, indices, config), "gather");
    check_no_overlap(a, out, "gather", "the operand");
    check_no_overlap(indices, out, "gather", "indices");
    do_gather(a, indices, config, out);
}

Tensor BackendSession::gather_read(const TensorRead& a, const TensorRead& indices,
                                   const GatherConfig& config) {
    Tensor out = allocate("gather", a.dtype(), checked_gather_shape(*this, a, indices, config));
    do_gather(a, indices, config, out.write());
    return out;
}

void BackendSession::scatter_as_into(OpId op, const TensorRead& a, const TensorRead& indices,
                                     const TensorRead& updates, const ScatterConfig& config,
                                     const TensorWrite& out) {
    const GatherConfig windows = checked_windows(*this, op, a, indices, updates, config);
    check_no_overlap(indices, out, info(op).name, "indices");
    check_no_overlap(updates, out, info(op).name, "updates");
    copy_into(op, a, out);
    do_scatter(op, updates, indices, windows, out);
}

Tensor BackendSession::scatter_as_read(OpId op, const TensorRead& a, const TensorRead& indices,
                                       const TensorRead& updates, const ScatterConfig& config) {
    const GatherConfig windows = checked_windows(*this, op, a, indices, updates, config);
    Tensor out = copy_read(op, a);
    do_scatter(op, updates, indices, windows, out.write());
    return out;
}

Tensor BackendSession::scatter_as(OpId op, Tensor&& a, const TensorRead& indices, const TensorRead& updates,
                                  const ScatterConfig& config) {
    if (!a.reusable()) return scatter_as_read(op, a, indices, updates, config);
    do_scatter(op, updates, indices, checked_windows(*this, op, a, indices, updates, config), a.write());
    return std::move(a);
}

Tensor BackendSession::gather(Tensor&& a, Tensor&& indices, const GatherConfig& config) {
    return gather_read(a, indices, config);
}

Tensor BackendSession::scatter(Tensor&& a, Tensor&& indices, Tensor&& updates, const ScatterConfig& config) {
    return scatter_as(OpId::Scatter, std::move(a), indices, updates, config);
}
Tensor BackendSession::scatter_read(const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                                    const ScatterConfig& config) {
    return scatter_as_read(OpId::Scatter, a, indices, updates, config);
}
void BackendSession::scatter_into(const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                                  const ScatterConfig& config, const TensorWrite& out) {
    scatter_as_into(OpId::Scatter, a, indices, updates, config, out);
}

Tensor BackendSession::scatter_add(Tensor&& a, Tensor&& indices, Tensor&& updates,
                                   const ScatterConfig& config) {
    return scatter_as(OpId::ScatterAdd, std::move(a), indices, updates, config);
}
Tensor BackendSession::scatter_add_read(const TensorRead& a, const TensorRead& indices,
                                        const TensorRead& updates, const ScatterConfig& config) {
    return scatter_as_read(OpId::ScatterAdd, a, indices, updates, config);
}
void BackendSession::scatter_add_into(const TensorRead& a, const TensorRead& indices,
                                      const TensorRead& updates, const ScatterConfig& config,
                                      const TensorWrite& out) {
    scatter_as_into(OpId::ScatterAdd, a, indices, updates, config, out);
}

}}  // namespace tenferro::TENFERRO_ABI
