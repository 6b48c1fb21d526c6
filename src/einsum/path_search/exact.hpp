// Optimal contraction order of a few tensors.
#pragma once

#include <limits>

#include "einsum/path_search/clock.hpp"
#include "einsum/path_search/measure.hpp"
#include "einsum/path_search/problem.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// Work and memory grow as 3^n and 2^n with the number of tensors.
inline constexpr int kLargestExact = 16;

struct ExactOrder {
    Merges merges;
    double cost = 0;
};

/// The order of least cost, outer products included; of equal costs the one of fewest elements written (for
/// Room: of shortest time). For 1 to kLargestExact tensors. Orders that cost more than `bound` are not
/// considered; no merges if there is no other. The clock, if any, is asked now and then whether the order is
/// still wanted; its deadline does not count.
[[nodiscard]] ExactOrder exact_order(const Problem& problem, const Measure& measure,
                                     double bound = std::numeric_limits<double>::infinity(),
                                     const Clock* clock = nullptr);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
