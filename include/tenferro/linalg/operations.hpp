// The operations of linear algebra as values that graphs carry. Each is an extension of the family
// tenferro-linalg.<name>.v1, registered when the first of them is made; operands and outputs are as
// results.hpp says. functions.hpp applies them.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "tenferro/linalg/options.hpp"
#include "tenferro/ops/extension_op.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// Registers all families, which making an operation and reading a graph do by themselves. Does nothing where
/// they are registered.
TENFERRO_API void register_operations();
/// Their names, tenferro-linalg.<name>.v1.
[[nodiscard]] TENFERRO_API std::span<const std::string_view> families() noexcept;

namespace operations {
using Operation = std::shared_ptr<const ExtensionOp>;

/// A -> L.
[[nodiscard]] TENFERRO_API Operation cholesky();
/// A, B -> X.
[[nodiscard]] TENFERRO_API Operation triangular_solve(const TriangularOptions& options);
/// A -> P, L, U, parity.
[[nodiscard]] TENFERRO_API Operation lu();
/// A -> LuFactorsResult. Derivatives take them for constants: what uses them has A as an operand too, and its
/// derivative is with respect to that.
[[nodiscard]] TENFERRO_API Operation lu_factor();
/// A, its three factors, B -> X.
[[nodiscard]] TENFERRO_API Operation lu_solve(bool left, bool transpose, bool conjugate);
/// A, its three factors -> det.
[[nodiscard]] TENFERRO_API Operation det();
/// A, its three factors -> sign, logabsdet.
[[nodiscard]] TENFERRO_API Operation slogdet();
/// A -> its inverse.
[[nodiscard]] TENFERRO_API Operation inv();
/// A -> P, L, U, Q, parity.
[[nodiscard]] TENFERRO_API Operation full_piv_lu();
/// A, its P, L, U and Q, B -> X with op(A) X = B; the factors as those of lu_solve.
[[nodiscard]] TENFERRO_API Operation full_piv_lu_solve(bool transpose, bool conjugate);
/// A -> Q, R.
[[nodiscard]] TENFERRO_API Operation qr(const QrOptions& options);
/// A -> Q, R, columns, rank. Without derivative.
[[nodiscard]] TENFERRO_API Operation pivoted_qr(const PivotedQrOptions& options);
/// A -> U, S, Vh.
[[nodiscard]] TENFERRO_API Operation svd(const SvdOptions& options);
/// A -> S.
[[nodiscard]] TENFERRO_API Operation svdvals();
/// A -> its pseudoinverse.
[[nodiscard]] TENFERRO_API Operation pinv(const RankOptions& options);
/// A, B -> X, rank, S.
[[nodiscard]] TENFERRO_API Operation lstsq(const RankOptions& options);
/// A -> w, V.
[[nodiscard]] TENFERRO_API Operation eigh(const EighOptions& options);
/// A -> w.
[[nodiscard]] TENFERRO_API Operation eigvalsh(const EighOptions& options);
/// A -> w, V.
[[nodiscard]] TENFERRO_API Operation eig(const EigOptions& options);
/// A -> w.
[[nodiscard]] TENFERRO_API Operation eigvals();
/// A, U, s, Vh, f -> U diag(f) Vh, which is a function of A alone: f was computed from its singular values s
/// or, if it is Hermitian, its eigenvalues. spectral.hpp applies it.
[[nodiscard]] TENFERRO_API Operation spectral_function(bool hermitian, double derivative_eps);
/// A -> exp(A).
[[nodiscard]] TENFERRO_API Operation matrix_exp();
}  // namespace operations

}}}  // namespace tenferro::TENFERRO_ABI::linalg
