// One label at a time on one fixed tree finds slices that cost decades more than need be: what is best to
// slice depends on the tree, and the tree on what is sliced.
#include "einsum/slicing/slice_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "einsum/path_search/budget.hpp"
#include "einsum/path_search/find_tree.hpp"
#include "einsum/tree_cost.hpp"
#include "tenferro/base/cancellation.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// Candidates per step: labels of the largest tensors are the ones that matter.
constexpr std::size_t kMostCandidates = 48;
/// Share of a whole search's work that is done after each label.
constexpr double kEffort = 0.05;
/// Of a round: the most labels that are put back, how hot the tree gets, one time of three hotter, and in how
/// many rounds subtrees are reconfigured once.
constexpr std::size_t kMostPutBack = 2, kHotter = 3, kSubtrees = 4;
constexpr double kHot = 0.25;
/// Share of the work by which a round may make things worse, in the mean, when rounds begin; none at the end.
constexpr double kWorse = 0.2;
/// Choosing the labels of a round, in estimated seconds per tensor.
constexpr double kChoiceWork = 10e-6;

/// Labels of extent 2 and more that are not sliced yet, those of the largest nodes first.
LabelIds candidates(const Network& network, const std::vector<LabelIds>& labels, const LabelIds& sliced) {
    std::vector<std::pair<double, std::size_t>> nodes;
    const auto extent = [&](LabelId label) {
        const bool fixed = std::find(sliced.begin(), sliced.end(), label) != sliced.end();
        return fixed ? Index{1} : network.extents[static_cast<std::size_t>(label)];
    };
    for (std::size_t node = network.inputs.size(); node < labels.size(); ++node) {
        double size = 1;
        for (const LabelId label : labels[node]) size *= static_cast<double>(extent(label));
        nodes.emplace_back(-size, node);
    }
    std::sort(nodes.begin(), nodes.end());
    LabelIds found;
    std::vector<bool> seen(network.extents.size(), false);
    for (const auto& [size, node] : nodes) {
        for (const LabelId label : labels[node]) {
            if (extent(label) < 2 || seen[static_cast<std::size_t>(label)]) continue;
            seen[static_cast<std::size_t>(label)] = true;
            found.push_back(label);
        }
        if (found.size() >= kMostCandidates) break;
    }
    return found;
}

}  // namespace

SlicedTree whole(const Network& network, ContractionTree tree, DType dtype) {
    const ContractionCost found = cost(network, tree, dtype);
    return {std::move(tree), {}, found};
}

SliceSearch::SliceSearch(const Network& network, const PathOptions& options, std::uint64_t number)
    : network_(&network), options_(&options), number_(number), random_(options.seed + number) {}

std::optional<SlicedTree> SliceSearch::slice(ContractionTree tree, const Clock& clock) {
    SlicedTree chosen = whole(*network_, std::move(tree), options_->dtype);
    for (std::size_t step = 0; !fits(chosen.cost, *options_); ++step) {
        const double limit = static_cast<double>(options_->memory_limit_bytes),
                     steps = std::log2(chosen.cost.peak_bytes / limit) + 3;
        if (!slice_one(chosen)) return std::nullopt;
        improve(chosen, step % 2 == 0 ? options_->objective : PathObjective::Memory, clock.part(1 / steps),
                kEffort);
    }
    improve(chosen, options_->objective, clock, 1);
    put_back(chosen);
    return chosen;
}

std::optional<SlicedTree> SliceSearch::slice_only(ContractionTree tree) {
    SlicedTree chosen = whole(*network_, std::move(tree), options_->dtype);
    if (!slice_until_it_fits(chosen)) return std::nullopt;
    put_back(chosen);
    return chosen;
}

