// Contraction trees: conversion from and to shrinking-list paths, and the labels of their nodes. Everything
// is iterative and near linear, so that networks of 10^5 operands work.
#include "tenferro/einsum/contraction_tree.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <string_view>
#include <utility>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

constexpr std::string_view kPathOp = "contraction path";
constexpr std::string_view kTreeOp = "contraction tree";

/// A list whose elements keep their slots when others are removed: finds the element at a position and the
/// position of an element in logarithmic time (a Fenwick tree of occupied slots).
class ShrinkingList {
public:
    ShrinkingList(std::size_t occupied, std::size_t slots)
        : sums_(slots + 1, 0), length_(occupied), end_(occupied) {
        for (std::size_t i = 1; i <= slots; ++i) {
            if (i <= occupied) ++sums_[i];
            if (const std::size_t parent = i + (i & -i); parent <= slots) sums_[parent] += sums_[i];
        }
    }

    std::size_t length() const { return length_; }

    std::size_t slot_at(std::size_t position) const {
        std::size_t step = 1, slot = 0;
        while (2 * step < sums_.size()) step *= 2;
        for (; step != 0; step /= 2)
            if (slot + step < sums_.size() && sums_[slot + step] <= position) position -= sums_[slot += step];
        return slot;
    }

    std::size_t position_of(std::size_t slot) const {
        std::size_t position = 0;
        for (; slot != 0; slot -= slot & -slot) position += sums_[slot];
        return position;
    }

    void remove(std::size_t slot) {
        for (++slot; slot < sums_.size(); slot += slot & -slot) --sums_[slot];
        --length_;
    }

    std::size_t append() {
        for (std::size_t i = end_ + 1; i < sums_.size(); i += i & -i) ++sums_[i];
        ++length_;
        return end_++;
    }

private:
    std::vector<std::size_t> sums_;
    std::size_t length_, end_;
};

void check_step(const std::vector<int>& step, std::size_t number, std::size_t length) {
    if (step.empty())
        throw Error(ErrorKind::InvalidArgument, kPathOp, text("step ", number, " lists no position"));
    for (std::size_t i = 0; i < step.size(); ++i) {
        if (step[i] < 0 || static_cast<std::size_t>(step[i]) >= length)
            throw Error(
                ErrorKind::InvalidArgument, kPathOp,
                text("step ", number, " lists position ", step[i], " but ", length, " tensors are left"));
    }
    std::vector<int> sorted = step;
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
        throw Error(ErrorKind::InvalidArgument, kPathOp,
                    text("step ", number, " lists position ", *twice, " twice"));
}

void check_tree(std::size_t operands, const ContractionTree& tree) {
    if (tree.merges.size() + 1 != operands && !(operands == 0 && tree.merges.empty()))
        throw Error(
            ErrorKind::InvalidArgument, kTreeOp,
            text("the network has ", operands, " operands but the tree has ", tree.merges.size(), " merges"));
    std::vector<bool> used(operands + tree.merges.size(), false);
    for (std::size_t m = 0; m < tree.merges.size(); ++m) {
        for (const int child : {tree.merges[m].first, tree.merges[m].second}) {
            if (child < 0 || static_cast<std::size_t>(child) >= operands + m)
                throw Error(
                    ErrorKind::InvalidArgument, kTreeOp,
                    text("merge ", m, " takes node ", child, " but nodes 0 to ", operands + m - 1, " exist"));
            if (used[static_cast<std::size_t>(child)])
                throw Error(ErrorKind::InvalidArgument, kTreeOp,
                            text("merge ", m, " takes node ", child, " which is used before"));
            used[static_cast<std::size_t>(child)] = true;
        }
    }
}

/// Labels of a node as the nodes are made one after the other. `remaining` counts for each label the nodes
/// not yet merged that have it, and the output: when it is one, nobody but its only owner needs the label.
class LabelFlow {
public:
    explicit LabelFlow(const Network& network)
        : remaining_(network.extents.size(), 0), seen_(network.extents.size(), -1) {
        for (const LabelIds& input : network.inputs) {
            distinct(input, {});
            for (const LabelId label : involved_) ++remaining_[static_cast<std::size_t>(label)];
        }
        distinct(network.output, {});
        for (const LabelId label : involved_) ++remaining_[static_cast<std::size_t>(label)];
    }

