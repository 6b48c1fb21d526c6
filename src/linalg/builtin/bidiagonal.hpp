// Matrices as A = Q B Pᴴ with B real and upper bidiagonal, and the singular values of B.
#pragma once

#include "linalg/builtin/reflectors.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// The diagonal of B [n] and what is above it [n - 1], for A [m, n] with m >= n, which is lost. Q has n
/// reflections, P n - 1 with offset 1, in panels of one width; `applied` says whether they get their factors.
template <class T>
void make_bidiagonal(const Matrix<T>& a, RealOf<T>* diagonal, RealOf<T>* above, const ReflectorPanels<T>& q,
                     const ReflectorPanels<T>& p, bool applied, Scratch& scratch);

/// Singular values of B over its diagonal, in ascending order, by implicit QR; columns of u and v are turned.
/// With `extra`, 0 or 1, B has n + extra columns, and the last of v, [n + extra, n + extra], becomes the one
/// without a singular value. `above` is lost. False where it does not converge.
template <class R>
[[nodiscard]] bool iterate_bidiagonal(Index n, Index extra, R* diagonal, R* above, const Matrix<R>& u,
                                      const Matrix<R>& v);

/// The same values alone, to high relative accuracy, by dqds; `above` has n - 1.
template <class R>
[[nodiscard]] bool bidiagonal_values(Index n, R* diagonal, const R* above, Scratch& scratch);

/// The same by divide and conquer, with u [n, n] and v the singular vectors.
template <class R>
[[nodiscard]] bool divide_bidiagonal(Index n, Index extra, R* diagonal, R* above, const Matrix<R>& u,
                                     const Matrix<R>& v, Scratch& scratch);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
