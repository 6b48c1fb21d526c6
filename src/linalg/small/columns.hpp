// Decompositions of one small real matrix, a column in each lane of a vector (columns.cpp): all rotations of
// disjoint pairs of columns are one. On the best instruction set of the processor.
#pragma once

#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// For R float or double. Matrices are column-major; nothing is written where false is returned: where it
/// does not converge, or the matrix is none that these serve.
template <class R>
struct ColumnKernels {
    /// The most columns, and rows of svd.
    Index most, most_rows;
    /// Of symmetric a [n, n], of which the lower triangle is read, the eigenvalues in ascending order and the
    /// vectors [n, n] unless null. a and v may be the same.
    bool (*eigh)(Index n, const R* a, R* w, R* v);
    /// Of a [m, n] of full rank, m >= n, the singular values in descending order and, unless null, u [m, n],
    /// whose columns are u_step apart, and v [n, n].
    bool (*svd)(Index m, Index n, const R* a, R* u, Index u_step, R* s, R* v);
};

template <class R>
[[nodiscard]] ColumnKernels<R> column_kernels();

}}}  // namespace tenferro::TENFERRO_ABI::linalg
