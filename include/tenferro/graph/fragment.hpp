// FragmentBuilder: where derivative rules put the nodes they make. It numbers values locally and interns
// nodes, so that the same operation on the same values in the same mode is one node.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <variant>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/graph/value_key.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace op_graph {

/// A value that a new node may take: one of the builder's, or one of any graph.
template <class Op>
using ValRef = std::variant<LocalValId, GlobalValKey<Op>>;

template <class Op>
class FragmentBuilder {
public:
    using Key = GlobalValKey<Op>;

    FragmentBuilder() = default;
    FragmentBuilder(const FragmentBuilder&) = delete;
    FragmentBuilder& operator=(const FragmentBuilder&) = delete;

    /// The local number of a value of any graph.
    LocalValId import(const Key& key) {
        const auto [found, added] = numbers_.try_emplace(key, LocalValId{values_.size()});
        if (added) values_.push_back(key);
        return found->second;
    }
    /// The outputs of `op` on `inputs`. Throws InvalidConfig where their number is not the operation's, and
    /// what its inference throws.
    std::vector<LocalValId> add_op(const Op& op, std::span<const ValRef<Op>> inputs, OpMode mode) {
        if (inputs.size() != op.n_inputs())
            throw Error(ErrorKind::InvalidConfig, op.name(), op.arity_text(inputs.size()));
        std::vector<Key> keys;
        for (const ValRef<Op>& input : inputs) keys.push_back(key(input));
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (linear_.count(keys[i].node()) != 0)
                throw Error(ErrorKind::InvalidConfig, op.name(),
                            text("a transpose rule gave it a value of the linear flow as input ", i,
                                 ", but only residuals and cotangents are there in reverse mode"));
        const Key first = Key::result(op, std::move(keys), std::move(mode));
        std::vector<LocalValId> outputs;
        const LocalValId interned = import(first);
        for (std::size_t slot = 0; slot < op.n_outputs(); ++slot)
            outputs.push_back(slot == 0 ? interned : import(key(interned).sibling(slot)));
        return outputs;
    }

    /// Whether `id` is a number of this builder.
    [[nodiscard]] bool has(LocalValId id) const noexcept { return id.index < values_.size(); }
    [[nodiscard]] const Key& key(LocalValId id) const noexcept { return values_[id.index]; }
    [[nodiscard]] const Key& key(const ValRef<Op>& value) const noexcept {
        const auto* local = std::get_if<LocalValId>(&value);
        return local != nullptr ? key(*local) : std::get<Key>(value);
    }

    /// From now on add_op refuses the outputs of this node: they are the linear flow that is being
    /// transposed.
    void forbid(const Key& value) { linear_.insert(value.node()); }

private:
    std::vector<Key> values_;
    std::unordered_map<Key, LocalValId, KeyHash<Op>> numbers_;
    std::unordered_set<const void*> linear_;
};

}}}  // namespace tenferro::TENFERRO_ABI::op_graph
