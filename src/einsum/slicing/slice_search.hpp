// SliceSearch: which labels to slice for a tree, and which tree for the labels that are left.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "einsum/path_search/clock.hpp"
#include "einsum/path_search/random.hpp"
#include "einsum/slicing/slicing.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

[[nodiscard]] inline bool fits(const ContractionCost& cost, const PathOptions& options) {
    return cost.peak_bytes <= static_cast<double>(options.memory_limit_bytes);
}

/// What is made small within the limit.
[[nodiscard]] inline double work(const ContractionCost& cost, const PathOptions& options) {
    return options.objective == PathObjective::Flops ? cost.flops : cost.seconds;
}

/// The tree without slices.
[[nodiscard]] SlicedTree whole(const Network& network, ContractionTree tree, DType dtype);

/// Its random numbers are its own, so that several may run at once.
class SliceSearch {
public:
    /// Both must outlive this object. Searches of other numbers draw other ones.
    SliceSearch(const Network& network, const PathOptions& options, std::uint64_t number = 0);

    /// A tree with labels sliced one at a time until it fits, always the one after which memory and work are
    /// lowest together; after each the tree is improved for the network that is left. Then labels that are no
    /// longer needed are put back. Nothing if no choice of labels makes it fit.
    [[nodiscard]] std::optional<SlicedTree> slice(ContractionTree tree, const Clock& clock);
    /// The same for a tree that stays as it is.
    [[nodiscard]] std::optional<SlicedTree> slice_only(ContractionTree tree);
    /// From one that fits, in rounds: a few labels are put back, the tree descends for the network that is
    /// then left, and labels are sliced until it fits again. Somewhat worse ones are gone on from, at first.
    void improve_in_rounds(SlicedTree& best, const Clock& clock);

    /// Lowest peak of all that was looked at, in bytes.
    [[nodiscard]] double lowest() const { return lowest_; }

private:
    [[nodiscard]] double score(const ContractionCost& cost) const;
    [[nodiscard]] Network without(const LabelIds& labels) const;
    bool slice_until_it_fits(SlicedTree& chosen);
    bool slice_one(SlicedTree& chosen);
    void improve(SlicedTree& chosen, PathObjective objective, const Clock& clock, double effort) const;
    void put_back(SlicedTree& chosen) const;

    const Network* network_;
    const PathOptions* options_;
    std::uint64_t number_, rounds_ = 0;
    Random random_;
    double lowest_ = std::numeric_limits<double>::infinity();
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
