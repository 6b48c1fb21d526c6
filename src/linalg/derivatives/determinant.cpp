// The derivatives of det: d det A = tr(adj A dA), which needs no inverse.
#include "linalg/derivatives/algebra.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

using namespace rules;

namespace {

/// The sum of all elements of A ∘ B, [].
Expr sum_of_products(const Expr& a, const Expr& b) { return reduce_sum(a * b, Dims{0, 1}); }

Expr adjugate_along(std::span<const Expr> a_and_factors, const Expr& x) {
    return result_of(std::make_shared<AdjugateDerivative>(),
                     {a_and_factors[0], a_and_factors[1], a_and_factors[2], a_and_factors[3], x});
}

}  // namespace

OptionalExprs Det::tangents(const ExtensionTangentArgs& args) const {
    if (!args.dx[0]) return {std::nullopt};
    const Expr adjugate =
        result_of(std::make_shared<Adjugate>(), {args.x[0], args.x[1], args.x[2], args.x[3]});
    return {sum_of_products(matrix_transpose(adjugate), *args.dx[0])};
}

OptionalExprs Adjugate::tangents(const ExtensionTangentArgs& args) const {
    if (!args.dx[0]) return {std::nullopt};
    return {adjugate_along(args.x, *args.dx[0])};
}

// With B = A⁻¹, the derivative of det A (tr(BX) B - BXB) along Y is det A times tr(BY) (tr(BX) B - BXB) -
// tr(BYBX) B - tr(BX) BYB + BYBXB + BXBYB.
OptionalExprs AdjugateDerivative::tangents(const ExtensionTangentArgs& args) const {
    const Expr& a = args.x[0];
    Maybe result;
    if (args.dx[4]) result = adjugate_along(args.x, *args.dx[4]);
    if (args.dx[0]) {
        const Expr b = result_of(operations::lu_solve(true, false, false),
                                 {a, args.x[1], args.x[2], args.x[3], identity_like(a)});
        const Expr det = result_of(operations::det(), {a, args.x[1], args.x[2], args.x[3]});
        const Expr bx = product(b, args.x[4]), by = product(b, *args.dx[0]), bxb = product(bx, b),
                   byb = product(by, b);
        const auto times = [&](const Expr& number, const Expr& matrix) {
            return broadcast_in_dim(number, shape_of(matrix),
                                    linalg::tfe_detail::axes_from(2, matrix.rank())) *
                   matrix;
        };
        const Expr sum = times(trace(by), times(trace(bx), b) - bxb) - times(trace(product(by, bx)), b) -
                         times(trace(bx), byb) + product(by, bxb) + product(bx, byb);
        result = sum_of(result, times(det, sum));
    }
    return {result};
}

// tr(Y D adj(A)[X]) is symmetric in X and Y.
OptionalExprs AdjugateDerivative::cotangents(const ExtensionCotangentArgs& args) const {
    OptionalExprs result(5);
    result[4] = adjoint(adjugate_along(args.inputs, adjoint(*args.ct[0])));
    return result;
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
