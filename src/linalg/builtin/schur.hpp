// The Schur form A = Z T Zᴴ of a Hessenberg matrix, and the eigenvectors of T. T is upper triangular for
// complex elements; for real ones it has blocks of two rows on its diagonal, with equal diagonal elements and
// others of different signs, for each pair of conjugate eigenvalues, of which the first has the positive
// imaginary part.
#pragma once

#include "linalg/builtin/products.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// T over H [n, n], which is upper triangular but for rows and columns [first, last), and whose elements are
/// about `size` at most; the columns of z, unless it has none, are turned, and else only the eigenvalues are
/// made: T is not. w becomes the eigenvalues. False where it does not converge.
template <class T>
[[nodiscard]] bool make_schur(const Matrix<T>& h, Index first, Index last, RealOf<T> size, const Matrix<T>& z,
                              ComplexOf<T>* w, Scratch& scratch);

/// x [n, n] becomes upper triangular with the eigenvectors of T, of moderate size; of a pair of conjugate
/// ones columns are the real and the imaginary part of the first. Gaps of less than the rounding of `size`
/// count as that.
template <class T>
void schur_vectors(const Matrix<T>& t, RealOf<T> size, const ComplexOf<T>* w, const Matrix<T>& x,
                   Scratch& scratch);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
