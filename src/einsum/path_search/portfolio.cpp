// Portfolio: many cheap greedy attempts with different costs and noise, then subtree reconfiguration of the few best.
#include "einsum/path_search/portfolio.hpp"

#include <algorithm>
#include <cmath>

#include "einsum/path_search/elimination.hpp"
#include "einsum/path_search/greedy.hpp"
#include "einsum/path_search/refine.hpp"

namespace tenferro::inline TENFERRO_ABI::einsum {

namespace {

// Budgets keep a search within a fraction of a second up to a thousand tensors and within seconds for ten thousand.
/// Merges that all greedy attempts may make together.
constexpr std::size_t kAttemptBudget = 60'000;
/// Tensors of all trees together that enter refinement.
constexpr std::size_t kRefineBudget = 4'000;
/// Subtrees that each stage of the refinement may search.
constexpr std::size_t kStageBudget = 3'000;
constexpr std::size_t kMostRefined = 8;
/// Tensors in a subtree that is searched at once: the search costs about 10 microseconds.
constexpr std::size_t kFrontier = 8;
/// Passes differ at random, so that one without improvement need not be the last.
constexpr int kIdlePasses = 3;

std::size_t within(std::size_t budget, std::size_t tensors, std::size_t most) {
    return std::clamp<std::size_t>(budget / tensors, 1, most);
}

/// Inserts a finished contraction into an ascending list of the `most` cheapest; of equal ones it keeps one.
void keep_best(std::vector<ContractionState>& best, ContractionState state, std::size_t most) {
    const auto at = std::lower_bound(best.begin(), best.end(), state,
                                     [](const auto& x, const auto& y) { return x.flop_bits() < y.flop_bits(); });
    if (at != best.end() && at->flop_bits() == state.flop_bits()) return;
    best.insert(at, std::move(state));
    if (best.size() > most) best.pop_back();
}

/// Passes over a tree until they have searched `budget` subtrees or no longer help.
void refine(TreeRefiner& tree, std::size_t budget, Random& random) {
    int idle = 0;
    for (std::size_t searched = 0; searched < budget && idle < kIdlePasses;) {
        const double before = tree.flop_bits();
        searched += tree.pass(random) + 1;
        idle = tree.flop_bits() < before - 1e-6 ? 0 : idle + 1;
    }
}

/// Refines every tree a little, then the better half more, until one is left.
Merges refine_best(const std::vector<ContractionState>& best, const Problem& problem, Random& random) {
    std::vector<TreeRefiner> trees;
    for (const ContractionState& state : best) trees.emplace_back(state, problem, kFrontier);
    for (;;) {
        for (TreeRefiner& tree : trees) refine(tree, kStageBudget / trees.size(), random);
        std::stable_sort(trees.begin(), trees.end(), [](const auto& x, const auto& y) { return x.flop_bits() < y.flop_bits(); });
        if (trees.size() == 1) return trees.front().merges();
        trees.erase(trees.begin() + static_cast<std::ptrdiff_t>(trees.size() / 2), trees.end());
    }
}

}  // namespace

Merges search_order(const Problem& problem, const PathOptions& options) {
    const std::size_t tensors = problem.tensors.size();
    Random random(options.seed);
    ContractionState simplified(problem);
    absorb_subsets(simplified);

    const auto attempts = within(kAttemptBudget, tensors, static_cast<std::size_t>(std::max(options.greedy_attempts, 1)));
    const auto refined = within(kRefineBudget, tensors, kMostRefined);
    const bool hyperedges = std::any_of(problem.uses.begin(), problem.uses.end(), [](int uses) { return uses > 2; });
    std::vector<ContractionState> best;
    for (std::size_t attempt = 0; attempt < attempts; ++attempt) {
        GreedyCost cost;
        if (attempt > 0) {
            cost.reward_bits = random.uniform(-4, 2);
            cost.temperature = std::exp2(random.uniform(-8, 1));
        }
        ContractionState state = simplified;
        if (hyperedges && attempt % 2 == 1) eliminate_labels(state, std::exp2(random.uniform(-6, 1)), random);
        contract_greedily(state, cost, random);
        keep_best(best, std::move(state), refined);
    }
    return refine_best(best, problem, random);
}

}  // namespace tenferro::inline TENFERRO_ABI::einsum
