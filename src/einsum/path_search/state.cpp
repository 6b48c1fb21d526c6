// Bookkeeping of a contraction in progress: a label disappears when the merge of two tensors leaves nobody
// else who has it.
#include "einsum/path_search/state.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

double add_bits(double a, double b) {
    const double high = std::max(a, b), low = std::min(a, b);
    // Below 2^-60 of the larger one the smaller one leaves no trace.
    return high - low > 60 ? high : high + std::log2(1 + std::exp2(low - high));
}

double size_of_bits(double bits) { return std::min(std::exp2(bits), kLargestSize); }

ContractionState::ContractionState(const Problem& problem, const Measure& measure)
    : problem_(&problem),
      labels_(problem.tensors),
      live_(problem.tensors.size(), true),
      ends_(problem.uses.size()),
      uses_(problem.uses),
      measure_(measure) {
    bits_.reserve(2 * labels_.size());
    for (std::size_t t = 0; t < labels_.size(); ++t) {
        double bits = 0;
        for (const LabelId label : labels_[t]) bits += problem.bits[index(label)];
        bits_.push_back(bits);
        link(static_cast<int>(t));
    }
}

/// Makes a node, whose labels are known, the last owner of them.
void ContractionState::link(int node) {
    first_link_.push_back(links_.size());
    for (const LabelId label : labels_[index(node)]) {
        Ends& ends = ends_[index(label)];
        const int made = static_cast<int>(links_.size());
        links_.push_back({node, ends.last, -1});
        (ends.last < 0 ? ends.first : links_[index(ends.last)].next) = made;
        ends.last = made;
        ++ends.count;
    }
}

void ContractionState::unlink(int node) {
    std::size_t at = first_link_[index(node)];
    for (const LabelId label : labels_[index(node)]) {
        Ends& ends = ends_[index(label)];
        const auto& [owner, previous, next] = links_[at++];
        (previous < 0 ? ends.first : links_[index(previous)].next) = next;
        (next < 0 ? ends.last : links_[index(next)].previous) = previous;
        --ends.count;
        --uses_[index(label)];
    }
}

MergeEstimate ContractionState::estimate(int a, int b) const {
    const LabelIds &left = labels_[index(a)], &right = labels_[index(b)];
    double shared_bits = 0, summed_bits = 0;
    bool sums = false;
    for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
        if (left[i] < right[j]) {
            ++i;
        } else if (right[j] < left[i]) {
            ++j;
        } else {
            const std::size_t label = index(left[i]);
            shared_bits += problem_->bits[label];
            if (uses_[label] == 2) {
                summed_bits += problem_->bits[label];
                sums = true;
            }
            ++i;
            ++j;
        }
    }
    const double involved_bits = bits_[index(a)] + bits_[index(b)] - shared_bits;
    return {involved_bits - summed_bits, involved_bits, sums};
}

int ContractionState::merge(int a, int b) {
    const MergeEstimate made = estimate(a, b);
    const int node = node_count();
    LabelIds involved;
    involved.reserve(labels_[index(a)].size() + labels_[index(b)].size());
    std::set_union(labels_[index(a)].begin(), labels_[index(a)].end(), labels_[index(b)].begin(),
                   labels_[index(b)].end(), std::back_inserter(involved));
    unlink(a);
    unlink(b);
    LabelIds kept;
    kept.reserve(involved.size());
    for (const LabelId label : involved)
        if (++uses_[index(label)] > 1) kept.push_back(label);
    live_[index(a)] = live_[index(b)] = false;
    labels_.push_back(std::move(kept));
    link(node);
    bits_.push_back(made.out_bits);
    live_.push_back(true);
    merges_.emplace_back(a, b);
    cost_ += measure_.of_merge(sizes(a, b, made));
    return node;
}

MergeSizes ContractionState::sizes(int a, int b, const MergeEstimate& made) const {
    return {size_of_bits(bits_[index(a)]), size_of_bits(bits_[index(b)]), size_of_bits(made.out_bits),
            size_of_bits(made.involved_bits), made.sums};
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
