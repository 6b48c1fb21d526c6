// Resolve: the logical view of everything that some values depend on, in an order in which inputs come before
// their users. It copies nothing and is deterministic: the order follows the outputs and the inputs of each
// node alone.
#pragma once

#include <unordered_set>

#include "tenferro/graph/value_key.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace op_graph {

/// One key (slot 0) for each node that `outputs` depend on, inputs included. `stop` says of a node that it
/// and what is below it is not wanted.
template <class Op, class Stop>
std::vector<GlobalValKey<Op>> resolve(std::span<const GlobalValKey<Op>> outputs, Stop&& stop) {
    struct Visit {
        GlobalValKey<Op> key;
        std::size_t next = 0;
    };
    std::vector<GlobalValKey<Op>> order;
    std::unordered_set<const void*> seen;
    std::vector<Visit> path;
    const auto enter = [&](const GlobalValKey<Op>& key) {
        if (!stop(key) && seen.insert(key.node()).second) path.push_back({key.sibling(0)});
    };
    for (const GlobalValKey<Op>& output : outputs) {
        enter(output);
        while (!path.empty()) {
            Visit& visit = path.back();
            if (!visit.key.is_input() && visit.next < visit.key.inputs().size()) {
                enter(visit.key.inputs()[visit.next++]);  // may move `visit`
                continue;
            }
            order.push_back(std::move(visit.key));
            path.pop_back();
        }
    }
    return order;
}

template <class Op>
std::vector<GlobalValKey<Op>> resolve(std::span<const GlobalValKey<Op>> outputs) {
    return resolve<Op>(outputs, [](const GlobalValKey<Op>&) { return false; });
}

}}}  // namespace tenferro::TENFERRO_ABI::op_graph
