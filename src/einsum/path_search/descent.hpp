// Descent: one way down from a tree to a better one: annealing, then reconfiguration.
#pragma once

#include "einsum/path_search/anneal.hpp"
#include "einsum/path_search/budget.hpp"
#include "einsum/path_search/random.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// How long and how hot the annealing is.
struct Heat {
    std::size_t sweeps = 60;
    double hottest = 0.3;
    bool subtrees = true;  ///< whether they are reconfigured then, as they are where nothing is annealed
};

/// Its random numbers and the estimate of its work are its own, so that several may run at once.
class Descent {
public:
    /// `measure` is not Room.
    Descent(const Problem& problem, const Measure& measure, const Budget& budget, std::uint64_t seed)
        : problem_(problem), measure_(measure), budget_(budget), random_(seed) {}

    [[nodiscard]] Merges run(Merges merges, const Heat& heat);
    /// Estimated seconds of work so far, the same on every machine.
    [[nodiscard]] double work() const { return work_; }

    /// Whether the network is small enough for annealing to pay.
    [[nodiscard]] static bool anneals(const Problem& problem);

private:
    [[nodiscard]] Merges anneal(TreeAnnealer& annealer, Merges merges, const Heat& heat);
    [[nodiscard]] Merges reconfigure(const Merges& merges);

    const Problem& problem_;
    Measure measure_;
    const Budget& budget_;
    Random random_;
    double labels_ = 0;  // of a node of the tree that was annealed, on average
    double work_ = 0;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
