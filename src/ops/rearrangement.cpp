// Operations that only move whole axes: transpose, reshape, reverse, and the two triangles, which keep places
// and drop values. All are linear.
#include "ops/derivatives.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace ops {

TensorMeta Transpose::infer_one(std::span<const TensorMeta> in) const {
    check_permutation(perm, in[0].rank(), name());
    return {in[0].dtype, extents_at(in[0], perm)};
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
    check_extents(shape, name());
    const SymDim from = element_count(in[0].shape), to = element_count(shape);
    if (from.constant() && to.constant() && from != to)
        throw Error(ErrorKind::ShapeMismatch, name(),
                    text("the operand has ", from.text(), " elements but the result has ", to.text()));
    return {in[0].dtype, shape};
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
    check_axes(axes, in[0].rank(), name(), "reversed");
    return in[0];
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
    if (in[0].rank() < 2)
        throw Error(ErrorKind::RankMismatch, name(),
                    text("the operand has rank ", in[0].rank(), " but needs axes 0 and 1"));
    return in[0];
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

}}}  // namespace tenferro::TENFERRO_ABI::ops
