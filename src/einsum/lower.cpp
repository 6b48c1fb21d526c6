// Lowering of a contraction tree to a step list. Every label list is decided here and in layout.cpp; nothing
// below knows labels except as data in the steps.
#include <new>
#include <utility>

#include "einsum/layout.hpp"
#include "einsum/program_builder.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

Program lower(const Network& network, const ContractionTree& tree) try {
    const int n = static_cast<int>(network.inputs.size());
    ProgramBuilder builder(n, network.extents);
    if (n == 1) {
        const auto result = builder.rearrange({0, network.inputs[0]}, network.output);
        return std::move(builder).finish({result});
    }

    const std::vector<LabelIds> order = choose_layouts(network, tree);
    std::vector<LabelledSlot> nodes;
    for (int i = 0; i < n; ++i) nodes.push_back({i, network.inputs[i]});
    for (std::size_t m = 0; m < tree.merges.size(); ++m) {
        // What an operand has alone is summed just before its merge, so that the sum does not take up memory
        // earlier.
        for (const int node : {tree.merges[m].first, tree.merges[m].second})
            if (node < n && nodes[node].labels != order[node])
                nodes[node] = builder.rearrange(nodes[node], order[node]);
        const LabelledSlot &lhs = nodes[tree.merges[m].first], &rhs = nodes[tree.merges[m].second];
        nodes.push_back(builder.contract(lhs, rhs, order[n + m]));
    }
    if (nodes.back().labels != network.output)
        nodes.push_back(builder.rearrange(nodes.back(), network.output));
    return std::move(builder).finish({nodes.back()});
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
