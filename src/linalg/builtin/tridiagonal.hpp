// Hermitian matrices as A = Q T Qᴴ with T real and tridiagonal, and the eigenvalues of T.
#pragma once

#include "linalg/builtin/reflectors.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// Rows up to which QL iteration is faster than divide and conquer.
inline constexpr Index kSmallTridiagonal = 24;

/// The diagonal of T [n] and what is beside it [n - 1]; A, of which the lower triangle is read, is lost. Q
/// has n - 1 reflections, `q` with offset 1.
template <class T>
void make_tridiagonal(const Matrix<T>& a, RealOf<T>* diagonal, RealOf<T>* beside, const ReflectorPanels<T>& q,
                      Scratch& scratch);

/// Of T, in modulus.
template <class R>
[[nodiscard]] R largest_element(Index n, const R* diagonal, const R* beside) noexcept {
    R largest = 0;
    for (Index i = 0; i < n; ++i) largest = std::max(largest, std::abs(diagonal[i]));
    for (Index i = 0; i + 1 < n; ++i) largest = std::max(largest, std::abs(beside[i]));
    return largest;
}

/// Eigenvalues of T over its diagonal, in ascending order, by implicit QL; columns of `vectors` are turned:
/// those of the identity become the eigenvectors. `beside` is lost. False where
/// it does not converge.
template <class R>
[[nodiscard]] bool iterate_tridiagonal(Index n, R* diagonal, R* beside, const Matrix<R>& vectors);

/// Eigenvalues alone, by QL without square roots.
template <class R>
[[nodiscard]] bool tridiagonal_values(Index n, R* diagonal, R* beside);

/// Eigenvalues and vectors by divide and conquer, with `vectors` [n, n] the eigenvectors.
template <class R>
[[nodiscard]] bool divide_tridiagonal(Index n, R* diagonal, R* beside, const Matrix<R>& vectors,
                                      Scratch& scratch);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
