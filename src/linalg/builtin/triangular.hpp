// Triangular systems inside other algorithms.
#pragma once

#include "linalg/builtin/products.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// X over B with X M = B, or M X = B, for triangular M.
template <class T>
void solve_right(bool lower, bool unit, const Operand<T>& m, const Matrix<T>& b, Scratch& scratch);
template <class T>
void solve_left(bool lower, bool unit, const Operand<T>& m, const Matrix<T>& b, Scratch& scratch);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
