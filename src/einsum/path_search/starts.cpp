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
/// The same for bisections.
constexpr std::size_t kBisectionBudget = 2'000, kMostBisections = 6;
/// Orders of one kind that are begun from.
constexpr std::size_t kKept = 2;
/// Estimated seconds of work per merge, of the quick kinds and of bisection.
constexpr double kMergeWork = 1.5e-6, kBisectionWork = 20e-6;

}  // namespace

Starts::Starts(const Problem& problem, const Measure& measure, int attempts)
    : problem_(problem),
      listed_(problem, measure),
      simplified_(listed_),
      attempts_(std::clamp<std::size_t>(kAttemptBudget / problem.tensors.size(), 1,
                                        static_cast<std::size_t>(std::max(attempts, 1)))),
      kinds_{Kind::Greedy, Kind::Bisection} {
    absorb_subsets(simplified_);
    if (std::any_of(problem.uses.begin(), problem.uses.end(), [](int uses) { return uses > 2; }))
        kinds_.push_back(Kind::Elimination);
    kinds_.insert(kinds_.end(), {Kind::Sweep, Kind::AsListed});
}

std::size_t Starts::bisections() const {
    return std::clamp<std::size_t>(kBisectionBudget / problem_.tensors.size(), 1, kMostBisections);
}

/// The cheapest, of equal ones only one. Of at least one order, and of no more than there is time for.
template <class Contract>
std::vector<ContractionState> Starts::cheapest_of(std::size_t orders, const Budget& budget,
                                                  const Contract& contract) const {
    std::vector<ContractionState> best;
    for (std::size_t order = 0; order < orders && (best.empty() || !budget.expired()); ++order) {
        ContractionState state = simplified_;
        contract(state, order == 0);
        const auto at = std::lower_bound(best.begin(), best.end(), state,
                                         [](const auto& x, const auto& y) { return x.cost() < y.cost(); });
        if (at != best.end() && at->cost() == state.cost()) continue;
        best.insert(at, std::move(state));
        if (best.size() > kKept) best.pop_back();
    }
    return best;
}

std::vector<ContractionState> Starts::make(Kind kind, bool perturbed, Budget& budget, Random& random) const {
    const auto tensors = static_cast<double>(problem_.tensors.size());
    const auto orders = static_cast<double>(kind == Kind::Bisection ? bisections() : attempts_);
    switch (kind) {
        case Kind::Greedy:
        case Kind::Elimination:
            budget.charge(orders * tensors * kMergeWork);
            return cheapest_of(attempts_, budget, [&](ContractionState& state, bool first) {
                GreedyCost cost;
                if (perturbed || !first) {
                    cost.reward_bits = random.uniform(-4, 2);
                    cost.temperature = std::exp2(random.uniform(-8, 1));
                }
                if (kind == Kind::Elimination)
                    eliminate_labels(state, std::exp2(random.uniform(-6, 1)), random);
                contract_greedily(state, cost, random);
            });
        case Kind::Bisection:
            budget.charge(orders * tensors * kBisectionWork);
            return cheapest_of(bisections(), budget, [&](ContractionState& state, bool) {
                contract_by_bisection(state, budget, random);
            });
        case Kind::Sweep: budget.charge(tensors * kMergeWork); break;
        case Kind::AsListed: break;
    }
    ContractionState state = kind == Kind::Sweep ? simplified_ : listed_;
    const bool done = kind == Kind::Sweep ? contract_by_sweep(state, random) : contract_as_listed(state);
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
