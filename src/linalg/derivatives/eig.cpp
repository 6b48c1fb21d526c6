// The derivatives of eig for distinct eigenvalues: with P = V⁻¹ dA V, dw is its diagonal and dV = V F, F_ij =
// P_ij / (w_j - w_i), less what is along the vectors themselves, which keep their norm and turn as little as
// possible. Across gaps of a few units of rounding F is 0.

#include "linalg/derivatives/algebra.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

using namespace rules;

namespace {

/// 1 / (w_j - w_i), and 0 where they are equal but for rounding.
Expr inverse_gaps(const Expr& w, const Expr& like) {
    const Expr gap = along_axis(w, 1, like) - along_axis(w, 0, like), size = abs(w);
    const double units = size.dtype() == DType::F32 ? 0x1p-20 : 0x1p-49;
    Dims batch;
    for (std::size_t axis = 2; axis < like.rank(); ++axis) batch.push_back(static_cast<Index>(axis));
    const Expr least = broadcast_in_dim(reduce_max(size, Dims{0}) * units, shape_of(like), batch);
    const Expr is_gap = greater(abs(gap), least);
    const Expr one = full_like(gap, 1);
    return select(is_gap, one / select(is_gap, gap, one), full_like(gap, 0));
}

}  // namespace

OptionalExprs Eig::tangents(const ExtensionTangentArgs& args) const {
    const Expr &w = args.y[0], &v = args.y[1];
    const Expr da = as(*args.dx[0], v.dtype()), p = solve(v, product(da, v));
    if (!args.wants(1)) return {diagonal(p), std::nullopt};
    Expr dv = product(v, p * inverse_gaps(w, v));
    dv = dv - scaled_columns(v, reduce_sum(conj(v) * dv, Dims{0}));
    if (fix_gauge) dv = turned(v, dv, gauge_turn(v, dv));
    return {diagonal(p), dv};
}

OptionalExprs Eigvals::tangents(const ExtensionTangentArgs& args) const {
    const Expr v = eig(args.x[0]).vectors;
    return {diagonal(solve(v, product(as(*args.dx[0], v.dtype()), v)))};
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
