// The derivatives of LU factorisations and of systems and inverses.

#include "linalg/derivatives/algebra.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

using namespace rules;

namespace {

/// (dL, dU) for L U = D, where the rows and columns of D were exchanged as those of A. For L₁ the first K
/// rows of L, U₁ the first K columns of U, G = dD₁ U₁⁻¹ (first K columns), H = L₁⁻¹ dD₁ (first K rows) and
/// F = H₁ U₁⁻¹: dL = G - L triu(F) and dU = H - stril(F) U, for square, wide and tall matrices alike.
std::pair<Maybe, Maybe> tangents_of_factors(const Expr& l, const Expr& u, const Expr& d, bool wants_l,
                                            bool wants_u) {
    const SymDim& k = l.extent(1);
    const TriangularOptions by_u{.left = false, .lower = false};
    const Expr l1 = leading(l, 0, k), u1 = leading(u, 1, k);
    const Expr h = triangular_solve(l1, leading(d, 0, k), {.unit_diagonal = true});
    const Expr f = triangular_solve(u1, leading(h, 1, k), by_u);
    std::pair<Maybe, Maybe> result;
    if (wants_l)
        result.first = l.extent(0) == k ? product(l, tril(f, -1))
                                        : triangular_solve(u1, leading(d, 1, k), by_u) - product(l, triu(f));
    if (wants_u) result.second = u.extent(1) == k ? product(triu(f), u) : h - product(tril(f, -1), u);
    return result;
}

/// op(A).
Expr applied(const Expr& a, bool transpose, bool conjugate) {
    const Expr b = transpose ? matrix_transpose(a) : a;
    return conjugate ? rules::conjugate(b) : b;
}

/// The solution by the factors among `inputs`, whose last is the right-hand side, for another one.
Expr with_right_side(operations::Operation solve, std::span<const Expr> inputs, const Expr& side) {
    std::vector<Expr> all(inputs.begin(), inputs.end() - 1);
    all.push_back(side);
    return extension::apply(std::move(solve), std::span<const Expr>(all)).front();
}

}  // namespace

OptionalExprs Lu::tangents(const ExtensionTangentArgs& args) const {
    auto [dl, du] = tangents_of_factors(args.y[1], args.y[2], product(args.y[0], *args.dx[0]), args.wants(1),
                                        args.wants(2));
    return {std::nullopt, std::move(dl), std::move(du), std::nullopt};
}

OptionalExprs FullPivLu::tangents(const ExtensionTangentArgs& args) const {
    auto [dl, du] =
        tangents_of_factors(args.y[1], args.y[2], product(product(args.y[0], *args.dx[0]), args.y[3]),
                            args.wants(1), args.wants(2));
    return {std::nullopt, std::move(dl), std::move(du), std::nullopt, std::nullopt};
}

OptionalExprs LuFactor::tangents(const ExtensionTangentArgs&) const { return OptionalExprs(3); }

// dX solves op(A) dX = dB - op(dA) X, by the factors that are there.
OptionalExprs LuSolve::tangents(const ExtensionTangentArgs& args) const {
    const Expr& x = args.y[0];
    Maybe rest = args.dx[4];
    if (args.dx[0]) {
        const Expr da = applied(*args.dx[0], transpose, conjugate);
        rest = sum_of(rest, -(left ? product(da, x) : product(x, da)));
    }
    if (!rest) return {std::nullopt};
    return {with_right_side(operations::lu_solve(left, transpose, conjugate), args.x, *rest)};
}

OptionalExprs LuSolve::cotangents(const ExtensionCotangentArgs& args) const {
    OptionalExprs result(5);
    const bool turned = has_complex(args.inputs[0]) && !conjugate;
    result[4] = with_right_side(operations::lu_solve(left, !transpose, turned), args.inputs, *args.ct[0]);
    return result;
}

// d log det A = tr A⁻¹ dA: its real part is that of the logarithm, its imaginary part turns the sign.
OptionalExprs Slogdet::tangents(const ExtensionTangentArgs& args) const {
    if (!args.dx[0]) return OptionalExprs(2);
    const Expr& sign = args.y[0];
    const Expr rate = trace(result_of(operations::lu_solve(true, false, false),
                                      {args.x[0], args.x[1], args.x[2], args.x[3], *args.dx[0]}));
    if (!has_complex(sign)) return {std::nullopt, rate};
    const Expr turn = imag(rate);
    return {sign * complex(full_like(turn, 0), turn), real(rate)};
}

OptionalExprs Inv::tangents(const ExtensionTangentArgs& args) const {
    const Expr& inverse = args.y[0];
    return {-product(inverse, product(*args.dx[0], inverse))};
}

OptionalExprs FullPivLuSolve::tangents(const ExtensionTangentArgs& args) const {
    Maybe rest = args.dx[5];
    if (args.dx[0]) rest = sum_of(rest, -product(applied(*args.dx[0], transpose, conjugate), args.y[0]));
    if (!rest) return {std::nullopt};
    return {with_right_side(operations::full_piv_lu_solve(transpose, conjugate), args.x, *rest)};
}

OptionalExprs FullPivLuSolve::cotangents(const ExtensionCotangentArgs& args) const {
    OptionalExprs result(6);
    const bool turned = has_complex(args.inputs[0]) && !conjugate;
    result[5] = with_right_side(operations::full_piv_lu_solve(!transpose, turned), args.inputs, *args.ct[0]);
    return result;
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
