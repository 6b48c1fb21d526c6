// The derivatives of eig for distinct eigenvalues: with P = V⁻¹ dA V, dw is its diagonal and dV = V Q with
// Q = P ∘ F, F_ij = 1 / (w_j - w_i), less what is along the vectors themselves. That is an operation,
// eig_tangents, and its adjoint another, whose own derivatives are those of these formulas.

#include "linalg/derivatives/algebra.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

using namespace rules;

namespace {

/// w_j - w_i, for matrices like `like`.
Expr gaps_of(const Expr& w, const Expr& like) { return along_axis(w, 1, like) - along_axis(w, 0, like); }
/// 1 / (w_j - w_i), and 0 where they are equal but for rounding.
Expr inverse_gaps(const Expr& w, const Expr& like) {
    const Expr gap = gaps_of(w, like), size = abs(w);
    const double units = size.dtype() == DType::F32 ? 0x1p-20 : 0x1p-49;
    Dims batch;
    for (std::size_t axis = 2; axis < like.rank(); ++axis) batch.push_back(static_cast<Index>(axis));
    const Expr least = broadcast_in_dim(reduce_max(size, Dims{0}) * units, shape_of(like), batch);
    const Expr is_gap = greater(abs(gap), least);
    const Expr one = full_like(gap, 1);
    return select(is_gap, one / select(is_gap, gap, one), full_like(gap, 0));
}

/// The inner products of the columns of V and X.
Expr along_vectors(const Expr& v, const Expr& x) { return reduce_sum(conj(v) * x, Dims{0}); }

std::vector<Expr> tangents_of(const Expr& w, const Expr& v, const Expr& da) {
    return linalg::tfe_detail::apply<Expr>(std::make_shared<EigTangents>(), {w, v, da});
}
Expr cotangent_of(const Expr& w, const Expr& v, const Expr& cw, const Expr& cv, bool real) {
    return result_of(std::make_shared<EigCotangents>(real), {w, v, cw, cv});
}

}  // namespace

OptionalExprs Eig::tangents(const ExtensionTangentArgs& args) const {
    const Expr &w = args.y[0], &v = args.y[1], &da = *args.dx[0];
    if (!args.wants(1)) return {diagonal(solve(v, product(as(da, v.dtype()), v))), std::nullopt};
    std::vector<Expr> moved = tangents_of(w, v, da);
    if (fix_gauge) moved[1] = turned(v, moved[1], gauge_turn(v, moved[1]));
    return {moved[0], moved[1]};
}

OptionalExprs Eigvals::tangents(const ExtensionTangentArgs& args) const {
    const Expr v = eig(args.x[0]).vectors;
    return {diagonal(solve(v, product(as(*args.dx[0], v.dtype()), v)))};
}

OptionalExprs EigTangents::tangents(const ExtensionTangentArgs& args) const {
    const Expr &w = args.x[0], &v = args.x[1];
    OptionalExprs result(2);
    if (args.dx[2]) {
        const std::vector<Expr> along = tangents_of(w, v, *args.dx[2]);
        result = {along[0], along[1]};
    }
    if (!args.dx[0] && !args.dx[1]) return result;
    const Expr dw = tensor_ops::instantiate(args.dx[0], w), dv = tensor_ops::instantiate(args.dx[1], v);
    const Expr da = as(args.x[2], v.dtype()), f = inverse_gaps(w, v), p = solve(v, product(da, v)), q = p * f,
               x = product(v, q);
    const Expr dp = solve(v, product(da, dv) - product(dv, p)), dq = (dp - q * gaps_of(dw, v)) * f,
               dx = product(dv, q) + product(v, dq);
    const Expr along = along_vectors(dv, x) + along_vectors(v, dx);
    const Expr moved = dx - scaled_columns(dv, along_vectors(v, x)) - scaled_columns(v, along);
    return {sum_of(result[0], diagonal(dp)), sum_of(result[1], moved)};
}

OptionalExprs EigTangents::cotangents(const ExtensionCotangentArgs& args) const {
    const Expr &w = args.inputs[0], &v = args.inputs[1];
    const bool real = !has_complex(args.inputs[2]);
    return {std::nullopt, std::nullopt,
            cotangent_of(w, v, tensor_ops::instantiate(args.ct[0], w), tensor_ops::instantiate(args.ct[1], v),
                         real)};
}

// With X = cV less what is along the vectors and P = (Vᴴ X) ∘ conj(F) + diag(cw) it is V⁻ᴴ P Vᴴ.
OptionalExprs EigCotangents::tangents(const ExtensionTangentArgs& args) const {
    const Expr &w = args.x[0], &v = args.x[1], &cw = args.x[2], &cv = args.x[3];
    Maybe result;
    if (args.dx[2] || args.dx[3])
        result = cotangent_of(w, v, tensor_ops::instantiate(args.dx[2], cw),
                              tensor_ops::instantiate(args.dx[3], cv), real);
    if (!args.dx[0] && !args.dx[1]) return {result};
    const Expr dw = tensor_ops::instantiate(args.dx[0], w), dv = tensor_ops::instantiate(args.dx[1], v);
    const Expr vh = adjoint(v), dvh = adjoint(dv), f = conj(inverse_gaps(w, v)), along = along_vectors(v, cv),
               x = cv - scaled_columns(v, along), q = product(vh, x) * f, p = q + as_diagonal(cw),
               g = solve(vh, product(p, vh));
    const Expr dx = -scaled_columns(dv, along) - scaled_columns(v, along_vectors(dv, cv)),
               dp = (product(dvh, x) + product(vh, dx) - q * conj(gaps_of(dw, v))) * f,
               dg = solve(vh, product(dp, vh) + product(p, dvh) - product(dvh, g));
    return {sum_of(result, as(dg, real ? real_dtype(v.dtype()) : v.dtype()))};
}

OptionalExprs EigCotangents::cotangents(const ExtensionCotangentArgs& args) const {
    const std::vector<Expr> moved = tangents_of(args.inputs[0], args.inputs[1], *args.ct[0]);
    return {std::nullopt, std::nullopt, moved[0], moved[1]};
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
