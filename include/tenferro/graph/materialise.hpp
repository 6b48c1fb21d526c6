// Materialise: from keys to a flat list of nodes in order, once and late. Values that have the same
// operation, mode and inputs unify here, and inputs get their positions as names, so that two graphs of the
// same structure are equal and hash equally whatever tensors and fragments they were built from.
#pragma once

#include <unordered_map>

#include "tenferro/base/error.hpp"
#include "tenferro/graph/resolve.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace op_graph {

/// An operation on numbered values.
template <class Op>
struct FlatNode {
    Op op;
    std::vector<std::uint32_t> inputs;
    OpMode mode;
    std::uint32_t first_output;  ///< its outputs are numbered from here on

    friend bool operator==(const FlatNode&, const FlatNode&) = default;
};

/// Values are numbered: first the inputs, then the outputs of each node.
template <class Op>
struct FlatGraph {
    std::vector<typename Op::Meta> inputs;
    std::vector<FlatNode<Op>> nodes;
    std::vector<std::uint32_t> outputs;

    [[nodiscard]] std::uint64_t hash() const noexcept {
        Hasher hasher;
        for (const FlatNode<Op>& node : nodes) {
            hasher.add(node.op.hash());
            for (const std::uint32_t value : node.inputs) hasher.add(value);
        }
        for (const std::uint32_t value : outputs) hasher.add(value);
        hasher.add(inputs.size());
        return hasher.value();
    }
    friend bool operator==(const FlatGraph&, const FlatGraph&) = default;
};

/// A flat graph, and which of its values a key is.
template <class Op>
struct Materialised {
    FlatGraph<Op> graph;
    std::unordered_map<GlobalValKey<Op>, std::uint32_t, KeyHash<Op>> given;  ///< numbers of the inputs
    std::unordered_map<const void*, std::uint32_t> first_value;              ///< of the other nodes

    [[nodiscard]] std::uint32_t number(const GlobalValKey<Op>& key) const {
        const auto found = given.find(key);
        return found != given.end() ? found->second
                                    : first_value.at(key.node()) + static_cast<std::uint32_t>(key.slot());
    }
};

/// The graph that computes `outputs` from `inputs`: distinct values, computed ones too, at which the graph is
/// cut. Graph inputs that the outputs depend on, by value or by extent, must be among them (MissingValue).
/// Symbolic extents are renamed from input ids to positions in `inputs`.
template <class Op>
Materialised<Op> materialise(std::span<const GlobalValKey<Op>> outputs,
                             std::span<const GlobalValKey<Op>> inputs) {
    using Key = GlobalValKey<Op>;
    struct NodeHash {
        std::size_t operator()(const FlatNode<Op>* node) const noexcept {
            Hasher hasher;
            hasher.add(node->op.hash());
            node->mode.add_to(hasher);
            for (const std::uint32_t value : node->inputs) hasher.add(value);
            return hasher.value();
        }
    };
    struct SameNode {
        bool operator()(const FlatNode<Op>* a, const FlatNode<Op>* b) const {
            return a->inputs == b->inputs && a->mode == b->mode && a->op == b->op;
        }
    };
    Materialised<Op> result;
    FlatGraph<Op>& flat = result.graph;
    std::unordered_map<std::uint64_t, std::uint64_t> positions;  // of input ids
    for (std::uint32_t i = 0; i < inputs.size(); ++i) {
        result.given.emplace(inputs[i], i);
        if (inputs[i].is_input()) positions.emplace(inputs[i].input_id(), i);
    }
    const auto position = [&](std::uint64_t id) {
        const auto found = positions.find(id);
        if (found == positions.end())
            throw Error(ErrorKind::MissingValue, "compile",
                        "an output depends on a graph input that is not among the inputs");
        return found->second;
    };

    for (const Key& input : inputs) flat.inputs.push_back(Op::renumber(input.meta(), position));
    std::unordered_map<const FlatNode<Op>*, std::uint32_t, NodeHash, SameNode> unified;
    auto values = static_cast<std::uint32_t>(inputs.size());
    const std::vector<Key> order =
        resolve<Op>(outputs, [&](const Key& key) { return result.given.count(key) != 0; });
    flat.nodes.reserve(order.size());  // `unified` points into it
    for (const Key& key : order) {
        if (key.is_input()) static_cast<void>(position(key.input_id()));  // throws: it is not given
        std::vector<std::uint32_t> in;
        for (const Key& input : key.inputs()) in.push_back(result.number(input));
        flat.nodes.push_back({key.op().renumber(position), std::move(in), key.mode(), values});
        const auto [found, added] = unified.try_emplace(&flat.nodes.back(), values);
        result.first_value.emplace(key.node(), found->second);
        if (added)
            values += static_cast<std::uint32_t>(key.op().n_outputs());
        else
            flat.nodes.pop_back();
    }
    for (const Key& output : outputs) flat.outputs.push_back(result.number(output));
    return result;
}

}}}  // namespace tenferro::TENFERRO_ABI::op_graph
