// What the operations of linear algebra give, for every kind of handle H; as tensors under the names at the
// end. Extents are those of the matrices, in axes 0 and 1, or of vectors, in axis 0; the batch follows them.
#pragma once

#include "tenferro/tensor/tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// P A = L U: P [M, M], L [M, K] with ones on the diagonal, U [K, N], parity [] is the determinant of P, 1 or
/// -1, all in the dtype of A; K = min(M, N).
template <class H>
struct LuResult {
    H p, l, u, parity;
};
/// L and U of 2^exponent A in one matrix [M, N] (the ones are left out), for each row of P A the row of A,
/// I64 [M], and the exponent, I64 [], which is 0 unless A is very large or small.
template <class H>
struct LuFactorsResult {
    H lu, rows, exponent;
};
/// P A Q = L U, with both rows and columns exchanged: the largest element left is the next pivot. Q is [N,
/// N], parity the determinant of P times that of Q.
template <class H>
struct FullPivLuResult {
    H p, l, u, q, parity;
};
/// det A = sign exp(logabsdet); sign [] in the dtype of A, logabsdet [] real.
template <class H>
struct SlogdetResult {
    H sign, logabsdet;
};
/// A = Q R: Q [M, K] with orthonormal columns, R [K, N] upper triangular; K is M for a full one.
template <class H>
struct QrResult {
    H q, r;
};
/// A[:, columns] = Q R, Q [M, K] and R [K, N], with a diagonal of R that does not grow; columns I64 [N], rank
/// I64 [].
template <class H>
struct PivotedQrResult {
    H q, r, columns, rank;
};
/// A = U diag(S) Vh, U [M, K] and Vh [K, N]; S [K] is real and does not grow. Full: U [M, M] and Vh [N, N].
template <class H>
struct SvdResult {
    H u, s, vh;
};
/// X [N, K], the rank I64 [] and the singular values of A [min(M, N)].
template <class H>
struct LstsqResult {
    H x, rank, s;
};
/// A V = V diag(w) with vectors [N, N] of norm 1. Values [N] of eigh are real and do not decrease. Those of
/// eig are complex and in groups by real part: a group begins with the least that is left, and those whose
/// real parts differ from it by at most the square root of the precision times the largest modulus follow,
/// all ordered by imaginary part.
template <class H>
struct EigenResult {
    H values, vectors;
};

using LuTensors = LuResult<Tensor>;
using LuFactors = LuFactorsResult<Tensor>;
using FullPivLuTensors = FullPivLuResult<Tensor>;
using SlogdetTensors = SlogdetResult<Tensor>;
using QrTensors = QrResult<Tensor>;
using PivotedQrTensors = PivotedQrResult<Tensor>;
using SvdTensors = SvdResult<Tensor>;
using LstsqTensors = LstsqResult<Tensor>;
using EigenTensors = EigenResult<Tensor>;

}}}  // namespace tenferro::TENFERRO_ABI::linalg
