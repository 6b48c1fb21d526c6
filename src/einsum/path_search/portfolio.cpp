// Portfolio: many cheap greedy attempts with different costs and noise, then rounds of annealing and subtree
// reconfiguration that start from the best of them.
#include "einsum/path_search/portfolio.hpp"

#include <algorithm>
#include <cmath>

#include "einsum/path_search/anneal.hpp"
#include "einsum/path_search/budget.hpp"
#include "einsum/path_search/candidate.hpp"
#include "einsum/path_search/elimination.hpp"
#include "einsum/path_search/greedy.hpp"
#include "einsum/path_search/lanes.hpp"
#include "einsum/path_search/refine.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace einsum {

namespace {

/// Merges that all greedy attempts may make together.
constexpr std::size_t kAttemptBudget = 30'000;
/// Greedy orders that annealing starts from.
constexpr std::size_t kStarts = 3;
/// Tensors in a subtree that is searched at once.
constexpr std::size_t kFrontier = 8;
/// Passes of reconfiguration differ at random, so that one without improvement need not be the last.
constexpr int kIdlePasses = 2;
/// Subtrees that the reconfiguration of one tree may search.
constexpr std::size_t kMostSubtrees = 600;
/// Annealing of networks whose label sets take more words than this is too slow to pay.
constexpr std::size_t kMostWords = 128;
constexpr double kHot = 0.3, kCold = 0.02;
/// Descents that start from one tree at once: more in a row would gain more.
constexpr double kMostLanes = 4;

// Estimated seconds of work, for budgets that do not depend on the machine.
constexpr double kMergeWork = 1.5e-6, kSubtreeWork = 60e-6, kRotationWork = 150e-9, kRotationWordWork = 15e-9,
                 kRotationLabelWork = 4e-9, kSubtreeLabelWork = 1e-6;
/// Work that a search may do however cheap the contraction is, per tensor.
constexpr double kLeastWorkPerTensor = 250e-6;

/// One descent from a tree: annealing, then reconfiguration. Its random numbers and the estimate of its work
/// are its own.
class Descent {
public:
    Descent(const Problem& problem, const Measure& measure, const Budget& budget, std::uint64_t seed)
        : problem_(problem), measure_(measure), budget_(budget), random_(seed) {}

    Merges run(Merges merges, std::size_t sweeps, double hot) {
        TreeAnnealer annealer(problem_, measure_);
        if (annealer.words() <= kMostWords) merges = anneal(annealer, std::move(merges), sweeps, hot);
        return reconfigure(merges);
    }
    [[nodiscard]] double work() const { return work_; }

private:
    /// The best tree seen while it cools down.
    Merges anneal(TreeAnnealer& annealer, Merges merges, std::size_t sweeps, double hot) {
        annealer.start(merges);
        double least = annealer.cost();
        labels_ = annealer.mean_labels();
        const std::size_t rotations = 4 * problem_.tensors.size();
        // Volume grows with the fourth power of sizes.
        const double scale = measure_.kind == Measure::Kind::Volume ? 4 : 1;
        for (std::size_t sweep = 0; sweep < sweeps && !budget_.expired(); ++sweep) {
            const double cooled = static_cast<double>(sweep) / static_cast<double>(sweeps - 1);
            annealer.rotate(rotations, scale * hot * std::pow(kCold / hot, cooled), random_);
            work_ += static_cast<double>(rotations) *
                     (kRotationWork + kRotationWordWork * static_cast<double>(annealer.words()) +
                      kRotationLabelWork * labels_);
            if (annealer.cost() >= least) continue;
            least = annealer.cost();
            merges = annealer.merges();
        }
        return merges;
    }

    /// Passes of reconfiguration until they no longer help.
    Merges reconfigure(const Merges& merges) {
        ContractionState state(problem_, measure_);
        for (const auto& [a, b] : merges) state.merge(a, b);
        TreeRefiner tree(state, problem_, measure_, kFrontier);
        int idle = 0;
        for (std::size_t searched = 0;
             searched < kMostSubtrees && idle < kIdlePasses && !budget_.expired();) {
            const double before = tree.cost();
            const std::size_t subtrees = tree.pass(random_);
            searched += subtrees + 1;
            work_ += static_cast<double>(subtrees) * (kSubtreeWork + kSubtreeLabelWork * labels_);
            idle = tree.cost() < before * (1 - 1e-6) ? 0 : idle + 1;
        }
        return tree.merges();
    }

