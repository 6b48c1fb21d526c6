// The bridges between an extension's rules on Expr and those of the graph, and its way into a session.
#include "tenferro/ops/extension_base.hpp"

#include "ops/expr_lists.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tfe_detail {

OptionalValues tangents_with(FunctionRef<OptionalExprs(const ExtensionTangentArgs&)> rule,
                             FragmentBuilder& builder, std::span<const GlobalValKey> primal_in,
                             std::span<const GlobalValKey> primal_out,
                             std::span<const std::optional<LocalValId>> tangent_in,
                             ShapeGuardContext& context) {
    const auto primal = [](std::size_t) { return false; };
    const std::vector<Expr> x = tensor_ops::exprs(builder, primal_in, primal),
                            y = tensor_ops::exprs(builder, primal_out, primal);
    const OptionalExprs dx = tensor_ops::linear_exprs(builder, tangent_in);
    return tensor_ops::locals(rule({x, y, dx, context}));
}

OptionalValues cotangents_with(FunctionRef<OptionalExprs(const ExtensionCotangentArgs&)> rule,
                               FragmentBuilder& builder,
                               std::span<const std::optional<LocalValId>> cotangent_out,
                               std::span<const ValRef> inputs, const OpMode& mode,
                               ShapeGuardContext& context) {
    const std::vector<Expr> values =
        tensor_ops::exprs(builder, inputs, [&](std::size_t i) { return mode.is_active(i); });
    const OptionalExprs ct = tensor_ops::linear_exprs(builder, cotangent_out);
    return tensor_ops::locals(rule({ct, values, context}));
}

std::vector<Tensor> in_current_session(FunctionRef<std::vector<Tensor>(BackendSession&)> body) {
    TensorBackend* const backend = current_backend();
    if (backend == nullptr)
        throw Error(ErrorKind::BackendFailure, "extension",
                    "no backend is current on this thread: open a session or a BackendScope");
    return backend->with_backend_session([&](BackendSession& session) { return body(session); });
}

}}}  // namespace tenferro::TENFERRO_ABI::tfe_detail
