// Forward mode: from a graph to the linear map that is its derivative at the graph's values. Each node on a
// path from the chosen values to the outputs contributes what its operation's linearize rule emits; a tangent
// that is zero stays absent.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "tenferro/base/function_ref.hpp"
#include "tenferro/graph/fragment.hpp"
#include "tenferro/graph/resolve.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace op_graph {

/// A linear map: each output is linear in the inputs and may depend on any primal value. Absent outputs are
/// zero.
template <class Op>
struct LinearFragment {
    std::vector<GlobalValKey<Op>> inputs;
    std::vector<std::optional<GlobalValKey<Op>>> outputs;
};

/// The derivative of `outputs` with respect to `at`, which may be any distinct values, along one tangent for
/// each of them (absent ones are zero) and the fragment's inputs. `Context` is what rules ask for metadata
/// and for which outputs are wanted, and record guards in. Results of operations that `is_constant` names are
/// taken for constants. Throws what the rules throw.
template <class Op, class Context>
LinearFragment<Op> linearize(
    std::span<const GlobalValKey<Op>> outputs, std::span<const GlobalValKey<Op>> at,
    std::span<const std::optional<GlobalValKey<Op>>> along, FragmentBuilder<Op>& builder, Context& context,
    FunctionRef<bool(const Op&)> is_constant = [](const Op&) { return false; }) {
    using Key = GlobalValKey<Op>;
    std::unordered_map<Key, std::optional<LocalValId>, KeyHash<Op>> tangents;
    LinearFragment<Op> result;
    for (std::size_t i = 0; i < at.size(); ++i) {
        if (along[i]) result.inputs.push_back(*along[i]);
        tangents.emplace(at[i], along[i] ? std::optional(builder.import(*along[i])) : std::nullopt);
    }
    const auto tangent_of = [&](const Key& key) -> std::optional<LocalValId> {
        const auto found = tangents.find(key);
        return found == tangents.end() ? std::nullopt : found->second;
    };
    const std::vector<Key> order = resolve<Op>(outputs);
    std::unordered_set<Key, KeyHash<Op>> read;  // of the outputs of operations with several
    const auto mark = [&](const Key& key) {
        if (!key.is_input() && key.op().n_outputs() > 1) read.insert(key);
    };
    for (const Key& output : outputs) mark(output);
    for (const Key& node : order)
        if (!node.is_input())
            for (const Key& input : node.inputs()) mark(input);
    for (const Key& node : order) {
        if (node.is_input()) continue;
        std::vector<std::optional<LocalValId>> tangent_in;
        bool active = false;
        for (const Key& input : node.inputs()) {
            tangent_in.push_back(tangent_of(input));
            active = active || tangent_in.back();
        }
        if (!active || is_constant(node.op())) continue;
        std::vector<Key> primal_out;
        std::vector<bool> wanted;
        for (std::size_t slot = 0; slot < node.op().n_outputs(); ++slot) {
            primal_out.push_back(node.sibling(slot));
            wanted.push_back(node.op().n_outputs() == 1 || read.count(primal_out.back()) != 0);
        }
        context.want(std::move(wanted));
        const auto tangent_out = node.op().linearize(builder, node.inputs(), primal_out, tangent_in, context);
        // A value of `at` keeps the tangent that it was given, or none.
        for (std::size_t slot = 0; slot < primal_out.size(); ++slot)
            if (tangent_out[slot]) tangents.emplace(primal_out[slot], tangent_out[slot]);
    }
    for (const Key& output : outputs) {
        const auto tangent = tangent_of(output);
        result.outputs.push_back(tangent ? std::optional(builder.key(*tangent)) : std::nullopt);
    }
    return result;
}

}}}  // namespace tenferro::TENFERRO_ABI::op_graph
