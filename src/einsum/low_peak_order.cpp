// The order of a tree's merges that keeps the fewest bytes alive.
#include <algorithm>
#include <new>
#include <numeric>

#include "tenferro/base/error.hpp"
#include "tenferro/einsum/contraction_tree.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// Extents of 0 count as 1: trees of networks with zero extents are ordered like those with ones.
double elements(const Network& network, const LabelIds& labels) {
    return std::accumulate(labels.begin(), labels.end(), 1.0, [&](double product, LabelId label) {
        return product *
               static_cast<double>(std::max(network.extents[static_cast<std::size_t>(label)], Index{1}));
    });
}

/// Elements of what is computed for each node: nothing for an operand that is used as it is.
std::vector<double> held_elements(const Network& network, const std::vector<LabelIds>& labels) {
    std::vector<double> held;
    held.reserve(labels.size());
    for (std::size_t node = 0; node < labels.size(); ++node) {
        LabelIds distinct;
        if (node < network.inputs.size()) distinct = network.inputs[node];
        std::sort(distinct.begin(), distinct.end());
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        const bool computed = node >= network.inputs.size() || distinct.size() > labels[node].size();
        held.push_back(computed ? elements(network, labels[node]) : 0);
    }
    return held;
}

}  // namespace

ContractionTree in_low_peak_order(const Network& network, const ContractionTree& tree) try {
    if (tree.merges.size() < 2) return tree;
    const std::size_t operands = network.inputs.size();
    const std::vector<double> held = held_elements(network, node_labels(network, tree));
    // Room that each subtree needs, its result included, and which of its children is to go first.
    std::vector<double> room = held;
    std::vector<bool> right_first(tree.merges.size(), false);
    const auto at = [](int node) { return static_cast<std::size_t>(node); };
    for (std::size_t m = 0; m < tree.merges.size(); ++m) {
        const std::size_t left = at(tree.merges[m].first), right = at(tree.merges[m].second);
        right_first[m] = room[right] - held[right] > room[left] - held[left];
        const std::size_t first = right_first[m] ? right : left, second = right_first[m] ? left : right;
        room[operands + m] = std::max(
            {room[first], held[first] + room[second], held[first] + held[second] + held[operands + m]});
    }
    std::vector<std::size_t> order, open{tree.merges.size() - 1};
    while (!open.empty()) {
        const std::size_t m = open.back();
        open.pop_back();
        order.push_back(m);
        const auto& [left, right] = tree.merges[m];
        // What is opened last is listed first, and the list is read backwards.
        for (const int child : {right_first[m] ? right : left, right_first[m] ? left : right})
            if (at(child) >= operands) open.push_back(at(child) - operands);
    }
    ContractionTree ordered;
    std::vector<int> node(operands + tree.merges.size());
    std::iota(node.begin(), node.begin() + static_cast<std::ptrdiff_t>(operands), 0);
    for (auto m = order.rbegin(); m != order.rend(); ++m) {
        node[operands + *m] = static_cast<int>(operands + ordered.merges.size());
        ordered.merges.emplace_back(node[at(tree.merges[*m].first)], node[at(tree.merges[*m].second)]);
    }
    return ordered;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
