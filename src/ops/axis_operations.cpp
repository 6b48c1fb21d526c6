// argmax and argmin, and the extent of an axis.
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
