// Linear algebra as functions on handles: traced and eager tensors, and Expr inside derivative rules.
// Matrices are in axes 0 and 1, the axes behind them are a batch, whose extents agree between operands; A is
// [M, N] or, where it has to be square, [N, N], K = min(M, N), and the batch follows the shapes that are
// given here and in results.hpp.
//
// Shapes and dtypes are checked when a function is applied: RankMismatch, ShapeMismatch, and DTypeMismatch
// for other dtypes than F32, F64, C32 and C64, in the name of the operation that finds them, which for
// functions that are several operations is one of those. What depends on the elements is met when they are
// computed: NonFinite, Singular, NotPositiveDefinite and NoConvergence, as LinalgBackend (backend.hpp), which
// does the same on plain tensors, says for each operation; here they are the cause of a BackendFailure.
#pragma once

#include "tenferro/api/extension.hpp"
#include "tenferro/linalg/operations.hpp"
#include "tenferro/linalg/results.hpp"
#include "tenferro/ops/conveniences.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace tfe_detail {
template <class H>
[[nodiscard]] std::vector<H> apply(operations::Operation op, std::initializer_list<H> inputs) {
    return extension::apply(std::move(op), std::span<const H>(inputs.begin(), inputs.size()));
}
/// Whether `a` computes at once and nothing is recorded: then what is not asked for need not be computed.
template <class H>
[[nodiscard]] bool is_unrecorded(const H& a) {
    if constexpr (requires { a.requires_grad(); })
        return !a.requires_grad();
    else
        return false;
}
/// The axes behind the first `leading` of `rank`.
[[nodiscard]] inline Dims axes_from(std::size_t leading, std::size_t rank) {
    Dims axes;
    for (std::size_t axis = leading; axis < rank; ++axis) axes.push_back(static_cast<Index>(axis));
    return axes;
}
/// `first` and then the extents of a's batch, the axes behind the first `leading`.
template <TensorHandle H>
[[nodiscard]] SymShape with_batch_of(const H& a, std::size_t leading, SymShape first) {
    for (std::size_t axis = leading; axis < a.rank(); ++axis) first.push_back(a.extent(axis));
    return first;
}
/// Has at least two axes (RankMismatch).
TENFERRO_API void check_matrix(std::size_t rank, std::string_view op);
/// And they are square, as far as their extents are known (ShapeMismatch).
TENFERRO_API void check_square(const SymShape& shape, std::string_view op);
/// Both have, and as many (RankMismatch).
TENFERRO_API void check_matrices(std::size_t lhs_rank, std::size_t rhs_rank, std::string_view op);
}  // namespace tfe_detail

// Matrices and their products.

using tenferro::adjoint;
using tenferro::matrix_transpose;
/// A B [M, K] of A [M, N] and B [N, K], matrix by matrix.
template <TensorHandle H>
[[nodiscard]] H product(const H& a, const H& b) {
    tfe_detail::check_matrices(a.rank(), b.rank(), "product");
    return dot_general(a, b,
                       {{1}, {0}, tfe_detail::axes_from(2, a.rank()), tfe_detail::axes_from(2, b.rank())});
}
/// The identity matrices [N, N] beside square matrices `like`.
template <TensorHandle H>
[[nodiscard]] H identity_like(const H& like) {
    tfe_detail::check_matrix(like.rank(), "identity_like");
    return embed_diagonal(full_like(extract_diagonal(like, 0, 1), 1), 0, 1);
}
/// The sum of the diagonal of A [M, N], []. Extents of which one is not known are taken for equal.
template <TensorHandle H>
[[nodiscard]] H trace(const H& a) {
    tfe_detail::check_matrix(a.rank(), "trace");
    const auto m = a.extent(0).constant(), n = a.extent(1).constant();
    if (m && n && *m != *n) {
        SymShape square = shape_of(a);
        square[0] = square[1] = std::min(*m, *n);
        return trace(slice(a, SymShape(a.rank(), 0), std::move(square), Dims(a.rank(), 1)));
    }
    return reduce_sum(extract_diagonal(a, 0, 1), Dims{0});
}
/// A [M, N], B [P, Q] -> the blocks a_ij B, [M P, N Q].
template <TensorHandle H>
[[nodiscard]] H kron(const H& a, const H& b) {
    tfe_detail::check_matrices(a.rank(), b.rank(), "kron");
    const SymShape shape =
        tfe_detail::with_batch_of(a, 2, {b.extent(0), a.extent(0), b.extent(1), a.extent(1)});
    Dims a_axes{1, 3}, b_axes{0, 2};
    for (std::size_t axis = 2; axis < a.rank(); ++axis) a_axes.push_back(static_cast<Index>(axis + 2));
    for (std::size_t axis = 2; axis < b.rank(); ++axis) b_axes.push_back(static_cast<Index>(axis + 2));
    return reshape(
        mul(broadcast_in_dim(a, shape, std::move(a_axes)), broadcast_in_dim(b, shape, std::move(b_axes))),
        tfe_detail::with_batch_of(a, 2, {a.extent(0) * b.extent(0), a.extent(1) * b.extent(1)}));
}

