// Gather, whose transpose adds the windows' cotangents up in zeros.
#include "ops/derivatives.hpp"
#include "ops/windows.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace ops {

Dims stand_ins(const SymShape& shape, Index unknown) {
    Dims dims;
    for (const SymDim& dim : shape) dims.push_back(dim.constant().value_or(unknown));
    return dims;
}

Dims index_stand_ins(const SymShape& indices, Index vector_dim, std::size_t components) {
    Dims dims = stand_ins(indices, 1);
    const auto axis = static_cast<std::size_t>(vector_dim);
    if (axis < dims.size() && !indices[axis].constant()) dims[axis] = static_cast<Index>(components);
    return dims;
}

SymShape gather_shape(const TensorMeta& operand, const TensorMeta& indices, const Gather& gather) {
    GatherConfig config{gather.offset_dims, gather.collapsed_slice_dims, gather.start_index_map,
                        gather.index_vector_dim, stand_ins(gather.slice_sizes, 0)};
    for (const Index axis : gather.collapsed_slice_dims)
        if (const auto k = static_cast<std::size_t>(axis);
            k < gather.slice_sizes.size() && !gather.slice_sizes[k].constant())
            config.slice_sizes[k] = 1;
    const Dims checked = tenferro::gather_shape(
        stand_ins(operand.shape, kManyElements),
        index_stand_ins(indices.shape, gather.index_vector_dim, gather.start_index_map.size()), config);
    const auto vector_dim = static_cast<std::size_t>(gather.index_vector_dim);

    SymShape shape(checked.size());
    const Dims window_axes = free_axes(operand.rank(), gather.collapsed_slice_dims, {});
    for (std::size_t k = 0; k < window_axes.size(); ++k)
        shape[static_cast<std::size_t>(gather.offset_dims[k])] =
            gather.slice_sizes[static_cast<std::size_t>(window_axes[k])];
    SymShape batch = indices.shape;
    if (vector_dim < batch.size()) batch.erase(batch.begin() + gather.index_vector_dim);
    const Dims batch_axes = free_axes(shape.size(), gather.offset_dims, {});
    for (std::size_t k = 0; k < batch.size(); ++k) shape[static_cast<std::size_t>(batch_axes[k])] = batch[k];
    return shape;
}

ScatterConfig scatter_of(const Gather& gather) {
    return {gather.offset_dims, gather.collapsed_slice_dims, gather.start_index_map, gather.index_vector_dim};
}

Gather::Gather(const GatherConfig& config)
    : Gather(config.offset_dims, config.collapsed_slice_dims, config.start_index_map, config.index_vector_dim,
             symbolic(config.slice_sizes)) {}

TensorMeta Gather::infer_one(std::span<const TensorMeta> in) const {
    check_index_dtype(in[1], name(), "indices");
    return {in[0].dtype, gather_shape(in[0], in[1], *this)};
}
Tensor Gather::run(BackendSession& session, std::span<const TensorRead> in) const {
    return session.gather_read(in[0], in[1],
                               {offset_dims, collapsed_slice_dims, start_index_map, index_vector_dim,
                                concrete(slice_sizes, name())});
}
std::optional<Expr> Gather::tangent(const TangentArgs& args) const {
    return args.y.apply(*this, {*args.dx[0], args.x[1]});
}
std::vector<std::optional<Expr>> Gather::cotangents(const CotangentArgs& args) const {
    return {scatter_add(full_like(args.inputs[0], 0), args.inputs[1], args.ct, scatter_of(*this)),
            std::nullopt};
}

}}}  // namespace tenferro::TENFERRO_ABI::ops
