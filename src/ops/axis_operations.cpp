// Operations along one axis, and the extent of an axis.
#include "ops/derivatives.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

TensorMeta ArgExtreme::infer_one(std::span<const TensorMeta> in) const {
    return op == OpId::Argmax ? SymbolicRules::argmax(in[0], axis) : SymbolicRules::argmin(in[0], axis);
}
Tensor ArgExtreme::run(BackendSession& session, std::span<const TensorRead> in) const {
    return op == OpId::Argmax ? session.argmax_read(in[0], axis) : session.argmin_read(in[0], axis);
}
std::optional<Expr> ArgExtreme::tangent(const TangentArgs&) const { return std::nullopt; }
std::vector<std::optional<Expr>> ArgExtreme::cotangents(const CotangentArgs&) const { throw_not_linear(); }

std::optional<Expr> CumulativeSum::tangent(const TangentArgs& args) const {
    return cumulative_sum(*args.dx[0], axis, reverse);
}
std::vector<std::optional<Expr>> CumulativeSum::cotangents(const CotangentArgs& args) const {
    return {cumulative_sum(args.ct, axis, !reverse)};
}

std::optional<Expr> Softmax::tangent(const TangentArgs& args) const {
    const Expr weighted = args.y * *args.dx[0];
    const Expr total =
        broadcast_in_dim(reduce_sum(weighted, {axis}), shape_of(args.y), axes_without(args.y.rank(), axis));
    return weighted - args.y * total;
}
std::vector<std::optional<Expr>> Softmax::cotangents(const CotangentArgs&) const { throw_not_linear(); }

std::optional<Expr> Sort::tangent(const TangentArgs&) const {
    throw Error(ErrorKind::AdRuleUnsupported, name(),
                "no derivative: no operation gives the order of the elements");
}
std::vector<std::optional<Expr>> Sort::cotangents(const CotangentArgs&) const { throw_not_linear(); }

TensorMeta ExtentOf::infer_one(std::span<const TensorMeta> in) const {
    check_axes({&axis, 1}, in[0].rank(), name(), "operand");
    return {DType::I64, {}};
}
Tensor ExtentOf::run(BackendSession& session, std::span<const TensorRead> in) const {
    const std::int64_t extent = in[0].shape()[static_cast<std::size_t>(axis)];
    return session.upload_host_tensor(Tensor::from_data<std::int64_t>({&extent, 1}, {}));
}
std::optional<Expr> ExtentOf::tangent(const TangentArgs&) const { return std::nullopt; }
std::vector<std::optional<Expr>> ExtentOf::cotangents(const CotangentArgs&) const { throw_not_linear(); }

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
