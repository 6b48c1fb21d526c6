// Graphs applied again: to other values, and in the rule of a derivative.
#pragma once

#include <unordered_set>
#include <vector>

#include "value.hpp"

namespace tenferro::python {

/// The inputs of the graph of `outputs` that are none of `inputs`.
[[nodiscard]] inline std::vector<GlobalValKey> free_inputs(const std::vector<TracedTensor>& outputs,
                                                           const std::vector<TracedTensor>& inputs) {
    std::unordered_set<const void*> seen;
    for (const TracedTensor& input : inputs) seen.insert(input.key().node());
    std::vector<GlobalValKey> pending, found;
    for (const TracedTensor& output : outputs) pending.push_back(output.key());
    while (!pending.empty()) {
        const GlobalValKey key = pending.back();
        pending.pop_back();
        if (!seen.insert(key.node()).second) continue;
        if (key.is_input())
            found.push_back(key);
        else
            pending.insert(pending.end(), key.inputs().begin(), key.inputs().end());
    }
    return found;
}

/// `outputs` with each of `inputs` replaced by the handle of the same place in `by`. Other inputs of the
/// graph are `free(key)`; `any` is a handle by which operations without operands are applied.
template <class H, class Free>
[[nodiscard]] std::vector<H> replayed(const std::vector<TracedTensor>& outputs,
                                      const std::vector<TracedTensor>& inputs, std::vector<H> by,
                                      const H& any, const Free& free) {
    std::vector<GlobalValKey> wanted, given;
    for (const TracedTensor& output : outputs) wanted.push_back(output.key());
    for (const TracedTensor& input : inputs) given.push_back(input.key());
    for (const GlobalValKey& key : free_inputs(outputs, inputs)) {
        given.push_back(key);
        by.push_back(free(key));
    }
    const auto flat = op_graph::materialise<StdTensorOp>(wanted, given).graph;
    for (const auto& node : flat.nodes) {
        std::vector<H> operands;
        for (const std::uint32_t input : node.inputs) operands.push_back(by[input]);
        for (H& made : any.apply_all(node.op, std::span<const H>(operands))) by.push_back(std::move(made));
    }
    std::vector<H> results;
    for (const std::uint32_t output : flat.outputs) results.push_back(by[output]);
    return results;
}

}  // namespace tenferro::python