void SliceSearch::improve_in_rounds(SlicedTree& best, const Clock& clock) {
    if (!is_searched(*network_, *options_)) return;
    const std::size_t tensors = network_->inputs.size();
    Budget budget(clock, tensors);
    PathOptions options = *options_;
    SlicedTree current = best;
    for (double used = 0; !budget.expired() && used < 1; used = budget.used(best.cost.seconds)) {
        SlicedTree tried = current;
        for (std::size_t back = random_.below(kMostPutBack + 1); back > 0 && !tried.labels.empty(); --back)
            tried.labels.erase(tried.labels.begin() +
                               static_cast<std::ptrdiff_t>(random_.below(tried.labels.size())));
        options.seed = options_->seed + 1000 * (number_ + 1) + rounds_;
        const Heat heat{.hottest = random_.below(kHotter) == 0 ? 3 * kHot : kHot,
                        .subtrees = rounds_ % kSubtrees == 0};
        ++rounds_;
        DescendedTree made = descend(without(tried.labels), tried.tree, options, clock, heat);
        budget.charge(made.work + kChoiceWork * static_cast<double>(tensors));
        tried.tree = std::move(made.tree);
        tried.cost = TreeCost(*network_, tried.tree, options_->dtype).of(tried.labels);
        if (!slice_until_it_fits(tried)) continue;
        put_back(tried);
        const double worse = kWorse * (1 - used) * -std::log(random_.uniform());
        if (work(tried.cost, *options_) > (1 + worse) * work(current.cost, *options_)) continue;
        current = std::move(tried);
        if (work(current.cost, *options_) >= work(best.cost, *options_)) continue;
        best = current;
        clock.found(best.cost.seconds, best.cost.flops, best.cost.peak_bytes, best.cost.slices);
    }
}

/// Both the memory beyond the limit and the work count.
double SliceSearch::score(const ContractionCost& cost) const {
    const auto limit = static_cast<double>(options_->memory_limit_bytes);
    return std::max(cost.peak_bytes, limit) * work(cost, *options_);
}

Network SliceSearch::without(const LabelIds& labels) const {
    Network rest = *network_;
    for (const LabelId label : labels) rest.extents[static_cast<std::size_t>(label)] = 1;
    return rest;
}

bool SliceSearch::slice_until_it_fits(SlicedTree& chosen) {
    while (!fits(chosen.cost, *options_))
        if (!slice_one(chosen)) return false;
    return true;
}

bool SliceSearch::slice_one(SlicedTree& chosen) {
    CancellationScope::check_current();
    lowest_ = std::min(lowest_, chosen.cost.peak_bytes);
    TreeCost costs(*network_, chosen.tree, options_->dtype);
    double best = std::numeric_limits<double>::infinity();
    std::optional<LabelId> best_label;
    for (const LabelId label : candidates(*network_, costs.labels(), chosen.labels)) {
        LabelIds tried = chosen.labels;
        tried.push_back(label);
        const ContractionCost cost = costs.of(tried);
        lowest_ = std::min(lowest_, cost.peak_bytes);
        if (score(cost) >= best) continue;
        best = score(cost);
        best_label = label;
        chosen.cost = cost;
    }
    if (!best_label) return false;
    chosen.labels.push_back(*best_label);
    return true;
}

/// A tree for the network without the sliced labels, if it is better; one that fits stays one that fits.
void SliceSearch::improve(SlicedTree& chosen, PathObjective objective, const Clock& clock,
                          double effort) const {
    if (clock.expired()) return;
    PathOptions options = *options_;
    options.objective = objective;
    ContractionTree tree =
        improve_tree(without(chosen.labels), chosen.tree, options, clock.of_part(), effort);
    const ContractionCost cost = TreeCost(*network_, tree, options_->dtype).of(chosen.labels);
    if (score(cost) >= score(chosen.cost) || (fits(chosen.cost, *options_) && !fits(cost, *options_))) return;
    chosen.tree = std::move(tree);
    chosen.cost = cost;
}

void SliceSearch::put_back(SlicedTree& chosen) const {
    TreeCost costs(*network_, chosen.tree, options_->dtype);
    for (std::size_t i = chosen.labels.size(); i-- > 0;) {
        LabelIds fewer = chosen.labels;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        const ContractionCost cost = costs.of(fewer);
        if (!fits(cost, *options_) || work(cost, *options_) > work(chosen.cost, *options_)) continue;
        chosen.labels = std::move(fewer);
        chosen.cost = cost;
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
