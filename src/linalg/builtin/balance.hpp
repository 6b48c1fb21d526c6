// Balancing before the eigenvalues of a general matrix are computed: a permutation that shows those that
// stand alone, and a scaling by powers of two that makes rows and columns of one length (James, Langou and
// Lowery, arXiv:1401.5766).
#pragma once

#include "linalg/builtin/products.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// The balanced matrix is D⁻¹ Pᵀ A P D, and upper triangular but for rows and columns [first, last).
template <class T>
struct Balance {
    Index first, last;
    const Index* order;      ///< row order[i] of A is row i of Pᵀ A
    const RealOf<T>* scale;  ///< the diagonal of D, of powers of two up to the eighth root of the largest
    RealOf<T> size;  ///< the largest magnitude in those rows and columns, and before scaling elsewhere
};

/// A becomes the balanced matrix. The arrays are of `scratch`.
template <class T>
[[nodiscard]] Balance<T> balance(const Matrix<T>& a, Scratch& scratch);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
