// Operations that only move whole axes: transpose, reshape, reverse, and the two triangles, which keep places
// and drop values. All are linear.
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
    Dims inverse(perm.size());
    for (std::size_t i = 0; i < perm.size(); ++i)
        inverse[static_cast<std::size_t>(perm[i])] = static_cast<Index>(i);
    return {transpose(args.ct, inverse)};
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

TensorMeta Reverse::infer_one(std::span<const TensorMeta> in) const {
    return SymbolicRules::reverse(in[0], axes);
}
Tensor Reverse::run(BackendSession& session, std::span<const TensorRead> in) const {
    return session.reverse_read(in[0], axes);
}
std::optional<TensorRead> Reverse::view(const TensorRead& a) const { return a.reverse_view(axes); }
std::optional<Expr> Reverse::tangent(const TangentArgs& args) const { return reverse(*args.dx[0], axes); }
std::vector<std::optional<Expr>> Reverse::cotangents(const CotangentArgs& args) const {
    return {reverse(args.ct, axes)};
}

TensorMeta Triangle::infer_one(std::span<const TensorMeta> in) const {
    return op == OpId::Tril ? SymbolicRules::tril(in[0], diagonal) : SymbolicRules::triu(in[0], diagonal);
}
Tensor Triangle::run(BackendSession& session, std::span<const TensorRead> in) const {
    return op == OpId::Tril ? session.tril_read(in[0], diagonal) : session.triu_read(in[0], diagonal);
}
std::optional<Expr> Triangle::tangent(const TangentArgs& args) const {
    return args.y.apply(*this, {*args.dx[0]});
}
std::vector<std::optional<Expr>> Triangle::cotangents(const CotangentArgs& args) const {
    return {args.ct.apply(*this, {args.ct})};
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
