// The plain algorithms of the reference backend: one matrix, column-major, in double precision. Instantiated
// for double and std::complex<double>. What they take and give is that of MatrixKernels.
#pragma once

#include <vector>

#include "linalg/scalar.hpp"
#include "tenferro/linalg/options.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg::reference {

template <class W>
Index cholesky(Index n, W* a);
template <class W>
void triangular_solve(const TriangularOptions& options, Index n, Index k, const W* a, W* b);
/// Without `columns` rows alone are exchanged.
template <class W>
int lu(Index m, Index n, W* a, std::int64_t* rows, std::int64_t* columns);
template <class W>
void qr(Index m, Index n, Index k, W* a, W* q, W* r, std::int64_t* columns);
template <class W>
bool svd(Index m, Index n, bool full, const W* a, W* u, double* s, W* vh);
template <class W>
bool eigh(Index n, W* a, double* w);
template <class W>
bool eig(Index n, const W* a, std::complex<double>* w, std::complex<double>* v);

/// Makes columns [from, to) of u [m, to] unit vectors that are orthogonal to those before and each other.
template <class W>
void complete_columns(Index m, Index from, Index to, W* u);

}}}  // namespace tenferro::TENFERRO_ABI::linalg::reference