    const Problem& problem_;
    Measure measure_;
    const Budget& budget_;
    Random random_;
    double labels_ = 0;  // of a node of the tree that was annealed, on average
    double work_ = 0;
};

/// One search: the incumbent and the ways to replace it.
class Portfolio {
public:
    Portfolio(const Problem& problem, const Measure& measure, const PathOptions& options)
        : problem_(problem),
          measure_(measure),
          options_(options),
          budget_(options),
          random_(options.seed),
          tensors_(static_cast<double>(problem.tensors.size())) {}

    Merges run() {
        attempt_greedily();
        best_ = judge(problem_, starts_.front().merges(), measure_);
        improve_rounds();
        return std::move(best_.merges);
    }

private:
    bool spent() const { return budget_.left(best_.seconds, kLeastWorkPerTensor * tensors_) <= 0; }

    void attempt_greedily() {
        ContractionState simplified(problem_, measure_);
        absorb_subsets(simplified);
        const auto wanted = static_cast<std::size_t>(std::max(options_.greedy_attempts, 1));
        const auto attempts = std::clamp<std::size_t>(kAttemptBudget / problem_.tensors.size(), 1, wanted);
        const bool hyperedges =
            std::any_of(problem_.uses.begin(), problem_.uses.end(), [](int uses) { return uses > 2; });
        for (std::size_t attempt = 0; attempt < attempts && (attempt == 0 || !budget_.expired()); ++attempt) {
            GreedyCost cost;
            if (attempt > 0) {
                cost.reward_bits = random_.uniform(-4, 2);
                cost.temperature = std::exp2(random_.uniform(-8, 1));
            }
            ContractionState state = simplified;
            if (hyperedges && attempt % 2 == 1)
                eliminate_labels(state, std::exp2(random_.uniform(-6, 1)), random_);
            contract_greedily(state, cost, random_);
            keep_start(std::move(state));
            budget_.charge(tensors_ * kMergeWork);
        }
    }

    /// Keeps the cheapest orders, of equal ones only one.
    void keep_start(ContractionState state) {
        const auto at = std::lower_bound(starts_.begin(), starts_.end(), state,
                                         [](const auto& x, const auto& y) { return x.cost() < y.cost(); });
        if (at != starts_.end() && at->cost() == state.cost()) return;
        starts_.insert(at, std::move(state));
        if (starts_.size() > kStarts) starts_.pop_back();
    }

    /// Every start is improved once; then the best of all, in rounds of growing length, until the budget is
    /// spent. The descents of a round start from one incumbent and may run at the same time.
    void improve_rounds() {
        const bool anneals = TreeAnnealer(problem_, measure_).words() <= kMostWords;
        std::size_t sweeps = 60, begun = 0;
        double work = 0;  // of the costliest descent of the last round
        while (begun == 0 || !spent()) {
            const bool fresh = begun < starts_.size();
            if (!anneals && !fresh) break;
            std::vector<Merges> found(fresh ? std::min(width(work), starts_.size() - begun) : width(work));
            std::vector<double> works(found.size());
            run_lanes(found.size(), options_.threads, [&](std::size_t lane) {
                const std::size_t number = begun + lane;
                Descent descent(problem_, measure_, budget_, options_.seed + number + 1);
                found[lane] = descent.run(fresh ? starts_[number].merges() : best_.merges, sweeps,
                                          fresh || number % 3 == 0 ? kHot : kHot / 3);
                works[lane] = descent.work();
            });
            for (std::size_t lane = 0; lane < found.size(); ++lane) {
                consider(std::move(found[lane]));
                budget_.charge(works[lane]);
            }
            work = *std::max_element(works.begin(), works.end());
            begun += found.size();
            if (!fresh) sweeps += sweeps / 2;
        }
    }

    /// Descents of the next round: as many as the budget has work for. Not the number of threads, on which a
    /// tree must not depend unless the clock decides.
    std::size_t width(double work) const {
        if (budget_.by_clock()) return static_cast<std::size_t>(std::max(options_.threads, 1));
        if (work <= 0) return 1;
        const double room = budget_.left(best_.seconds, kLeastWorkPerTensor * tensors_) / work;
        return static_cast<std::size_t>(std::clamp(room, 1.0, kMostLanes));
    }

    void consider(Merges merges) {
        Candidate candidate = judge(problem_, std::move(merges), measure_);
        if (candidate.better_than(best_, measure_)) best_ = std::move(candidate);
    }

    const Problem& problem_;
    Measure measure_;
    const PathOptions& options_;
    Budget budget_;
    Random random_;
    double tensors_;
    std::vector<ContractionState> starts_;  // cheapest first
    Candidate best_;
};

}  // namespace

Merges search_order(const Problem& problem, const Measure& measure, const PathOptions& options) {
    return Portfolio(problem, measure, options).run();
}

}}}  // namespace tenferro::TENFERRO_ABI::einsum
