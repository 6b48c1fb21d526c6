// Products with their winners in one go: the engine notes for each element a few terms of which the winner is
// one, and only these are looked at.
#pragma once

#include "executor.hpp"

namespace tropical {

/// Whether it may pay: long sums, and many of them.
[[nodiscard]] bool prefers_two_levels(Index rows, Index columns, Index depth) noexcept;

/// result[m, n, b] = sum over k of lhs[k, m, b] times rhs[k, n, b], and first[m, n, b] the first k whose term
/// is equal to it, 0 where it is the zero. All compact. False, having done nothing, where it does not pay.
[[nodiscard]] bool multiply_two_levels(Executor& executor, const TensorRead& lhs, const TensorRead& rhs,
                                       const TensorWrite& result, const TensorWrite& first);

}  // namespace tropical
