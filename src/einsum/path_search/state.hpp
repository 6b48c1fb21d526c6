// ContractionState: a network in the course of being contracted. Keeps labels, sizes and neighbours of the
// live tensors up to date; the searches decide what to contract next.
#pragma once

#include "einsum/path_search/measure.hpp"
#include "einsum/path_search/problem.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace einsum {

/// log2(2^a + 2^b): greedy scores are logarithms because the sizes of bad orders overflow a double.
[[nodiscard]] double add_bits(double a, double b);

/// A pair of nodes seen before its contraction; all sizes as log2 of element counts.
struct MergeEstimate {
    double out_bits = 0;
    double involved_bits = 0;
    bool sums = false;
};

/// 2^bits, at most kLargestSize.
[[nodiscard]] double size_of_bits(double bits);

class ContractionState {
public:
    ContractionState(const Problem& problem, const Measure& measure);

    /// Contracts two live nodes; returns the new node.
    int merge(int a, int b);
    [[nodiscard]] MergeEstimate estimate(int a, int b) const;
    [[nodiscard]] MergeSizes sizes(int a, int b) const { return sizes(a, b, estimate(a, b)); }

    [[nodiscard]] bool live(int node) const { return live_[index(node)]; }
    [[nodiscard]] int node_count() const { return static_cast<int>(live_.size()); }
    /// Labels of a node, live or not, ascending.
    [[nodiscard]] const LabelIds& labels(int node) const { return labels_[index(node)]; }
    [[nodiscard]] double bits(int node) const { return bits_[index(node)]; }
    /// Live nodes that have a label.
    [[nodiscard]] const std::vector<int>& owners(LabelId label) const { return owners_[index(label)]; }
    [[nodiscard]] std::size_t label_count() const { return owners_.size(); }
    [[nodiscard]] double label_bits(LabelId label) const { return problem_->bits[index(label)]; }
    /// Whether the result of the whole contraction keeps a label.
    [[nodiscard]] bool in_result(LabelId label) const {
        return uses_[index(label)] > static_cast<int>(owners_[index(label)].size());
    }
    [[nodiscard]] const Merges& merges() const { return merges_; }
    /// Sum of the measure over the merges so far.
    [[nodiscard]] double cost() const { return cost_; }

private:
    [[nodiscard]] MergeSizes sizes(int a, int b, const MergeEstimate& made) const;

    const Problem* problem_;
    std::vector<LabelIds> labels_;
    std::vector<double> bits_;
    std::vector<bool> live_;
    std::vector<std::vector<int>> owners_;
    std::vector<int> uses_;
    Merges merges_;
    Measure measure_;
    double cost_ = 0;
};

}}}  // namespace tenferro::TENFERRO_ABI::einsum
