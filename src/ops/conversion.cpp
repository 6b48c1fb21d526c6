// Convert and Cast. Between floating-point and complex dtypes they are linear, even where they lose; others
// are inactive.
#include "tenferro/tensor/elementwise/conversion.hpp"
#include "ops/infer.hpp"
#include "tenferro/ops/functions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

TensorMeta Conversion::infer_one(std::span<const TensorMeta> in) const {
    return SymbolicRules::conversion(op, in[0], to);
}

Tensor Conversion::run(BackendSession& session, std::span<const TensorRead> in) const {
    return op == OpId::Convert ? session.convert_read(in[0], to) : session.cast_read(in[0], to);
}

std::optional<OpId> Conversion::fusion_step(std::span<const DType>) const { return op; }

std::optional<Expr> Conversion::tangent(const TangentArgs& args) const { return cast(*args.dx[0], to); }

std::vector<std::optional<Expr>> Conversion::cotangents(const CotangentArgs& args) const {
    return {cast(args.ct, args.inputs[0].dtype())};
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
