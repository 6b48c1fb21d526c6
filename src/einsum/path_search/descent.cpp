// Budgets that do not depend on the machine need the work of a descent in seconds: estimates, fitted once.
#include "einsum/path_search/descent.hpp"

#include <algorithm>
#include <cmath>

#include "einsum/path_search/refine.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// Tensors in a subtree that is searched at once.
constexpr std::size_t kFrontier = 8;
/// Passes of reconfiguration differ at random, so that one without improvement need not be the last.
constexpr int kIdlePasses = 2;
/// Subtrees that the reconfiguration of one tree may search.
constexpr std::size_t kMostSubtrees = 600;
/// Annealing of networks whose label sets take more words than this is too slow to pay.
constexpr std::size_t kMostWords = 128;
constexpr double kCold = 0.02;
/// Estimated seconds of each of the two halves of a descent where no clock decides, and sweeps below which
/// annealing does more harm than good.
constexpr double kMostWork = 0.5;
constexpr std::size_t kLeastSweeps = 10;

constexpr double kSubtreeWork = 60e-6, kSubtreeLabelWork = 1e-6, kRotationWork = 140e-9,
                 kRotationWordWork = 4e-9, kRotationLabelWork = 2e-9;

}  // namespace

bool Descent::anneals(const Problem& problem) { return problem.uses.size() / 64 + 1 <= kMostWords; }

Merges Descent::run(Merges merges, const Heat& heat) {
    if (!anneals(problem_)) return reconfigure(merges);
    TreeAnnealer annealer(problem_, measure_);
    merges = anneal(annealer, std::move(merges), heat);
    return heat.subtrees ? reconfigure(merges) : merges;
}

/// The best tree seen while it cools down.
Merges Descent::anneal(TreeAnnealer& annealer, Merges merges, const Heat& heat) {
    const std::size_t rotations = 4 * problem_.tensors.size();
    double sweep_work = static_cast<double>(rotations) *
                        (kRotationWork + kRotationWordWork * static_cast<double>(annealer.words()));
    const auto affordable = [&] {
        return budget_.by_clock() ? heat.sweeps : static_cast<std::size_t>(kMostWork / sweep_work);
    };
    if (affordable() < kLeastSweeps) return merges;
    annealer.start(merges);
    double least = annealer.cost();
    labels_ = annealer.mean_labels();
    sweep_work += static_cast<double>(rotations) * kRotationLabelWork * labels_;
    const std::size_t sweeps = std::clamp(affordable(), kLeastSweeps, heat.sweeps);
    // Volume grows with the fourth power of sizes.
    const double scale = measure_.kind == Measure::Kind::Volume ? 4 : 1;
    for (std::size_t sweep = 0; sweep < sweeps && !budget_.expired(); ++sweep) {
        const double cooled = static_cast<double>(sweep) / static_cast<double>(sweeps - 1);
        annealer.rotate(rotations, scale * heat.hottest * std::pow(kCold / heat.hottest, cooled), random_);
        work_ += sweep_work;
        if (annealer.cost() >= least) continue;
        least = annealer.cost();
        merges = annealer.merges();
    }
    return merges;
}

/// Passes of reconfiguration until they no longer help.
Merges Descent::reconfigure(const Merges& merges) {
    ContractionState state(problem_, measure_);
    for (const auto& [a, b] : merges) state.merge(a, b);
    TreeRefiner tree(state, problem_, measure_, kFrontier);
    const double subtree_work = kSubtreeWork + kSubtreeLabelWork * labels_;
    const auto most = static_cast<std::size_t>(budget_.by_clock() ? 1e18 : kMostWork / subtree_work);
    int idle = 0;
    for (std::size_t searched = 0; searched < kMostSubtrees && idle < kIdlePasses && !budget_.expired();) {
        const double before = tree.cost();
        const std::size_t subtrees = tree.pass(budget_, most, random_);
        searched += subtrees + 1;
        work_ += static_cast<double>(subtrees) * subtree_work;
        idle = tree.cost() < before * (1 - 1e-6) ? 0 : idle + 1;
    }
    return tree.merges();
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
