// The derivatives of triangular_solve, cholesky and weighted_triangles.

#include "linalg/derivatives/algebra.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

using namespace rules;

// op(A) X = B, so dX solves op(A) dX = dB - op(dA) X, where of dA only the triangle counts.
OptionalExprs TriangularSolve::tangents(const ExtensionTangentArgs& args) const {
    const Expr &a = args.x[0], &x = args.y[0];
    Maybe rest = args.dx[1];
    if (args.dx[0]) {
        const Index inside = unit_diagonal ? 1 : 0;
        Expr da = lower ? tril(*args.dx[0], -inside) : triu(*args.dx[0], inside);
        if (transpose) da = matrix_transpose(da);
        if (conjugate) da = rules::conjugate(da);
        rest = sum_of(rest, -(left ? product(da, x) : product(x, da)));
    }
    return {triangular_solve(a, *rest, *this)};
}

OptionalExprs TriangularSolve::cotangents(const ExtensionCotangentArgs& args) const {
    const Expr& a = args.inputs[0];
    const TriangularOptions adjoint{left, lower, !transpose, has_complex(a) && !conjugate, unit_diagonal};
    return {std::nullopt, triangular_solve(a, *args.ct[0], adjoint)};
}

// A = L Lᴴ, so L⁻¹ dA L⁻ᴴ = X + Xᴴ with the lower triangular X = L⁻¹ dL.
OptionalExprs Cholesky::tangents(const ExtensionTangentArgs& args) const {
    const Expr& l = args.y[0];
    const Expr half = triangular_solve(l, hermitian_part(*args.dx[0]));
    const Expr both =
        triangular_solve(l, half, {.left = false, .transpose = true, .conjugate = has_complex(l)});
    return {product(l, half_lower(both))};
}

OptionalExprs WeightedTriangles::tangents(const ExtensionTangentArgs& args) const {
    return {weighted(*args.dx[0], *this)};
}

// Of Re Σ conj(c_ij) (w_ij x_ij + v_ij conj(x_ji)) the second term is Re Σ v_ji conj(conj(c_ji)) conj(x_ij).
OptionalExprs WeightedTriangles::cotangents(const ExtensionCotangentArgs& args) const {
    TriangleWeights transposed = *this;
    std::swap(transposed.below_adjoint, transposed.above_adjoint);
    return {weighted(*args.ct[0], transposed)};
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
