// What may be chosen of the operations of linear algebra.
#pragma once

#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// Gaps of singular values or eigenvalues, and singular values, count as 0 in derivatives where they are at
/// most derivative_eps, but no less than 8 and 3 sqrt(N) units of rounding, times the largest of the
/// spectrum's N numbers. It does not change values. Operations of graphs refuse one that is negative or NaN
/// (InvalidArgument).
inline constexpr double kDerivativeEps = 1e-12;

/// op(A) X = B or, on the right, X op(A) = B; op transposes, conjugates, or both. Of A only the triangle is
/// read, and with a unit diagonal not the diagonal.
struct TriangularOptions {
    bool left = true;
    bool lower = true;
    bool transpose = false;
    bool conjugate = false;
    bool unit_diagonal = false;
};

struct CholeskyOptions {
    /// Reads the upper triangle and gives the upper factor R with A = Rᴴ R.
    bool upper = false;
};

struct QrOptions {
    /// Q is [M, M] and R [M, N], else [M, K] and [K, N] with K = min(M, N).
    bool full = false;
    /// Makes the diagonal of R real and not negative; else its signs are the algorithm's.
    bool positive = false;
};

struct PivotedQrOptions {
    /// The rank counts the diagonal elements of R larger than this times the first; negative:
    /// max(M, N) times the machine precision. NaN is InvalidArgument.
    double tolerance = -1;
};

struct SvdOptions {
    /// U is [M, M] and Vh [N, N], else [M, K] and [K, N] with K = min(M, N).
    bool full = false;
    /// Makes the element of largest modulus of each column of U, the first of them, real and positive; of
    /// the rows of Vh beyond K likewise. Else signs and phases are the algorithm's.
    bool fix_gauge = false;
    double derivative_eps = kDerivativeEps;
};

struct EighOptions {
    /// Reads the lower triangle, else the upper one. The imaginary part of the diagonal is not read.
    bool lower = true;
    /// Makes the element of largest modulus of each vector, the first of them, real and positive.
    bool fix_gauge = false;
    double derivative_eps = kDerivativeEps;
};

struct EigOptions {
    /// As for eigh. Vectors have norm 1 in any case.
    bool fix_gauge = false;
};

/// Singular values that a truncated SVD keeps: the first `max_rank` (0: all), and of them those that are at
/// least `cutoff`, but always one. In a batch every matrix keeps as many as the one that keeps most.
struct Truncation {
    Index max_rank = 0;
    double cutoff = -1;
};

/// How small singular values may be before they count as zero: less than or equal to `rtol` times the
/// largest. Negative: max(M, N) times the machine precision. NaN is InvalidArgument.
struct RankOptions {
    double rtol = -1;
};

/// Norms of matrices in axes 0 and 1. One and Inf are the largest column and row sum of absolute values, Two
/// the largest singular value, Minus… the smallest instead; Nuclear is the sum of singular values.
enum class MatrixNorm { Frobenius, One, MinusOne, Inf, MinusInf, Two, MinusTwo, Nuclear };

}}}  // namespace tenferro::TENFERRO_ABI::linalg
