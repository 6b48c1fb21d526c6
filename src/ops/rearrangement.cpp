// transpose and reshape, which are linear.
#include "ops/derivatives.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

TensorMeta Transpose::infer_one(std::span<const TensorMeta> in) const {
    return SymbolicRules::transpose(in[0], perm);
}
Tensor Transpose::run(BackendSession& session, std::span<const TensorRead> in) const {
    return session.transpose_read(in[0], perm);
}
std::optional<TensorRead> Transpose::view(const TensorRead& a) const { return a.transpose_view(perm); }
std::optional<Expr> Transpose::tangent(const TangentArgs& args) const { return transpose(*args.dx[0], perm); }
std::vector<std::optional<Expr>> Transpose::cotangents(const CotangentArgs& args) const {
    return {transpose(args.ct, inverse_permutation(perm))};
}

TensorMeta Reshape::infer_one(std::span<const TensorMeta> in) const {
    return SymbolicRules::reshape(in[0], shape);
}
Tensor Reshape::run(BackendSession& session, std::span<const TensorRead> in) const {
    return session.reshape_read(in[0], concrete(shape, name()));
}
std::optional<TensorRead> Reshape::view(const TensorRead& a) const {
    return a.is_compact() ? std::optional(a.reshape_view(concrete(shape, name()))) : std::nullopt;
}
std::optional<Expr> Reshape::tangent(const TangentArgs& args) const { return reshape(*args.dx[0], shape); }
std::vector<std::optional<Expr>> Reshape::cotangents(const CotangentArgs& args) const {
    return {reshape(args.ct, shape_of(args.inputs[0]))};
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