// Factorisations.

/// L [N, N] with A = L Lᴴ, of which the lower triangle is read, or with options.upper R = Lᴴ, A = Rᴴ R, of
/// which the upper one is. NotPositiveDefinite. Derivatives take A for Hermitian: its cotangent is.
template <TensorHandle H>
[[nodiscard]] H cholesky(const H& a, const CholeskyOptions& options = {}) {
    if (options.upper) return adjoint(cholesky(adjoint(a)));
    return tfe_detail::apply(operations::cholesky(), {a}).front();
}
/// P, L, U and parity with P A = L U, of any matrix, by exchanging rows. Derivatives need the first K rows
/// and columns of P A to be invertible; P and parity are constants.
template <TensorHandle H>
[[nodiscard]] LuResult<H> lu(const H& a) {
    const std::vector<H> y = tfe_detail::apply(operations::lu(), {a});
    return {y[0], y[1], y[2], y[3]};
}
/// The same packed, as solve, det and slogdet use it. Its derivative is 0: those are derived by A.
template <TensorHandle H>
[[nodiscard]] LuFactorsResult<H> lu_factor(const H& a) {
    const std::vector<H> y = tfe_detail::apply(operations::lu_factor(), {a});
    return {y[0], y[1], y[2]};
}
/// P, L, U, Q and parity with P A Q = L U, of any matrix, by exchanging rows and columns. Derivatives as
/// those of lu.
template <TensorHandle H>
[[nodiscard]] FullPivLuResult<H> full_piv_lu(const H& a) {
    const std::vector<H> y = tfe_detail::apply(operations::full_piv_lu(), {a});
    return {y[0], y[1], y[2], y[3], y[4]};
}
/// Q and R with A = Q R, of any matrix: [M, K] and [K, N], or [M, M] and [M, N] with options.full.
/// Derivatives need the first K columns to be independent, and take the columns of a full Q behind
/// those of R for what follows from them, which no loss depends on but through their space.
template <TensorHandle H>
[[nodiscard]] QrResult<H> qr(const H& a, const QrOptions& options = {}) {
    const std::vector<H> y = tfe_detail::apply(operations::qr(options), {a});
    return {y[0], y[1]};
}
/// Q [M, K], R [K, N], columns and rank: A[:, columns] = Q R, of any matrix. It has no derivative.
template <TensorHandle H>
[[nodiscard]] PivotedQrResult<H> pivoted_qr(const H& a, const PivotedQrOptions& options = {}) {
    const std::vector<H> y = tfe_detail::apply(operations::pivoted_qr(options), {a});
    return {y[0], y[1], y[2], y[3]};
}
/// U, S and Vh with A = U diag(S) Vh, of any matrix. NoConvergence.
///
/// Derivatives are defined for losses that do not depend on the choice of vectors: their signs and phases (or
/// with fix_gauge), any rotation where values are repeated, of U and of Vh apart where they are 0. In reverse
/// mode they are right there too, U diag(f(S)) Vh included, also across small gaps. In forward mode, and
/// where cotangents are given as numbers instead of being computed from S, tangents of U and Vh within a
/// cluster or a null space are 0: functions of S, U Vh at full rank and projectors onto whole clusters are
/// right, and what a reconstruction has within a cluster is lost, since it is no function of the tangents of
/// U, S and Vh; spectral.hpp has such functions with derivatives of their own.
template <TensorHandle H>
[[nodiscard]] SvdResult<H> svd(const H& a, const SvdOptions& options = {}) {
    const std::vector<H> y = tfe_detail::apply(operations::svd(options), {a});
    return {y[0], y[1], y[2]};
}
/// S [K] alone; U and Vh are not computed.
template <TensorHandle H>
[[nodiscard]] H svdvals(const H& a, const SvdOptions& options = {}) {
    if (tfe_detail::is_unrecorded(a)) return tfe_detail::apply(operations::svdvals(), {a}).front();
    return svd(a, options).s;
}
/// Eigenvalues and vectors of Hermitian matrices, of which one triangle is read. NoConvergence. Derivatives
/// take A for Hermitian, and are as those of svd where eigenvalues are repeated.
template <TensorHandle H>
[[nodiscard]] EigenResult<H> eigh(const H& a, const EighOptions& options = {}) {
    const std::vector<H> y = tfe_detail::apply(operations::eigh(options), {a});
    return {y[0], y[1]};
}
/// Their eigenvalues [N] alone; vectors are not computed.
template <TensorHandle H>
[[nodiscard]] H eigvalsh(const H& a, const EighOptions& options = {}) {
    if (tfe_detail::is_unrecorded(a)) return tfe_detail::apply(operations::eigvalsh(options), {a}).front();
    return eigh(a, options).values;
}
/// Eigenvalues and vectors of square matrices, complex whatever the dtype of A. NoConvergence. Derivatives
/// are for distinct eigenvalues and losses that do not depend on the phases of the vectors; the cotangent of
/// a real A is real.
template <TensorHandle H>
[[nodiscard]] EigenResult<H> eig(const H& a, const EigOptions& options = {}) {
    const std::vector<H> y = tfe_detail::apply(operations::eig(options), {a});
    return {y[0], y[1]};
}
/// The eigenvalues [N] alone; vectors are not computed.
template <TensorHandle H>
[[nodiscard]] H eigvals(const H& a) {
    if (tfe_detail::is_unrecorded(a)) return tfe_detail::apply(operations::eigvals(), {a}).front();
    return eig(a).values;
}

