// Problem: one level of a path search, tensors that are to be contracted into one. A level is the whole
// network, one parenthesised group of it, or a few neighbouring nodes of a tree that is being improved.
#pragma once

#include <utility>
#include <vector>

#include "tenferro/einsum/network.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// Tensors 0 … n-1; merge m makes node n + m out of two earlier nodes.
using Merges = std::vector<std::pair<int, int>>;

struct Problem {
    /// Labels of each tensor, ascending and distinct.
    std::vector<LabelIds> tensors;
    /// log2 of each label's extent, at least 0.
    std::vector<double> bits;
    /// For each label how many tensors have it, plus one if the result keeps it; at least 2.
    std::vector<int> uses;
    /// For each tensor whether it is computed, rather than given by the caller.
    std::vector<bool> computed;
};

/// Sizes are cut off here, so that sums and ratios of them are finite.
inline constexpr double kLargestSize = 1e250;

inline std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// The merges of a binary tree whose first `leaves` nodes are the tensors and whose last is the root:
/// children before parents, numbered as Merges are. A Node has `left` and `right`.
template <class Node>
Merges merges_of_tree(const std::vector<Node>& nodes, int leaves) {
    std::vector<int> inner, open{static_cast<int>(nodes.size()) - 1}, number(nodes.size());
    while (!open.empty()) {
        const int node = open.back();
        open.pop_back();
        number[index(node)] = node;
        if (node < leaves) continue;
        inner.push_back(node);
        open.push_back(nodes[index(node)].left);
        open.push_back(nodes[index(node)].right);
    }
    Merges merges;
    for (auto node = inner.rbegin(); node != inner.rend(); ++node) {
        number[index(*node)] = leaves + static_cast<int>(merges.size());
        merges.emplace_back(number[index(nodes[index(*node)].left)],
                            number[index(nodes[index(*node)].right)]);
    }
    return merges;
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