    LabelIds leaf(const LabelIds& input) {
        distinct(input, {});
        return kept();
    }

    /// Replaces two nodes by their contraction.
    LabelIds merge(const LabelIds& a, const LabelIds& b) {
        distinct(a, b);
        for (const LabelId label : a) --remaining_[static_cast<std::size_t>(label)];
        for (const LabelId label : b) --remaining_[static_cast<std::size_t>(label)];
        for (const LabelId label : involved_) ++remaining_[static_cast<std::size_t>(label)];
        return kept();
    }

private:
    void distinct(const LabelIds& a, const LabelIds& b) {
        involved_.clear();
        ++round_;
        for (const LabelIds* labels : {&a, &b}) {
            for (const LabelId label : *labels) {
                if (std::exchange(seen_[static_cast<std::size_t>(label)], round_) != round_)
                    involved_.push_back(label);
            }
        }
    }

    LabelIds kept() {
        LabelIds labels;
        for (const LabelId label : involved_) {
            int& left = remaining_[static_cast<std::size_t>(label)];
            if (left > 1)
                labels.push_back(label);
            else
                left = 0;
        }
        return labels;
    }

    std::vector<int> remaining_;
    std::vector<int> seen_;
    LabelIds involved_;
    int round_ = -1;
};

}  // namespace

ContractionTree tree_from_path(std::span<const std::vector<int>> path, std::size_t operand_count) try {
    if (operand_count == 0) throw Error(ErrorKind::InvalidArgument, kPathOp, "there are no operands");
    ShrinkingList list(operand_count, operand_count + path.size());
    std::vector<int> node_in_slot(operand_count);
    std::iota(node_in_slot.begin(), node_in_slot.end(), 0);

    ContractionTree tree;
    tree.merges.reserve(operand_count - 1);
    const auto merge = [&](int a, int b) {
        tree.merges.emplace_back(a, b);
        return static_cast<int>(operand_count + tree.merges.size() - 1);
    };
    std::vector<std::size_t> slots;
    for (std::size_t s = 0; s < path.size(); ++s) {
        check_step(path[s], s, list.length());
        slots.clear();
        for (const int position : path[s]) slots.push_back(list.slot_at(static_cast<std::size_t>(position)));
        int node = node_in_slot[slots[0]];
        for (std::size_t i = 1; i < slots.size(); ++i) node = merge(node, node_in_slot[slots[i]]);
        for (const std::size_t slot : slots) list.remove(slot);
        list.append();
        node_in_slot.push_back(node);
    }
    int node = node_in_slot[list.slot_at(0)];
    for (std::size_t position = 1; position < list.length(); ++position)
        node = merge(node, node_in_slot[list.slot_at(position)]);
    return tree;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("path");
}

std::vector<std::vector<int>> path_from_tree(const ContractionTree& tree) try {
    const std::size_t operands = tree.merges.size() + 1;
    check_tree(operands, tree);
    ShrinkingList list(operands, operands + tree.merges.size());
    std::vector<std::vector<int>> path;
    path.reserve(tree.merges.size());
    for (const auto& [first, second] : tree.merges) {
        const auto a = static_cast<std::size_t>(first), b = static_cast<std::size_t>(second);
        path.push_back({static_cast<int>(list.position_of(a)), static_cast<int>(list.position_of(b))});
        list.remove(a);
        list.remove(b);
        list.append();
    }
    return path;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("path");
}

std::vector<LabelIds> node_labels(const Network& network, const ContractionTree& tree) try {
    check_tree(network.inputs.size(), tree);
    LabelFlow flow(network);
    std::vector<LabelIds> labels;
    labels.reserve(network.inputs.size() + tree.merges.size());
    for (const LabelIds& input : network.inputs) labels.push_back(flow.leaf(input));
    for (const auto& [a, b] : tree.merges)
        labels.push_back(
            flow.merge(labels[static_cast<std::size_t>(a)], labels[static_cast<std::size_t>(b)]));
    return labels;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
