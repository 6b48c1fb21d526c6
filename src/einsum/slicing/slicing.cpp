// Splitting a network along a tree for fixed labels.
#include "einsum/slicing/slicing.hpp"

#include <algorithm>
#include <utility>

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

bool contains(const LabelIds& labels, LabelId label) {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
}

LabelIds without(const LabelIds& labels, const LabelIds& dropped) {
    LabelIds rest;
    for (const LabelId label : labels)
        if (!contains(dropped, label)) rest.push_back(label);
    return rest;
}

std::size_t at(int node) { return static_cast<std::size_t>(node); }

/// Splits the nodes of a tree into maximal subtrees without sliced labels and the rest.
class Splitter {
public:
    Splitter(const Network& network, const ContractionTree& tree, const LabelIds& sliced)
        : network_(network),
          tree_(tree),
          sliced_(sliced),
          operands_(static_cast<int>(network.inputs.size())),
          labels_(node_labels(network, tree)) {
        for (const LabelIds& input : network.inputs)
            depends_.push_back(std::any_of(input.begin(), input.end(),
                                           [&](LabelId label) { return contains(sliced, label); }));
        for (const auto& [left, right] : tree.merges)
            depends_.push_back(depends_[at(left)] || depends_[at(right)]);
    }

    SlicedNetwork run() {
        for (const LabelId label : sliced_)
            (contains(network_.output, label) ? out_.kept : out_.summed).push_back(label);
        out_.inner = like_network();
        out_.inner.output = without(network_.output, sliced_);
        std::vector<int> number(labels_.size(), -1);
        // Sources first: an inner network numbers its operands before its merges.
        for (int node = 0; node < static_cast<int>(labels_.size()); ++node) {
            if (depends_[at(node)] ? node >= operands_ : node_is_inside_part(node)) continue;
            number[at(node)] = static_cast<int>(out_.sources.size());
            add_source(node);
        }
        for (int m = 0; m < static_cast<int>(tree_.merges.size()); ++m) {
            if (!depends_[at(operands_ + m)]) continue;
            const auto& [left, right] = tree_.merges[at(m)];
            number[at(operands_ + m)] = static_cast<int>(out_.sources.size() + out_.tree.merges.size());
            out_.tree.merges.emplace_back(number[at(left)], number[at(right)]);
        }
        return std::move(out_);
    }

private:
    bool node_is_inside_part(int node) {
        if (parent_.empty()) {
            parent_.assign(labels_.size(), -1);
            for (std::size_t m = 0; m < tree_.merges.size(); ++m)
                parent_[at(tree_.merges[m].first)] = parent_[at(tree_.merges[m].second)] =
                    operands_ + static_cast<int>(m);
        }
        return parent_[at(node)] >= 0 && !depends_[at(parent_[at(node)])];
    }

    Network like_network() const {
        Network made;
        made.extents = network_.extents;
        made.names = network_.names;
        return made;
    }

    void add_source(int node) {
        LabelIds distinct = node < operands_ ? network_.inputs[at(node)] : LabelIds{};
        std::sort(distinct.begin(), distinct.end());
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        // An operand that is summed alone is also computed once.
        const bool is_part =
            node >= operands_ || (!depends_[at(node)] && distinct.size() > labels_[at(node)].size());
        SlicedNetwork::Source source;
        if (is_part) {
            source.part = static_cast<int>(out_.parts.size());
            source.labels = labels_[at(node)];
            add_part(node);
        } else {
            source.operand = node;
            source.labels = network_.inputs[at(node)];
        }
        out_.inner.inputs.push_back(without(source.labels, sliced_));
        out_.inner.dropped_axes.emplace_back();
        out_.sources.push_back(std::move(source));
    }

    void add_part(int root) {
        SlicedNetwork::Part part;
        part.network = like_network();
        part.network.output = labels_[at(root)];
        std::vector<int> below{root}, merges;
        for (std::size_t i = 0; i < below.size(); ++i) {
            if (below[i] < operands_) {
                part.operands.push_back(below[i]);
                continue;
            }
            merges.push_back(below[i] - operands_);
            below.push_back(tree_.merges[at(below[i] - operands_)].first);
            below.push_back(tree_.merges[at(below[i] - operands_)].second);
        }
        std::vector<int> number(labels_.size(), -1);
        for (const int operand : part.operands) {
            number[at(operand)] = static_cast<int>(part.network.inputs.size());
            part.network.inputs.push_back(network_.inputs[at(operand)]);
            part.network.dropped_axes.emplace_back();
        }
        std::sort(merges.begin(), merges.end());
        for (const int m : merges) {
            number[at(operands_ + m)] = static_cast<int>(part.operands.size() + part.tree.merges.size());
            part.tree.merges.emplace_back(number[at(tree_.merges[at(m)].first)],
                                          number[at(tree_.merges[at(m)].second)]);
        }
        out_.parts.push_back(std::move(part));
    }

    const Network& network_;
    const ContractionTree& tree_;
    const LabelIds& sliced_;
    int operands_;
    std::vector<LabelIds> labels_;
    std::vector<bool> depends_;
    std::vector<int> parent_;
    SlicedNetwork out_;
};

}  // namespace

SlicedNetwork slice(const Network& network, const ContractionTree& tree, const LabelIds& labels) {
    return Splitter(network, tree, labels).run();
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
