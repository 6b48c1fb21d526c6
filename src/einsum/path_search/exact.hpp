// Optimal contraction order of a few tensors.
#pragma once

#include <limits>

#include "einsum/path_search/problem.hpp"

namespace tenferro::inline TENFERRO_ABI::einsum {

/// Work and memory grow as 3^n and 2^n with the number of tensors.
inline constexpr int kLargestExact = 16;

struct ExactOrder {
    Merges merges;
    double flops = 0;
    double writes = 0;
};

/// The order of fewest flops and, among these, of fewest elements written, outer products included. For 1 to
/// kLargestExact tensors. Orders of more than `bound` flops are not considered; no merges if there is no other.
[[nodiscard]] ExactOrder exact_order(const Problem& problem, double bound = std::numeric_limits<double>::infinity());

}  // namespace tenferro::inline TENFERRO_ABI::einsum
