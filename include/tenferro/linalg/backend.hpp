// LinalgBackend: the operations of linear algebra on tensors in the memory of a backend, whose kind decides
// how they are computed: `reference` by plain algorithms, `cpu` by our kernels or, for kind blas, by LAPACK.
// Matrices are in axes 0 and 1, the axes behind them are a batch; A is [M, N] or, where it has to be square,
// [N, N], and the shapes of what comes are in results.hpp. Operations without a suffix consume their
// operands; those with `_read` take views of any strides. All of A is read, unless its triangle is named.
//
// Operands are of F32, F64, C32 or C64 (DTypeMismatch), of one dtype, with equal batch extents
// (ShapeMismatch, RankMismatch), and finite (NonFinite): the error names the matrix of the batch. Entries of
// any magnitude work, since matrices out of a safe range are scaled by a power of two. Results do not depend
// on the number of threads.
#pragma once

#include "tenferro/linalg/options.hpp"
#include "tenferro/linalg/results.hpp"
#include "tenferro/tensor/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

class MatrixKernelSet;

class TENFERRO_API LinalgBackend {
public:
    /// That of `backend`, which must outlive it. Throws Unsupported where it has no linear algebra.
    explicit LinalgBackend(TensorBackend& backend);
    /// That of the current backend of this thread, else of the default engine's.
    [[nodiscard]] static LinalgBackend current();

