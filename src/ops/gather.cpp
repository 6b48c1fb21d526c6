// Gather, whose transpose adds the windows' cotangents up in zeros.
#include "ops/derivatives.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

namespace {

/// The scatter that writes where `gather` reads.
ScatterConfig scatter_of(const Gather& gather) {
    return {gather.offset_dims, gather.collapsed_slice_dims, gather.start_index_map, gather.index_vector_dim};
}

}  // namespace

Gather::Gather(const GatherConfig& config)
    : Gather(config.offset_dims, config.collapsed_slice_dims, config.start_index_map, config.index_vector_dim,
             symbolic(config.slice_sizes)) {}
Gather::Gather(BasicGatherConfig<SymDim> config)
    : Gather(std::move(config.offset_dims), std::move(config.collapsed_slice_dims),
             std::move(config.start_index_map), config.index_vector_dim, std::move(config.slice_sizes)) {}

TensorMeta Gather::infer_one(std::span<const TensorMeta> in) const {
    return SymbolicRules::gather(in[0], in[1], config());
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

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
