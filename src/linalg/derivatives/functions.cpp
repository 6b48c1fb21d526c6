// The derivatives of functions of matrices.

#include "linalg/derivatives/algebra.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

using namespace rules;

namespace {

Expr exp_derivative(const Expr& a, const Expr& e) {
    return result_of(std::make_shared<MatrixExpDerivative>(), {a, e});
}
/// [A, E; 0, A].
Expr block(const Expr& a, const Expr& e) {
    return concatenate({concatenate({a, e}, 1), concatenate({full_like(a, 0), a}, 1)}, 0);
}

}  // namespace

OptionalExprs MatrixExp::tangents(const ExtensionTangentArgs& args) const {
    return {exp_derivative(args.x[0], *args.dx[0])};
}

// It is a block of exp(M) for M = [A, E; 0, A] (Van Loan, IEEE Trans. Autom. Control 23, 1978), so its
// derivative is that block of the derivative at M.
OptionalExprs MatrixExpDerivative::tangents(const ExtensionTangentArgs& args) const {
    const Expr &a = args.x[0], &e = args.x[1];
    if (!args.dx[0]) return {exp_derivative(a, *args.dx[1])};
    const Expr m = block(a, e), dm = block(*args.dx[0], tensor_ops::instantiate(args.dx[1], e));
    const SymDim n = a.extent(0);
    return {behind(leading(exp_derivative(m, dm), 0, n), 1, n)};
}

OptionalExprs MatrixExpDerivative::cotangents(const ExtensionCotangentArgs& args) const {
    return {std::nullopt, exp_derivative(adjoint(args.inputs[0]), *args.ct[0])};
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
