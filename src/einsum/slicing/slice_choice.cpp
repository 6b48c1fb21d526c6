// Which labels to slice: one at a time, always the one after which memory and time are lowest together. After
// each one the tree is improved for the network that is left, until the limit is met; then labels that are no
// longer needed are put back. All of this ends with one clock.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "einsum/path_search/find_tree.hpp"
#include "einsum/slicing/slicing.hpp"
#include "einsum/tree_cost.hpp"
#include "tenferro/base/cancellation.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

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

/// Of orders that meet the limit.
void tell(const ContractionCost& cost, const Clock& clock) {
    clock.found(cost.seconds, cost.flops, cost.peak_bytes, cost.slices);
}

SlicedTree whole(const Network& network, ContractionTree tree, DType dtype) {
    const ContractionCost found = cost(network, tree, dtype);
    return {std::move(tree), {}, found};
}

/// Slicing of one network, from several trees.
class SliceSearch {
public:
    SliceSearch(const Network& network, const PathOptions& options) : network_(network), options_(options) {}

    [[nodiscard]] bool fits(const ContractionCost& cost) const {
        return cost.peak_bytes <= limit_of(options_);
    }
    /// What was found, with the number of slices that the limit has room for; throws if it is nothing.
    [[nodiscard]] SlicedTree complete(std::optional<SlicedTree> found) const {
        if (!found)
            throw Error(ErrorKind::Unsupported, "einsum",
                        text("the memory limit is ", options_.memory_limit_bytes,
                             " bytes but the lowest peak found is ",
                             static_cast<std::int64_t>(std::min(lowest_, 9e18)), " bytes"));
        const double bytes = TreeCost(network_, found->tree, options_.dtype).slice_bytes(found->labels);
        if (bytes > 0)
            found->concurrent += static_cast<Index>((limit_of(options_) - found->cost.peak_bytes) / bytes);
        return std::move(*found);
    }

    /// Labels for a tree as it is; nothing if no choice of labels makes it fit.
    std::optional<SlicedTree> keep(SlicedTree chosen) {
        while (!fits(chosen.cost))
            if (!slice_one(chosen)) return std::nullopt;
        put_back(chosen);
        return chosen;
    }

    /// Goes on from a tree that does not fit; nothing if no choice of labels makes it fit.
    std::optional<SlicedTree> run(ContractionTree tree, const Clock& clock) {
        SlicedTree chosen = whole(network_, std::move(tree), options_.dtype);
        for (std::size_t step = 0; !fits(chosen.cost); ++step) {
            const double steps = std::log2(chosen.cost.peak_bytes / limit_of(options_)) + 3;
            if (!slice_one(chosen)) return std::nullopt;
            improve(chosen, step % 2 == 0 ? options_.objective : PathObjective::Memory, clock.part(1 / steps),
                    kEffort);
        }
        improve(chosen, options_.objective, clock, 1);
        put_back(chosen);
        if (chosen.cost.seconds < least_seconds_) tell(chosen.cost, clock);
        least_seconds_ = std::min(least_seconds_, chosen.cost.seconds);
        return chosen;
    }

private:
    /// Share of a whole search's work that is done after each label.
    static constexpr double kEffort = 0.05;

    /// Both the memory beyond the limit and the time count.
    [[nodiscard]] double score(const ContractionCost& cost) const {
        return std::max(cost.peak_bytes, limit_of(options_)) * cost.seconds;
    }

    bool slice_one(SlicedTree& chosen) {
        CancellationScope::check_current();
        lowest_ = std::min(lowest_, chosen.cost.peak_bytes);
        TreeCost costs(network_, chosen.tree, options_.dtype);
        double best = std::numeric_limits<double>::infinity();
        std::optional<LabelId> best_label;
        for (const LabelId label : candidates(network_, costs.labels(), chosen.labels)) {
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
    void improve(SlicedTree& chosen, PathObjective objective, const Clock& clock, double effort) {
        if (clock.expired()) return;
        Network rest = network_;
        for (const LabelId label : chosen.labels) rest.extents[static_cast<std::size_t>(label)] = 1;
        PathOptions options = options_;
        options.objective = objective;
        ContractionTree tree = improve_tree(rest, chosen.tree, options, clock.of_part(), effort);
        const ContractionCost cost = TreeCost(network_, tree, options_.dtype).of(chosen.labels);
        if (score(cost) >= score(chosen.cost) || (fits(chosen.cost) && !fits(cost))) return;
        chosen.tree = std::move(tree);
        chosen.cost = cost;
    }

    void put_back(SlicedTree& chosen) const {
        TreeCost costs(network_, chosen.tree, options_.dtype);
        for (std::size_t i = chosen.labels.size(); i-- > 0;) {
            LabelIds fewer = chosen.labels;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            const ContractionCost cost = costs.of(fewer);
            if (!fits(cost) || cost.seconds > chosen.cost.seconds) continue;
            chosen.labels = std::move(fewer);
            chosen.cost = cost;
        }
    }

    const Network& network_;
    const PathOptions& options_;
    double lowest_ = std::numeric_limits<double>::infinity(), least_seconds_ = lowest_;
};

}  // namespace

SlicedTree find_sliced_tree(const Network& network, const PathOptions& options, const Clock& clock) {
    if (options.memory_limit_bytes == 0)
        return whole(network, find_tree(network, options, clock), options.dtype);
    SliceSearch search(network, options);
    SlicedTree best = whole(network, find_tree(network, options, clock.part(0.3).of_part()), options.dtype);
    if (search.fits(best.cost)) {
        tell(best.cost, clock);
        SlicedTree improved =
            whole(network, improve_tree(network, best.tree, options, clock.of_part()), options.dtype);
        if (!search.fits(improved.cost)) return best;
        tell(improved.cost, clock);
        return improved;
    }
    PathOptions frugal = options;
    frugal.objective = PathObjective::Memory;
    ContractionTree small = find_tree(network, frugal, clock.part(0.2).of_part());
    std::optional<SlicedTree> found = search.run(std::move(best.tree), clock.part(0.5));
    std::optional<SlicedTree> other = search.run(std::move(small), clock);
    if (!found || (other && other->cost.seconds < found->cost.seconds)) found = std::move(other);
    return search.complete(std::move(found));
}

SlicedTree sliced_tree(const Network& network, ContractionTree tree, const PathOptions& options) {
    SlicedTree as_it_is = whole(network, std::move(tree), options.dtype);
    SliceSearch search(network, options);
    if (options.memory_limit_bytes == 0 || search.fits(as_it_is.cost)) return as_it_is;
    return search.complete(search.keep(std::move(as_it_is)));
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
