// The derivatives of eigh: with P = Vᴴ dA V, dw is its diagonal and dV = V Ω, Ω_ij = P_ij / (w_j - w_i).

#include "linalg/derivatives/algebra.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

using namespace rules;

namespace {

/// dw alone, by one product; the real diagonal of Vᴴ dA V is that of the Hermitian part of dA.
Expr tangent_of_eigenvalues(const Expr& a, const Expr& w, const Expr& v, const Expr& da, double eps) {
    return result_of(std::make_shared<SpectralDiagonal>(true, eps), {a, v, w, adjoint(v), da});
}

}  // namespace

OptionalExprs Eigh::tangents(const ExtensionTangentArgs& args) const {
    const Expr &w = args.y[0], &v = args.y[1], &da = *args.dx[0];
    if (!args.wants(1)) return {tangent_of_eigenvalues(args.x[0], w, v, da, derivative_eps), std::nullopt};
    using By = SpectralQuotient;
    const Expr p = product(adjoint(v), product(da, v));
    Expr dv = product(v, quotient({By::kDifference, derivative_eps, By::kHermitian}, p, w));
    if (fix_gauge && has_complex(v)) dv = turned(v, dv, gauge_turn(v, dv));
    return {as(diagonal(p), w.dtype()), dv};
}

OptionalExprs Eigvalsh::tangents(const ExtensionTangentArgs& args) const {
    const EigenResult<Expr> f = eigh(args.x[0], {.lower = lower});
    return {tangent_of_eigenvalues(args.x[0], f.values, f.vectors, *args.dx[0], kDerivativeEps)};
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
