// GlobalValKey: the name of a value anywhere in any graph, which is its structure: an input, or an output
// slot of an operation in a mode on other such values. Keys are handles to immutable nodes, so a fragment
// refers to values of other fragments without copying them, and graphs are shared freely between threads.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "tenferro/graph/op_mode.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace op_graph {

/// What the graph needs of an operation: a regular, hashable value that knows its arity and infers the
/// description (Meta) of its outputs. The drivers of linearize.hpp and transpose.hpp also call its derivative
/// rules.
template <class Op>
concept GraphOp = requires(const Op& op, std::span<const typename Op::Meta> metas) {
    { op == op } -> std::convertible_to<bool>;
    { op.hash() } -> std::convertible_to<std::uint64_t>;
    { op.n_inputs() } -> std::convertible_to<std::size_t>;
    { op.n_outputs() } -> std::convertible_to<std::size_t>;
    { op.infer(metas) } -> std::convertible_to<std::vector<typename Op::Meta>>;
};

template <class Op>
class GlobalValKey {
public:
    using Meta = typename Op::Meta;

    /// The input `id` (of new_input_id), described by `meta`.
    static GlobalValKey input(std::uint64_t id, Meta meta) {
        return {std::make_shared<Node>(id, std::move(meta)), 0};
    }
    /// Output `slot` of `op` on `inputs`. Throws what the operation's inference throws.
    static GlobalValKey result(Op op, std::vector<GlobalValKey> inputs, OpMode mode, std::size_t slot = 0) {
        return {std::make_shared<Node>(std::move(op), std::move(inputs), std::move(mode)), slot};
    }
    /// Another output of the same node.
    [[nodiscard]] GlobalValKey sibling(std::size_t slot) const { return {node_, slot}; }

    [[nodiscard]] bool is_input() const noexcept { return !node_->op; }
    /// Of an input.
    [[nodiscard]] std::uint64_t input_id() const noexcept { return node_->id; }
    // Of a result.
    [[nodiscard]] const Op& op() const noexcept { return *node_->op; }
    [[nodiscard]] std::span<const GlobalValKey> inputs() const noexcept { return node_->inputs; }
    [[nodiscard]] const OpMode& mode() const noexcept { return node_->mode; }
    [[nodiscard]] std::size_t slot() const noexcept { return slot_; }
    [[nodiscard]] const Meta& meta() const noexcept { return node_->metas[slot_]; }
    /// The same for all outputs of one node.
    [[nodiscard]] const void* node() const noexcept { return node_.get(); }

    [[nodiscard]] std::uint64_t hash() const noexcept { return node_->hash + slot_; }
    /// Structural equality.
    friend bool operator==(const GlobalValKey& a, const GlobalValKey& b) {
        return a.slot_ == b.slot_ &&
               (a.node_ == b.node_ || (a.node_->hash == b.node_->hash && equal(*a.node_, *b.node_)));
    }

private:
    struct Node {
        std::uint64_t id = 0;  // of an input
        std::optional<Op> op;  // absent for an input
        std::vector<GlobalValKey> inputs;
        OpMode mode;
        std::vector<Meta> metas;
        std::uint64_t hash;
        mutable std::shared_ptr<const Node> next_dead;

        Node(std::uint64_t input_id, Meta meta) : id(input_id) {
            metas.push_back(std::move(meta));
            Hasher hasher;
            hasher.add(id);
            hash = hasher.value();
        }
        Node(Op the_op, std::vector<GlobalValKey> the_inputs, OpMode the_mode)
            : inputs(std::move(the_inputs)), mode(std::move(the_mode)) {
            std::vector<Meta> input_metas;
            for (const GlobalValKey& key : inputs) input_metas.push_back(key.meta());
            metas = the_op.infer(input_metas);
            Hasher hasher;
            hasher.add(the_op.hash());
            mode.add_to(hasher);
            for (const GlobalValKey& key : inputs) hasher.add(key.hash());
            hash = hasher.value();
            op = std::move(the_op);
        }
        // A chain of nodes may be longer than the stack is deep: nodes that die with this one form a list,
        // not a recursion.
        ~Node() {
            std::shared_ptr<const Node> dead = take_inputs(*this, nullptr);
            while (dead) {
                std::shared_ptr<const Node> rest = take_inputs(*dead, std::move(dead->next_dead));
                dead = std::move(rest);
            }
        }
        Node(const Node&) = delete;
        Node& operator=(const Node&) = delete;
    };

    GlobalValKey(std::shared_ptr<const Node> node, std::size_t slot) : node_(std::move(node)), slot_(slot) {}

    /// Puts the inputs of `node` that nobody else holds in front of `list`.
    static std::shared_ptr<const Node> take_inputs(const Node& node,
                                                   std::shared_ptr<const Node> list) noexcept {
        for (GlobalValKey& key : const_cast<Node&>(node).inputs) {
            const std::shared_ptr<const Node> input = std::move(key.node_);
            if (input.use_count() != 1) continue;
            input->next_dead = std::move(list);
            list = input;
        }
        return list;
    }

    /// Compares pairs of nodes from the top down, each pair once.
    static bool equal(const Node& first, const Node& second) {
        std::vector<std::pair<const Node*, const Node*>> pending{{&first, &second}};
        std::set<std::pair<const Node*, const Node*>> seen;
        while (!pending.empty()) {
            const auto [a, b] = pending.back();
            pending.pop_back();
            if (a == b) continue;
            if (a->hash != b->hash || a->op.has_value() != b->op.has_value() ||
                a->inputs.size() != b->inputs.size())
                return false;
            if (!a->op) {
                if (a->id != b->id) return false;
                continue;
            }
            if (!(*a->op == *b->op) || !(a->mode == b->mode)) return false;
            if (!seen.insert({a, b}).second) continue;
            for (std::size_t i = 0; i < a->inputs.size(); ++i) {
                if (a->inputs[i].slot_ != b->inputs[i].slot_) return false;
                pending.emplace_back(a->inputs[i].node_.get(), b->inputs[i].node_.get());
            }
        }
        return true;
    }

    std::shared_ptr<const Node> node_;
    std::size_t slot_ = 0;
};

template <class Op>
struct KeyHash {
    std::size_t operator()(const GlobalValKey<Op>& key) const noexcept { return key.hash(); }
};

}}}  // namespace tenferro::TENFERRO_ABI::op_graph
