// Which labels to slice: one at a time, always the one after which memory and time are lowest together, until
// the limit is met; then the tree is searched again for the network that is left.
#include <algorithm>
#include <limits>
#include <utility>

#include "einsum/slicing/slicing.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace einsum {

namespace {

/// Candidates per step: labels of the largest tensors are the ones that matter.
constexpr std::size_t kMostCandidates = 48;

double limit_of(const PathOptions& options) { return static_cast<double>(options.memory_limit_bytes); }

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

/// Slices labels of a tree until it fits; `lowest` is lowered to every peak on the way. Nothing where it does
/// not fit.
bool slice_until_fit(const Network& network, SlicedTree& chosen, const PathOptions& options, double& lowest) {
    const std::vector<LabelIds> labels = node_labels(network, chosen.tree);
    for (;;) {
        lowest = std::min(lowest, chosen.cost.peak_bytes);
        if (chosen.cost.peak_bytes <= limit_of(options)) return true;
        ContractionCost best;
        LabelIds best_labels;
        double best_score = std::numeric_limits<double>::infinity();
        for (const LabelId label : candidates(network, labels, chosen.labels)) {
            LabelIds tried = chosen.labels;
            tried.push_back(label);
            const ContractionCost cost = sliced_cost(network, chosen.tree, tried, options.element_bytes);
            const double score = std::max(cost.peak_bytes, limit_of(options)) * cost.seconds;
            if (score >= best_score) continue;
            best_score = score;
            best = cost;
            best_labels = std::move(tried);
        }
        if (best_labels.empty()) return false;
        chosen.labels = std::move(best_labels);
        chosen.cost = best;
    }
}

/// Searches the tree again, with the sliced labels gone.
void search_again(const Network& network, SlicedTree& chosen, const PathOptions& options) {
    Network rest = network;
    for (const LabelId label : chosen.labels) rest.extents[static_cast<std::size_t>(label)] = 1;
    ContractionTree tree = find_tree(rest, options);
    const ContractionCost cost = sliced_cost(network, tree, chosen.labels, options.element_bytes);
    if (cost.peak_bytes > limit_of(options) || cost.seconds >= chosen.cost.seconds) return;
    chosen.tree = std::move(tree);
    chosen.cost = cost;
}

}  // namespace

SlicedTree find_sliced_tree(const Network& network, const PathOptions& options) {
    SlicedTree best{find_tree(network, options), {}, {}};
    best.cost = cost(network, best.tree, options.element_bytes);
    if (options.memory_limit_bytes == 0 || best.cost.peak_bytes <= limit_of(options)) return best;
    double lowest = std::numeric_limits<double>::infinity();
    bool fits = slice_until_fit(network, best, options, lowest);
    if (fits) search_again(network, best, options);

    PathOptions frugal = options;
    frugal.objective = PathObjective::Memory;
    SlicedTree other{find_tree(network, frugal), {}, {}};
    other.cost = cost(network, other.tree, options.element_bytes);
    if (slice_until_fit(network, other, options, lowest)) {
        if (!other.labels.empty()) search_again(network, other, options);
        if (!fits || other.cost.seconds < best.cost.seconds) best = std::move(other);
        fits = true;
    }
    if (!fits)
        throw Error(
            ErrorKind::Unsupported, "einsum",
            text("the memory limit is ", options.memory_limit_bytes, " bytes but the lowest peak found is ",
                 static_cast<std::int64_t>(std::min(lowest, 9e18)), " bytes"));
    if (const double bytes = slice_bytes(network, best.tree, best.labels, options.element_bytes); bytes > 0)
        best.concurrent += static_cast<Index>((limit_of(options) - best.cost.peak_bytes) / bytes);
    return best;
}

}}}  // namespace tenferro::TENFERRO_ABI::einsum