    /// L [N, N] with A = L Lᴴ, of which only the lower triangle is read. NotPositiveDefinite names the first
    /// leading minor that is not, and the pivot that is not positive.
    [[nodiscard]] Tensor cholesky(Tensor a) const { return cholesky_read(a); }
    [[nodiscard]] Tensor cholesky_read(const TensorRead& a) const;
    /// X, of the shape of B, with op(A) X = B for A [N, N] and B [N, K], or X op(A) = B for B [K, N]. Of A
    /// only the triangle is read that the options say. Singular names the first diagonal element that is 0.
    [[nodiscard]] Tensor triangular_solve(Tensor a, Tensor b, const TriangularOptions& options = {}) const {
        return triangular_solve_read(a, b, options);
    }
    [[nodiscard]] Tensor triangular_solve_read(const TensorRead& a, const TensorRead& b,
                                               const TriangularOptions& options = {}) const;
    /// Of any matrix, by exchanging rows: a singular one too has these factors.
    [[nodiscard]] LuTensors lu(Tensor a) const { return lu_read(a); }
    [[nodiscard]] LuTensors lu_read(const TensorRead& a) const;
    /// The same packed, for lu_solve, det_read and slogdet_read.
    [[nodiscard]] LuFactors lu_factors(Tensor a) const { return lu_factors_read(a); }
    [[nodiscard]] LuFactors lu_factors_read(const TensorRead& a) const;
    /// X with op(A) X = B from A's LuFactors, or X op(A) = B, shapes and op as for triangular_solve, of whose
    /// options left, transpose and conjugate are read. In the name of solve: Singular where a diagonal
    /// element of U is 0; ShapeMismatch, DTypeMismatch and InvalidArgument for factors that are not A's.
    [[nodiscard]] Tensor lu_solve(LuFactors a, Tensor b, const TriangularOptions& options = {}) const {
        return lu_solve_read(a.lu, a.rows, a.exponent, b, options);
    }
    [[nodiscard]] Tensor lu_solve_read(const TensorRead& lu, const TensorRead& rows,
                                       const TensorRead& exponent, const TensorRead& b,
                                       const TriangularOptions& options = {}) const;
    /// The determinant [] of A from its LuFactors: 1 for an empty matrix. Factors are checked as by lu_solve.
    [[nodiscard]] Tensor det_read(const TensorRead& lu, const TensorRead& rows,
                                  const TensorRead& exponent) const;
    /// The same as a sign [], of modulus 1 or 0, and the logarithm of the modulus [], -inf for a singular
    /// matrix.
    [[nodiscard]] SlogdetTensors slogdet_read(const TensorRead& lu, const TensorRead& rows,
                                              const TensorRead& exponent) const;
    /// Of any matrix, by exchanging rows and columns.
    [[nodiscard]] FullPivLuTensors full_piv_lu(Tensor a) const { return full_piv_lu_read(a); }
    [[nodiscard]] FullPivLuTensors full_piv_lu_read(const TensorRead& a) const;
    /// X [N, K] with A X = B for B [N, K], by full_piv_lu. Singular where the last pivot is at most N times
    /// the machine precision times the first.
    [[nodiscard]] Tensor full_piv_lu_solve(Tensor a, Tensor b) const { return full_piv_lu_solve_read(a, b); }
    [[nodiscard]] Tensor full_piv_lu_solve_read(const TensorRead& a, const TensorRead& b) const;
    /// X [N, K] with A X = B for B [N, K], by factors that are not kept. Singular as in lu_solve.
    [[nodiscard]] Tensor solve(Tensor a, Tensor b) const { return solve_read(a, b); }
    [[nodiscard]] Tensor solve_read(const TensorRead& a, const TensorRead& b) const;
    /// The inverse [N, N] of A. Singular as in lu_solve.
    [[nodiscard]] Tensor inv(Tensor a) const { return inv_read(a); }
    [[nodiscard]] Tensor inv_read(const TensorRead& a) const;
    /// Of any matrix; the options decide about the shapes.
    [[nodiscard]] QrTensors qr(Tensor a, const QrOptions& options = {}) const { return qr_read(a, options); }
    [[nodiscard]] QrTensors qr_read(const TensorRead& a, const QrOptions& options = {}) const;
    /// Of any matrix. InvalidArgument for a tolerance that is NaN.
    [[nodiscard]] PivotedQrTensors pivoted_qr(Tensor a, const PivotedQrOptions& options = {}) const {
        return pivoted_qr_read(a, options);
    }
    [[nodiscard]] PivotedQrTensors pivoted_qr_read(const TensorRead& a,
                                                   const PivotedQrOptions& options = {}) const;
    /// Of any matrix; the options decide about the shapes. Throws NoConvergence.
    [[nodiscard]] SvdTensors svd(Tensor a, const SvdOptions& options = {}) const {
        return svd_read(a, options);
    }
    [[nodiscard]] SvdTensors svd_read(const TensorRead& a, const SvdOptions& options = {}) const;
    /// The singular values alone, [min(M, N)]. Throws NoConvergence.
    [[nodiscard]] Tensor svdvals(Tensor a) const { return svdvals_read(a); }
    [[nodiscard]] Tensor svdvals_read(const TensorRead& a) const;
    /// V diag(1/s) Uᴴ [N, M] over the singular values that RankOptions keeps (InvalidArgument for NaN).
    /// Throws NoConvergence.
    [[nodiscard]] Tensor pinv(Tensor a, const RankOptions& options = {}) const {
        return pinv_read(a, options);
    }
    [[nodiscard]] Tensor pinv_read(const TensorRead& a, const RankOptions& options = {}) const;
    /// The X [N, K] of least norm among those of least |A X - B| for B [M, K], with the rank that was kept
    /// and the singular values of A. Errors as those of pinv.
    [[nodiscard]] LstsqTensors lstsq(Tensor a, Tensor b, const RankOptions& options = {}) const {
        return lstsq_read(a, b, options);
    }
    [[nodiscard]] LstsqTensors lstsq_read(const TensorRead& a, const TensorRead& b,
                                          const RankOptions& options = {}) const;
    /// Eigenvalues and vectors of a Hermitian matrix, of which the triangle is read that the options say.
    /// Throws NoConvergence.
    [[nodiscard]] EigenTensors eigh(Tensor a, const EighOptions& options = {}) const {
        return eigh_read(a, options);
    }
    [[nodiscard]] EigenTensors eigh_read(const TensorRead& a, const EighOptions& options = {}) const;
    /// Its eigenvalues alone, [N].
    [[nodiscard]] Tensor eigvalsh(Tensor a, const EighOptions& options = {}) const {
        return eigvalsh_read(a, options);
    }
    [[nodiscard]] Tensor eigvalsh_read(const TensorRead& a, const EighOptions& options = {}) const;
    /// Eigenvalues and vectors of any square matrix, in C32 or C64. Throws NoConvergence.
    [[nodiscard]] EigenTensors eig(Tensor a, const EigOptions& options = {}) const {
        return eig_read(a, options);
    }
    [[nodiscard]] EigenTensors eig_read(const TensorRead& a, const EigOptions& options = {}) const;
    /// Its eigenvalues alone, [N].
    [[nodiscard]] Tensor eigvals(Tensor a) const { return eigvals_read(a); }
    [[nodiscard]] Tensor eigvals_read(const TensorRead& a) const;
    /// How eigenvalues [N] and vectors [N, N] by eig, of norm 1, move as A moves along `direction` [N, N], of
    /// their dtype or real: by distinct eigenvalues, and vectors by nothing along themselves. Across gaps of
    /// a few units of rounding beside the largest value vectors do not move (Giles, An extended collection of
    /// matrix derivative results, 2008). Singular where the vectors depend on each other.
    [[nodiscard]] EigenTensors eig_tangents_read(const TensorRead& values, const TensorRead& vectors,
                                                 const TensorRead& direction) const;
    /// The adjoint of that map: the cotangent [N, N] of A for those of the eigenvalues [N] and vectors [N,
    /// N], of their dtype, with `real` its real part, in the real dtype. Singular likewise.
    [[nodiscard]] Tensor eig_cotangents_read(const TensorRead& values, const TensorRead& vectors,
                                             const TensorRead& of_values, const TensorRead& of_vectors,
                                             bool real) const;
    /// The exponential [N, N] of a square matrix, by scaling and squaring of Padé approximants (Al-Mohy and
    /// Higham, SIAM J. Matrix Anal. Appl. 31, 2009). That of a triangular one is triangular.
    [[nodiscard]] Tensor matrix_exp(Tensor a) const { return matrix_exp_read(a); }
    [[nodiscard]] Tensor matrix_exp_read(const TensorRead& a) const;
    /// Its derivative [N, N] at A along E [N, N]: the first-order change of exp(A + E).
    [[nodiscard]] Tensor matrix_exp_derivative_read(const TensorRead& a, const TensorRead& e) const;

private:
    TensorBackend* backend_;
    const MatrixKernelSet* kernels_;
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