// Truncated SVD.

/// U [M, rank], S [rank] and Vh [rank, N] of the largest singular values; derivatives include what the others
/// contribute. A rank outside of [0, K] is InvalidArgument in the name of slice.
template <TensorHandle H>
[[nodiscard]] SvdResult<H> truncated_svd(const H& a, const SymDim& rank, const SvdOptions& options = {}) {
    const SvdResult<H> whole = svd(a, options);
    const auto first = [&](const H& x, std::size_t axis) {
        SymShape starts(x.rank(), 0), limits = shape_of(x);
        limits[axis] = rank;
        return slice(x, std::move(starts), std::move(limits), Dims(x.rank(), 1));
    };
    return {first(whole.u, 1), first(whole.s, 0), first(whole.vh, 0)};
}
/// How many of the singular values S [K, batch…], which descend, a truncation keeps: from 1, or 0 if K is, to
/// K. InvalidArgument for a negative max_rank or a cutoff that is NaN.
[[nodiscard]] TENFERRO_API Index kept_rank(const TensorRead& s, const Truncation& truncation);

// Equations.

/// X like B, with op(A) X = B for B [N, K] or, on the right, X op(A) = B for B [K, N]; of A the triangle is
/// read that the options say. Singular.
template <TensorHandle H>
[[nodiscard]] H triangular_solve(const H& a, const H& b, const TriangularOptions& options = {}) {
    return tfe_detail::apply(operations::triangular_solve(options), {a, b}).front();
}
/// X like B, with A X = B, by lu: B is [N, K], or [N] if it has one axis less than A. Singular.
template <TensorHandle H>
[[nodiscard]] H solve(const H& a, const H& b) {
    tfe_detail::check_matrix(a.rank(), "solve");
    if (b.rank() + 1 == a.rank()) {
        const SymShape column = tfe_detail::with_batch_of(b, 1, {b.extent(0), 1});
        return reshape(solve(a, reshape(b, column)), shape_of(b));
    }
    const LuFactorsResult<H> factors = lu_factor(a);
    return tfe_detail::apply(operations::lu_solve(true, false, false),
                             {a, factors.lu, factors.rows, factors.exponent, b})
        .front();
}
/// X [N, K] with A X = B for B [N, K], by full_piv_lu. Singular also for pivots that are nothing beside the
/// first.
template <TensorHandle H>
[[nodiscard]] H full_piv_lu_solve(const H& a, const H& b) {
    const FullPivLuResult<H> f = full_piv_lu(a);
    return tfe_detail::apply(operations::full_piv_lu_solve(false, false), {a, f.p, f.l, f.u, f.q, b}).front();
}
/// The inverse [N, N]. Singular.
template <TensorHandle H>
[[nodiscard]] H inv(const H& a) {
    return tfe_detail::apply(operations::inv(), {a}).front();
}
/// The pseudoinverse [N, M], of any matrix; InvalidArgument for an rtol that is NaN. Derivatives hold while
/// the rank stays the same.
template <TensorHandle H>
[[nodiscard]] H pinv(const H& a, const RankOptions& options = {}) {
    return tfe_detail::apply(operations::pinv(options), {a}).front();
}
/// X [N, L] of least norm among those of least |A X - B| for B [M, L], with the rank that was kept and the
/// singular values of A; errors as those of pinv and svd. Derivatives hold while the rank stays the same.
template <TensorHandle H>
[[nodiscard]] LstsqResult<H> lstsq(const H& a, const H& b, const RankOptions& options = {}) {
    const std::vector<H> y = tfe_detail::apply(operations::lstsq(options), {a, b});
    return {y[0], y[1], y[2]};
}

