// The derivatives of spectral_quotient: q = x / d(s), so dq = (dx - q dd) / d.
#include "linalg/derivatives/algebra.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Factors of other decompositions are held where the cotangent is differentiated: the derivative is that of
/// the computation between this decomposition and the next, and does not grow with their number.
bool is_decomposition(const StdTensorOp& op) {
    const auto* extension = op.as<tensor_ops::Extension>();
    if (extension == nullptr) return false;
    const std::string_view family = extension->op->family_id();
    constexpr std::string_view kHeld[] = {SpectralQuotient::kFamilyId, Svd::kFamilyId, Eigh::kFamilyId,
                                          Eig::kFamilyId};
    return std::find(std::begin(kHeld), std::end(kHeld), family) != std::end(kHeld);
}

}  // namespace

rules::Maybe rules::along_numbers(const Expr& value, const Expr& s, ShapeGuardContext& context) {
    try {
        return value.derivative(s, cumulative_sum(full_like(s, 1), 0), context,
                                [](const StdTensorOp& op) { return is_decomposition(op); });
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::AdRuleUnsupported) throw;
        return std::nullopt;
    }
}

OptionalExprs SpectralQuotient::tangents(const ExtensionTangentArgs& args) const {
    const Expr &x = args.x[0], &s = args.x[1], &q = args.y[0];
    rules::Maybe above = args.dx[0];
    if (args.dx[1]) {
        const Expr columns = rules::along_axis(*args.dx[1], 1, x);
        const Expr divisor = kind == kColumn ? columns
                             : kind == kSum  ? columns + rules::along_axis(*args.dx[1], 0, x)
                                             : columns - rules::along_axis(*args.dx[1], 0, x);
        above = rules::sum_of(above, -(divisor * q));
    }
    const rules::Gaps by{kind, eps, part};
    if (!limit) return {rules::quotient(by, *above, s)};
    if (!above && !args.dx[2]) return {std::nullopt};
    return {
        rules::quotient(by, tensor_ops::instantiate(above, x), s, tensor_ops::instantiate(args.dx[2], x))};
}

// The adjoint of a quotient of a Hermitian part by differences, which change their sign, is antihermitian.
OptionalExprs SpectralQuotient::cotangents(const ExtensionCotangentArgs& args) const {
    const Expr &ct = *args.ct[0], &s = args.inputs[1];
    const rules::Gaps by{kind, eps, kind == kDifference ? -part : part};
    if (!limit) {
        const rules::Maybe slope = rules::along_numbers(ct, s, args.context);
        return {slope ? rules::quotient(by, ct, s, *slope) : rules::quotient(by, ct, s), std::nullopt};
    }
    const Expr none = full_like(ct, 0);
    OptionalExprs result(3);
    if (args.is_linear(0)) result[0] = rules::quotient(by, ct, s, none);
    if (args.is_linear(2)) result[2] = rules::quotient(by, none, s, ct);
    return result;
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
