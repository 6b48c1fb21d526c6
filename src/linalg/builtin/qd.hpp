// What dqds works on: the squares of the diagonal of an upper bidiagonal matrix and of what is above it, and
// its step, on the best instruction set of the processor.
#pragma once

#include <algorithm>

#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// q [n] and e [n]. The matrix has a row more than those of e count where e[n - 1], which belongs to a column
/// behind the last, is not 0.
struct QdArrays {
    double *q, *e;

    [[nodiscard]] QdArrays from(Index first) const noexcept { return {q + first, e + first}; }
};

/// The least of the pivots d but for the last two, these, and the least of the new e but for the last. While
/// pivots are not negative they are upper bounds of the least eigenvalue of what the step made.
struct QdStep {
    double least, before_last, last, least_e;

    [[nodiscard]] bool is_positive() const noexcept { return least >= 0 && before_last >= 0 && last >= 0; }
    [[nodiscard]] double upper_bound() const noexcept { return std::min({least, before_last, last}); }
};

/// From B, n >= 2, to the bidiagonal matrix C with Cᵀ C = B Bᵀ - shift; `room` has 3 n numbers. It is of no
/// use where a pivot is negative or NaN, which is_positive() says.
using QdTransform = QdStep (*)(Index n, const QdArrays& from, double shift, const QdArrays& to, double* room);
[[nodiscard]] QdTransform qd_transform();

}}}  // namespace tenferro::TENFERRO_ABI::linalg
