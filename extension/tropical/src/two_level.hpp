// Products with their winners in one go: the contraction runs in slabs of its depth, of which the one that an
// element comes from is noted; then the term is looked for in that slab only.
#pragma once

#include "executor.hpp"

namespace tropical {

/// Whether it pays: long sums, and many of them.
[[nodiscard]] bool prefers_two_levels(Index rows, Index columns, Index depth) noexcept;

/// result[m, n, b] = sum over k of lhs[k, m, b] times rhs[k, n, b], and first[m, n, b] the first k whose term
/// is equal to it, 0 where it is the zero. All compact; depth is not 0.
void multiply_two_levels(Executor& executor, const TensorRead& lhs, const TensorRead& rhs,
                         const TensorWrite& result, const TensorWrite& first);

}  // namespace tropical
