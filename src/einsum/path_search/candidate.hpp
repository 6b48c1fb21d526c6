// Candidate: a complete order and what it is judged by.
#pragma once

#include "einsum/path_search/measure.hpp"
#include "einsum/path_search/problem.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace einsum {

struct Candidate {
    Merges merges;
    double cost = 0;     ///< sum of the measure
    double seconds = 0;  ///< predicted
    double room = 0;     ///< elements alive at once

    /// Whether this order is to be preferred: by room for Volume; by cost for the others, and by room where
    /// the costs differ by less than a thousandth.
    [[nodiscard]] bool better_than(const Candidate& other, const Measure& measure) const;
};

[[nodiscard]] Candidate judge(const Problem& problem, Merges merges, const Measure& measure);

}}}  // namespace tenferro::TENFERRO_ABI::einsum
