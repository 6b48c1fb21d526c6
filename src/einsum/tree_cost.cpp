// A merge takes part in a slice if an operand below it has a sliced label. The largest subtrees without one
// are parts; an operand that is summed alone and meets a slice first is a part of its own.
#include "einsum/tree_cost.hpp"
#include "tenferro/base/error.hpp"

#include <algorithm>
#include <iterator>
#include <new>

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

std::size_t at(int node) { return static_cast<std::size_t>(node); }

LabelIds distinct(LabelIds labels) {
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    return labels;
}

/// Those of `labels` that are not in `kept`.
LabelIds without(LabelIds labels, LabelIds kept) {
    labels = distinct(std::move(labels));
    kept = distinct(std::move(kept));
    LabelIds rest;
    std::set_difference(labels.begin(), labels.end(), kept.begin(), kept.end(), std::back_inserter(rest));
    return rest;
}

}  // namespace

TreeCost::TreeCost(const Network& network, const ContractionTree& tree, DType dtype)
    : network_(network),
      tree_(tree),
      element_(dtype),
      operands_(network.inputs.size()),
      labels_(node_labels(network, tree)),
      parent_(labels_.size(), labels_.size() - 1),
      sliced_(network.extents.size()),
      in_slice_(labels_.size()),
      root_(labels_.size()),
      size_(labels_.size()),
      zones_(labels_.size() + 1) {
    for (std::size_t i = 0; i < operands_; ++i) summed_.push_back(without(network.inputs[i], labels_[i]));
    for (std::size_t m = 0; m < tree.merges.size(); ++m) {
        const auto& [left, right] = tree.merges[m];
        parent_[at(left)] = parent_[at(right)] = operands_ + m;
        LabelIds involved = labels_[at(left)];
        involved.insert(involved.end(), labels_[at(right)].begin(), labels_[at(right)].end());
        summed_.push_back(without(std::move(involved), labels_[operands_ + m]));
    }
}

/// Elements of a slice's tensor.
double TreeCost::elements(const LabelIds& labels) const {
    double product = 1;
    for (const LabelId label : labels)
        if (!sliced_[at(label)]) product *= static_cast<double>(network_.extents[at(label)]);
    return product;
}

/// Whether an operand is not used as it is: labels that it has alone are summed first.
bool TreeCost::held(std::size_t operand) const {
    return std::any_of(summed_[operand].begin(), summed_[operand].end(),
                       [&](LabelId label) { return !sliced_[at(label)]; });
}

void TreeCost::fix(const LabelIds& sliced) {
    std::fill(sliced_.begin(), sliced_.end(), false);
    for (const LabelId label : sliced) sliced_[at(label)] = true;
    const std::size_t nodes = labels_.size();
    for (std::size_t node = 0; node < operands_; ++node)
        in_slice_[node] =
            sliced.empty() || std::any_of(network_.inputs[node].begin(), network_.inputs[node].end(),
                                          [&](LabelId label) { return bool{sliced_[at(label)]}; });
    for (std::size_t m = 0; m < tree_.merges.size(); ++m)
        in_slice_[operands_ + m] =
            in_slice_[at(tree_.merges[m].first)] || in_slice_[at(tree_.merges[m].second)];
    for (std::size_t node = nodes; node-- > 0;) {
        const std::size_t parent = parent_[node];
        const bool top = parent == node || in_slice_[parent];
        if (node < operands_ && top && !held(node)) in_slice_[node] = true;
        root_[node] = top ? node : root_[parent];
    }
    for (std::size_t node = 0; node < nodes; ++node) size_[node] = elements(labels_[node]);
    std::fill(zones_.begin(), zones_.end(), Zone{});
}

/// Adds up the merges and finds the peak of every zone.
ContractionCost TreeCost::walk() {
    ContractionCost total;
    for (std::size_t label = 0; label < sliced_.size(); ++label)
        if (sliced_[label]) total.slices *= static_cast<double>(network_.extents[label]);
    const auto zone = [&](std::size_t node) -> Zone& {
        return in_slice_[node] ? zones_.back() : zones_[root_[node]];
    };
    for (std::size_t i = 0; i < operands_; ++i)
        if (!in_slice_[i] && root_[i] == i) zones_[i].peak = size_[i];
    for (std::size_t m = 0; m < tree_.merges.size(); ++m) {
        const std::size_t node = operands_ + m, left = at(tree_.merges[m].first),
                          right = at(tree_.merges[m].second);
        MergeSizes sizes{size_[left], size_[right], size_[node], size_[node], false};
        for (const LabelId label : summed_[node]) {
            if (sliced_[at(label)]) continue;
            sizes.sums = true;
            sizes.involved *= static_cast<double>(network_.extents[at(label)]);
        }
        const double times = in_slice_[node] ? total.slices : 1;
        total.flops += times * merge_flops(sizes);
        total.bytes += times * merge_bytes(sizes, element_);
        total.seconds += times * merge_seconds(sizes, element_);
        total.total_writes += times * sizes.out;
        total.largest_intermediate = std::max(total.largest_intermediate, sizes.out);
        Zone& own = zone(node);
        double released = 0;
        for (const std::size_t child : {left, right}) {
            if (&zone(child) != &own || (child < operands_ && !held(child))) continue;
            released += size_[child];
            if (child < operands_) own.live += size_[child];
        }
        own.live += sizes.out;
        own.peak = std::max(own.peak, own.live);
        own.live -= released;
    }
    return total;
}

/// A repeated output label makes one more tensor, with a diagonal; one operand alone makes nothing else.
void TreeCost::finish_slice() {
    const auto present = [&](const LabelIds& labels) {
        return std::count_if(labels.begin(), labels.end(),
                             [&](LabelId label) { return !sliced_[at(label)]; });
    };
    Zone& slice = zones_.back();
    if (operands_ == 1 || present(network_.output) > present(labels_.back()))
        slice.peak = std::max(slice.peak, slice.live + elements(network_.output));
}

ContractionCost TreeCost::of(const LabelIds& sliced) {
    fix(sliced);
    ContractionCost total = walk();
    finish_slice();
    const double slice_result = elements(network_.output);
    double held = 0, peak = 0, result = slice_result;
    bool kept = false, summed = false;
    for (const LabelId label : sliced) {
        const auto times = std::count(network_.output.begin(), network_.output.end(), label);
        for (auto i = times; i > 0; --i) result *= static_cast<double>(network_.extents[at(label)]);
        (times > 0 ? kept : summed) = true;
    }
    for (std::size_t node = 0; node < root_.size(); ++node) {
        if (in_slice_[node] || root_[node] != node) continue;
        peak = std::max(peak, held + zones_[node].peak);
        held += size_[node];
    }
    if (kept) held += result;
    if (summed) held += slice_result;
    total.peak_bytes = element_.bytes * std::max(peak, held + zones_.back().peak);
    if (!sliced.empty()) {
        // Adding up, or writing into the result.
        const double moved = total.slices * slice_result * element_.bytes * 3;
        total.bytes += moved;
        total.seconds += moved / kMemoryBytesPerSecond;
    }
    return total;
}

double TreeCost::slice_bytes(const LabelIds& sliced) {
    fix(sliced);
    (void)walk();
    finish_slice();
    return element_.bytes * (zones_.back().peak + elements(network_.output));
}

ContractionCost cost(const Network& network, const ContractionTree& tree, DType dtype) try {
    return TreeCost(network, tree, dtype).of({});
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
