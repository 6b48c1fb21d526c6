// The bridge between rules on Expr and rules on graph values, and the templates of the core operations.
#include "tenferro/ops/core_operation.hpp"

#include "ops/expr_lists.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/ops/operations.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

OptionalValues CoreOperation::linearize(FragmentBuilder& builder, std::span<const GlobalValKey> primal_in,
                                        std::span<const GlobalValKey> primal_out,
                                        std::span<const std::optional<LocalValId>> tangent_in,
                                        ShapeGuardContext& context) const {
    const std::vector<Expr> x = exprs(builder, primal_in, [](std::size_t) { return false; });
    const std::vector<std::optional<Expr>> dx = linear_exprs(builder, tangent_in);
    const DType dtype = primal_out[0].meta().dtype;
    if (!info(dtype).is_float && !info(dtype).is_complex)
        return {std::nullopt};  // integers and Bool are inactive
    const std::optional<Expr> dy = tangent({x, Expr(builder, primal_out[0], false), dx, context});
    return locals({&dy, 1});
}

OptionalValues CoreOperation::transpose_rule(FragmentBuilder& builder,
                                             std::span<const std::optional<LocalValId>> cotangent_out,
                                             std::span<const ValRef> inputs, const OpMode& mode,
                                             ShapeGuardContext& context) const {
    const std::vector<Expr> values = exprs(builder, inputs, [&](std::size_t i) { return mode.is_active(i); });
    return locals(cotangents({Expr(builder, *cotangent_out[0], true), values, context}));
}

void CoreOperation::throw_not_linear() const {
    throw Error(ErrorKind::AdRuleUnsupported, name(), "it is not linear, so it has no transpose rule");
}

#define TENFERRO_ROW(Name, ...) template class CoreOp<Name>;
TENFERRO_CORE_STRUCTS(TENFERRO_ROW)
#undef TENFERRO_ROW

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops

namespace tenferro { inline namespace TENFERRO_ABI {

#define TENFERRO_ROW(Name, ...) \
    template std::shared_ptr<const Operation> StdTensorOp::shared(tensor_ops::Name);
TENFERRO_CORE_STRUCTS(TENFERRO_ROW)
#undef TENFERRO_ROW

}}  // namespace tenferro::TENFERRO_ABI
