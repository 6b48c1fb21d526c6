// What the derivative rules of linear algebra are written with, besides the functions on handles: parts of
// matrices, scaled rows and columns, the quotients by gaps of a spectrum.
#pragma once

#include "linalg/operations/spectral_quotient.hpp"
#include "linalg/operations/structs.hpp"
#include "ops/derivatives.hpp"
#include "tenferro/linalg/functions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace rules {

using Maybe = std::optional<Expr>;
using tensor_ops::conjugate, tensor_ops::sum_of;

[[nodiscard]] inline bool has_complex(const Expr& a) { return info(a.dtype()).is_complex; }
/// In another floating-point or complex dtype of the same precision; of complex numbers the real part.
[[nodiscard]] inline Expr as(const Expr& a, DType dtype) {
    if (a.dtype() == dtype) return a;
    return info(dtype).is_complex ? convert(a, dtype) : real(a);
}
[[nodiscard]] inline Expr diagonal(const Expr& a) { return extract_diagonal(a, 0, 1); }
[[nodiscard]] inline Expr as_diagonal(const Expr& v) { return embed_diagonal(v, 0, 1); }

/// v [N] along axis `axis` of matrices like a [M, N].
[[nodiscard]] inline Expr along_axis(const Expr& v, std::size_t axis, const Expr& a) {
    Dims axes{static_cast<Index>(axis)};
    for (std::size_t batch = 2; batch < a.rank(); ++batch) axes.push_back(static_cast<Index>(batch));
    return broadcast_in_dim(as(v, a.dtype()), shape_of(a), std::move(axes));
}
/// A diag(v), diag(v) A.
[[nodiscard]] inline Expr scaled_columns(const Expr& a, const Expr& v) { return a * along_axis(v, 1, a); }
[[nodiscard]] inline Expr scaled_rows(const Expr& v, const Expr& a) { return a * along_axis(v, 0, a); }

/// The first `count` rows (axis 0) or columns (axis 1); a itself where it has no more.
[[nodiscard]] inline Expr leading(const Expr& a, std::size_t axis, const SymDim& count) {
    if (a.extent(axis) == count) return a;
    SymShape starts(a.rank(), 0), limits = shape_of(a);
    limits[axis] = count;
    return slice(a, std::move(starts), std::move(limits), Dims(a.rank(), 1));
}
/// Those behind them, which must be fewer than all.
[[nodiscard]] inline Expr behind(const Expr& a, std::size_t axis, const SymDim& count) {
    SymShape starts(a.rank(), 0);
    starts[axis] = count;
    return slice(a, std::move(starts), shape_of(a), Dims(a.rank(), 1));
}

/// The only output of an operation.
[[nodiscard]] inline Expr result_of(operations::Operation operation, std::initializer_list<Expr> inputs) {
    return linalg::tfe_detail::apply<Expr>(std::move(operation), inputs).front();
}

/// Triangles of X and of its adjoint, see WeightedTriangles.
[[nodiscard]] inline Expr weighted(const Expr& x, const TriangleWeights& by) {
    return result_of(std::make_shared<WeightedTriangles>(by), {x});
}
/// The Hermitian part of A: derivatives take the operand of cholesky and eigh for Hermitian, and so are
/// cotangents.
[[nodiscard]] inline Expr hermitian_part(const Expr& a) { return weighted(a, {.5, .5, .5, .5, .5, .5}); }
/// The lower triangle with half of the diagonal: X = half_lower(X) + its adjoint for Hermitian X.
[[nodiscard]] inline Expr half_lower(const Expr& a) { return weighted(a, {1, .5, 0, 0, 0, 0}); }
/// The same of X + Xᴴ, transposed: the upper triangle with half of the diagonal.
[[nodiscard]] inline Expr half_upper_of_sum(const Expr& x) { return weighted(x, {0, .5, 1, 0, .5, 1}); }

/// What of x is divided, by which numbers of a spectrum, and what counts as 0; see SpectralQuotient.
struct Gaps {
    Index kind;
    double eps;
    Index part = SpectralQuotient::kWhole;
};
/// x divided by gaps of the spectrum s; with dx, its derivative as s moves, by their limits too.
[[nodiscard]] inline Expr quotient(const Gaps& by, const Expr& x, const Expr& s) {
    return result_of(std::make_shared<SpectralQuotient>(by.kind, by.part, by.eps, false), {x, s});
}
[[nodiscard]] inline Expr quotient(const Gaps& by, const Expr& x, const Expr& s, const Expr& dx) {
    return result_of(std::make_shared<SpectralQuotient>(by.kind, by.part, by.eps, true), {x, s, dx});
}

/// The derivative of what was computed from the spectrum s as s moves along (1, 2, 3, …), while the factors
/// of decompositions stay; absent where it does not depend on s, or by what has no derivative.
[[nodiscard]] Maybe along_numbers(const Expr& value, const Expr& s, ShapeGuardContext& context);

/// The tangents of vectors [M, N] in the gauge that is fixed by a real positive largest element: for complex
/// ones their phases are turned by what it takes, which is returned, [N].
[[nodiscard]] Expr gauge_turn(const Expr& vectors, const Expr& tangents);
/// The tangents with the phases turned by `angle`.
[[nodiscard]] inline Expr turned(const Expr& vectors, const Expr& tangents, const Expr& angle) {
    return tangents + vectors * along_axis(complex(full_like(angle, 0), angle), 1, vectors);
}

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::rules
