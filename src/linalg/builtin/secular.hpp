// The secular equation constant + sum of z_j² / (pole_j - x) = 0, by whose roots divide and conquer joins two
// decompositions, and the vectors that belong to them (Gu and Eisenstat, SIAM J. Matrix Anal. Appl. 15, 1994;
// 16, 1995; Li, LAPACK Working Note 89).
#pragma once

#include "linalg/builtin/products.hpp"
#include "linalg/builtin/vectors.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// Root i of each i in [0, n), which is behind pole i, as d is: its square root where poles are squares.
/// Column i of `vectors` becomes z'_j / (pole_j - x_i), of norm norms[i], where z', for which the roots are
/// exact, replaces z.
template <class R>
void solve_secular(const Poles<R>& poles, R* z, R constant, R* roots, R* norms, const Matrix<R>& vectors,
                   Scratch& scratch);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