// Numbers and functions of matrices.

/// The determinant [], 1 for an empty matrix. The first two derivatives are there at singular matrices too.
template <TensorHandle H>
[[nodiscard]] H det(const H& a) {
    const LuFactorsResult<H> factors = lu_factor(a);
    return tfe_detail::apply(operations::det(), {a, factors.lu, factors.rows, factors.exponent}).front();
}
/// The determinant as a sign and the logarithm of its modulus, -inf for a singular matrix. Derivatives need
/// an invertible one (Singular).
template <TensorHandle H>
[[nodiscard]] SlogdetResult<H> slogdet(const H& a) {
    const LuFactorsResult<H> factors = lu_factor(a);
    const std::vector<H> y =
        tfe_detail::apply(operations::slogdet(), {a, factors.lu, factors.rows, factors.exponent});
    return {y[0], y[1]};
}
/// The exponential [N, N] of square matrices.
template <TensorHandle H>
[[nodiscard]] H matrix_exp(const H& a) {
    return tfe_detail::apply(operations::matrix_exp(), {a}).front();
}
/// A [N, N] to an integer power, by squaring; that of the inverse for a negative one (Singular).
template <TensorHandle H>
[[nodiscard]] H matrix_power(const H& a, Index power) {
    tfe_detail::check_square(shape_of(a), "matrix_power");
    if (power == 0) return identity_like(a);
    H square = power < 0 ? inv(a) : a;
    std::optional<H> result;
    for (auto left = power < 0 ? -static_cast<std::uint64_t>(power) : static_cast<std::uint64_t>(power);;) {
        if (left % 2 == 1) result = result ? product(*result, square) : square;
        left /= 2;
        if (left == 0) return *result;
        square = product(square, square);
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg

#include "tenferro/linalg/norms.hpp"  // whoever has the functions has the norms
