// The derivatives of eigh: with P = Vᴴ dA V, dw is its diagonal and dV = V Ω, Ω_ij = P_ij / (w_j - w_i).
#include "linalg/operations/eigh.hpp"

#include "linalg/derivatives/algebra.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

using namespace rules;

namespace {

/// The real diagonal of P by one product; that of dA is that of its Hermitian part.
Expr tangent_of_eigenvalues(const Expr& v, const Expr& da) {
    return as(reduce_sum(conjugate(v) * product(da, v), Dims{0}), real_dtype(da.dtype()));
}

}  // namespace

OptionalExprs Eigh::tangents(const ExtensionTangentArgs& args) const {
    const Expr &w = args.y[0], &v = args.y[1], &da = *args.dx[0];
    if (!args.wants(1)) return {tangent_of_eigenvalues(v, da), std::nullopt};
    const Expr p = product(adjoint(v), product(hermitian_part(da), v));
    Expr dv = product(v, quotient(SpectralQuotient::kDifference, p, w, derivative_eps));
    if (fix_gauge && has_complex(v)) {
        const Expr angle = gauge_turn(v, dv);
        dv = dv + v * along_axis(complex(full_like(angle, 0), angle), 1, v);
    }
    return {as(diagonal(p), w.dtype()), dv};
}

OptionalExprs Eigvalsh::tangents(const ExtensionTangentArgs& args) const {
    return {tangent_of_eigenvalues(eigh(args.x[0], {.lower = lower}).vectors, *args.dx[0])};
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
