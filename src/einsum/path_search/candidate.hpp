// Candidate: a complete order and all that it can be judged by; Incumbents: the best orders found, one for
// each objective, so that what is found while looking for one serves the others.
#pragma once

#include <array>
#include <limits>

#include "einsum/path_search/measure.hpp"
#include "einsum/path_search/problem.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

struct Candidate {
    Merges merges;
    double seconds = 0;  ///< predicted
    double flops = 0;
    double room = 0;  ///< elements alive at once

    /// What the measure's kind makes small; of Volume it is the room.
    [[nodiscard]] double cost(Measure::Kind kind) const;
};

/// `measure` says how large elements are.
[[nodiscard]] Candidate judge(const Problem& problem, Merges merges, const Measure& measure);

class Incumbents {
public:
    /// Keeps the candidate where it is the best: by cost; of costs within a thousandth of the least by room.
    void consider(const Candidate& candidate);
    void consider(const Incumbents& others);

    [[nodiscard]] const Candidate& best(Measure::Kind kind) const { return of(kind).candidate; }
    [[nodiscard]] bool empty() const { return of(Measure::Kind::Seconds).candidate.merges.empty(); }

private:
    struct Best {
        Candidate candidate;
        double least = std::numeric_limits<double>::infinity();  ///< cost of any candidate so far
    };

    [[nodiscard]] const Best& of(Measure::Kind kind) const { return best_[static_cast<std::size_t>(kind)]; }

    /// For Seconds, Flops and Volume.
    std::array<Best, 3> best_;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
