// Reverse mode: the transpose of a linear map under the real inner product. Cotangents flow from the outputs
// back along the links of the linear flow and add up where it fanned out; nothing of the linear flow itself
// stays referenced.
#pragma once

#include "tenferro/graph/linearize.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace op_graph {

/// Cotangents of map.inputs, given one for each of map.outputs; absent ones are zero.
template <class Op, class Context>
std::vector<std::optional<GlobalValKey<Op>>> transpose(
    const LinearFragment<Op>& map, std::span<const std::optional<GlobalValKey<Op>>> cotangents,
    FragmentBuilder<Op>& builder, Context& context) {
    using Key = GlobalValKey<Op>;
    std::unordered_map<Key, LocalValId, KeyHash<Op>> gathered;
    const auto add = [&](const Key& value, LocalValId cotangent) {
        const auto [found, first] = gathered.try_emplace(value, cotangent);
        if (!first) found->second = Op::add_cotangents(builder, found->second, cotangent);
    };
    const auto cotangent_of = [&](const Key& value) -> std::optional<LocalValId> {
        const auto found = gathered.find(value);
        return found == gathered.end() ? std::nullopt : std::optional(found->second);
    };

    // The links between the map's inputs and outputs; residuals are beyond it.
    std::unordered_set<const void*> linear;
    for (const Key& input : map.inputs) linear.insert(input.node());
    std::vector<Key> ends;
    for (const auto& output : map.outputs)
        if (output) ends.push_back(*output);
    std::vector<Key> links;
    for (const Key& node : resolve<Op>(ends)) {
        if (node.is_input()) continue;
        bool reached = false;
        for (std::size_t i = 0; i < node.inputs().size(); ++i)
            reached = reached || (node.mode().is_active(i) && linear.count(node.inputs()[i].node()) != 0);
        if (!reached) continue;
        linear.insert(node.node());
        links.push_back(node);
    }
    for (const Key& link : links) builder.forbid(link);
    for (const Key& input : map.inputs) builder.forbid(input);

    for (std::size_t k = 0; k < map.outputs.size(); ++k)
        if (map.outputs[k] && cotangents[k]) add(*map.outputs[k], builder.import(*cotangents[k]));
    for (auto link = links.rbegin(); link != links.rend(); ++link) {
        std::vector<std::optional<LocalValId>> cotangent_out;
        bool any = false;
        for (std::size_t slot = 0; slot < link->op().n_outputs(); ++slot) {
            cotangent_out.push_back(cotangent_of(link->sibling(slot)));
            any = any || cotangent_out.back();
        }
        if (!any) continue;
        std::vector<ValRef<Op>> inputs(link->inputs().begin(), link->inputs().end());
        const auto cotangent_in =
            link->op().transpose_rule(builder, cotangent_out, inputs, link->mode(), context);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (cotangent_in[i] && linear.count(link->inputs()[i].node()) != 0 && link->mode().is_active(i))
                add(link->inputs()[i], *cotangent_in[i]);
    }
    std::vector<std::optional<Key>> result;
    for (const Key& input : map.inputs) {
        const auto cotangent = cotangent_of(input);
        result.push_back(cotangent ? std::optional(builder.key(*cotangent)) : std::nullopt);
    }
    return result;
}

}}}  // namespace tenferro::TENFERRO_ABI::op_graph
