// broadcast_in_dim, whose transpose sums over what was repeated.
#include <algorithm>

#include "ops/derivatives.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

TensorMeta BroadcastInDim::infer_one(std::span<const TensorMeta> in) const {
    return SymbolicRules::broadcast_in_dim(in[0], shape, dims);
}

Tensor BroadcastInDim::run(BackendSession& session, std::span<const TensorRead> in) const {
    return session.broadcast_in_dim_read(in[0], concrete(shape, name()), dims);
}
std::optional<TensorRead> BroadcastInDim::view(const TensorRead& a) const {
    return a.broadcast_view(concrete(shape, name()), dims);
}

std::optional<Expr> BroadcastInDim::tangent(const TangentArgs& args) const {
    return broadcast_in_dim(*args.dx[0], shape, dims);
}

std::vector<std::optional<Expr>> BroadcastInDim::cotangents(const CotangentArgs& args) const {
    const SymShape& operand = args.inputs[0].meta().shape;
    Dims kept;  // axes of the operand that were not repeated
    bool repeated = false;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const SymDim& to = shape[static_cast<std::size_t>(dims[i])];
        if (operand[i] == SymDim(1) && to != SymDim(1))
            repeated = true;
        else if (args.context.guard_equal(operand[i], to))
            kept.push_back(static_cast<Index>(i));
    }
    Dims summed, remaining;  // axes of the result
    for (const Index axis : all_axes(shape.size())) {
        const bool is_kept = std::any_of(kept.begin(), kept.end(),
                                         [&](Index i) { return dims[static_cast<std::size_t>(i)] == axis; });
        (is_kept ? remaining : summed).push_back(axis);
    }
    Dims perm;  // from the result's order to the operand's
    for (const Index i : kept)
        perm.push_back(std::find(remaining.begin(), remaining.end(), dims[static_cast<std::size_t>(i)]) -
                       remaining.begin());
    Expr ct = summed.empty() ? args.ct : reduce_sum(args.ct, summed);
    if (perm != all_axes(perm.size())) ct = transpose(ct, perm);
    return {repeated ? reshape(ct, operand) : ct};
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
