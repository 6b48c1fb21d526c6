// The derivative of qr. R₁ is the first K columns of R, X = dA₁ R₁⁻¹ and C = Qᴴ X. Of C = Qᴴ dQ + dR₁ R₁⁻¹
// the first part is antihermitian and the second, T, upper triangular with a real diagonal, so T = triu(C +
// Cᴴ) with half of the diagonal; dQ = X - Q T, dR = Qᴴ dA - (C - T) R, for square, wide and tall matrices
// alike (Walter and Lehmann, "Algorithmic differentiation of linear algebra functions", 2010).

#include "linalg/derivatives/algebra.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

using namespace rules;

OptionalExprs Qr::tangents(const ExtensionTangentArgs& args) const {
    const Expr &a = args.x[0], &da = *args.dx[0];
    const SymDim k = full ? min(a.extent(0), a.extent(1)) : args.y[0].extent(1);
    const Expr q = leading(args.y[0], 1, k), r = leading(args.y[1], 0, k), r1 = leading(r, 1, k);
    const Expr x = triangular_solve(r1, leading(da, 1, k), {.left = false, .lower = false});
    const Expr c = product(adjoint(q), x), t = half_upper_of_sum(c);
    OptionalExprs result(2);
    if (args.wants(0)) {
        const Expr dq = x - product(q, t);
        // Columns of a full Q behind those of R follow them, and do not turn among themselves.
        const bool has_more = !(args.y[0].extent(1) == k);
        result[0] =
            has_more ? concatenate({dq, -product(q, product(adjoint(dq), behind(args.y[0], 1, k)))}, 1) : dq;
    }
    if (args.wants(1)) {
        const bool has_more = !(r.extent(1) == k);
        const Expr dr = has_more ? product(adjoint(q), da) - product(c - t, r) : product(t, r);
        result[1] =
            args.y[1].extent(0) == k ? dr : concatenate({dr, full_like(behind(args.y[1], 0, k), 0)}, 0);
    }
    return result;
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
