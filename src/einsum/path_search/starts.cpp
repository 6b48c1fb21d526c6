// Greedy orders are short-sighted where a network is a lattice; narrow cuts are hard to find where it has
// labels of many owners. A start of each kind costs little against the descents that follow.
#include "einsum/path_search/starts.hpp"

#include <algorithm>
#include <cmath>

#include "einsum/path_search/elimination.hpp"
#include "einsum/path_search/greedy.hpp"
#include "einsum/path_search/partition.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// Merges that the greedy attempts of one start may make together.
constexpr std::size_t kAttemptBudget = 10'000;
/// The same for orders along narrow cuts.
constexpr std::size_t kCutBudget = 8'000, kMostCuts = 6;
/// Tensors that are listed in layers. Those of a square of more than this would be too wide in any case.
constexpr std::size_t kMostInLayers = 16'000;
/// Orders of one kind that are begun from.
constexpr std::size_t kKept = 2;
/// Estimated seconds of work per merge, by kind.
constexpr double kGreedyWork = 1.5e-6, kBisectionWork = 9e-6, kLayersWork = 4e-6;

}  // namespace

Starts::Starts(const Problem& problem, const Measure& measure, int attempts)
    : problem_(problem),
      listed_(problem, measure),
      simplified_(listed_),
      attempts_(std::clamp<std::size_t>(kAttemptBudget / problem.tensors.size(), 1,
                                        static_cast<std::size_t>(std::max(attempts, 1)))),
      along_cuts_(std::clamp<std::size_t>(kCutBudget / problem.tensors.size(), 1, kMostCuts)),
      kinds_{Kind::Greedy, Kind::Bisection} {
    absorb_subsets(simplified_);
    if (problem.tensors.size() <= kMostInLayers) kinds_.push_back(Kind::Layers);
    if (std::any_of(problem.uses.begin(), problem.uses.end(), [](int uses) { return uses > 2; }))
        kinds_.push_back(Kind::Elimination);
    kinds_.push_back(Kind::AsListed);
}

/// The cheapest, of equal ones only one. Of at least one order, and of no more than there is time for.
template <class Contract>
std::vector<ContractionState> Starts::cheapest_of(std::size_t orders, const Budget& budget,
                                                  const Contract& contract) const {
    std::vector<ContractionState> best;
    for (std::size_t order = 0; order < orders && (order == 0 || !budget.expired()); ++order) {
        ContractionState state = simplified_;
        if (!contract(state, order == 0)) continue;
        const auto at = std::lower_bound(best.begin(), best.end(), state,
                                         [](const auto& x, const auto& y) { return x.cost() < y.cost(); });
        if (at != best.end() && at->cost() == state.cost()) continue;
        best.insert(at, std::move(state));
        if (best.size() > kKept) best.pop_back();
    }
    return best;
}

std::vector<ContractionState> Starts::make(Kind kind, bool perturbed, Budget& budget, Random& random) const {
    const auto charge = [&](std::size_t orders, double work) {
        budget.charge(static_cast<double>(orders * problem_.tensors.size()) * work);
    };
    switch (kind) {
        case Kind::Greedy:
        case Kind::Elimination:
            charge(attempts_, kGreedyWork);
            return cheapest_of(attempts_, budget, [&](ContractionState& state, bool first) {
                GreedyCost cost;
                if (perturbed || !first) {
                    cost.reward_bits = random.uniform(-4, 2);
                    cost.temperature = std::exp2(random.uniform(-8, 1));
                }
                if (kind == Kind::Elimination)
                    eliminate_labels(state, std::exp2(random.uniform(-6, 1)), random);
                contract_greedily(state, cost, random);
                return true;
            });
        case Kind::Bisection:
            charge(along_cuts_, kBisectionWork);
            return cheapest_of(along_cuts_, budget, [&](ContractionState& state, bool) {
                contract_by_bisection(state, budget, random);
                return true;
            });
        case Kind::Layers:
            charge(along_cuts_, kLayersWork);
            return cheapest_of(along_cuts_, budget, [&](ContractionState& state, bool) {
                return contract_in_layers(state, budget, random);
            });
        case Kind::AsListed: break;
    }
    ContractionState state = listed_;
    const bool done = contract_as_listed(state);
    return done ? std::vector{std::move(state)} : std::vector<ContractionState>();
}

std::vector<Merges> Starts::one_of_each(Budget& budget, Random& random) const {
    std::vector<std::pair<double, Merges>> made;
    for (const Kind kind : kinds_) {
        if (!made.empty() && budget.expired()) break;
        for (const ContractionState& state : make(kind, false, budget, random))
            made.emplace_back(state.cost(), state.merges());
    }
    std::sort(made.begin(), made.end());
    std::vector<Merges> starts;
    for (auto& [cost, merges] : made) starts.push_back(std::move(merges));
    return starts;
}

Merges Starts::another(std::size_t number, Budget& budget, Random& random) const {
    const std::size_t with_luck = kinds_.size() - 1;  // the last kind would only be made again
    const auto made = make(kinds_[number % with_luck], true, budget, random);
    return (made.empty() ? make(Kind::Greedy, true, budget, random) : made).front().merges();
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
