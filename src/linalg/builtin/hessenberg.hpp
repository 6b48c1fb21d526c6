// General matrices as A = Q H Qᴴ with H upper Hessenberg.
#pragma once

#include "linalg/builtin/reflectors.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// Reflections after which the reduction brings its matrix up to date.
inline constexpr Index kHessenbergPanel = 32;

/// H over A [n, n], which is upper triangular but for rows and columns [first, last): those of Q are the
/// identity elsewhere. `q` is made for last - first rows, with one reflection less, and offset 1.
template <class T>
void make_hessenberg(const Matrix<T>& a, Index first, Index last, const ReflectorPanels<T>& q,
                     Scratch& scratch);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
