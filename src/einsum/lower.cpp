// Lowering of a contraction tree to a step list. Every label list is decided here; nothing below this file
// knows labels except as data in the steps.
#include <algorithm>
#include <new>
#include <utility>

#include "einsum/program_builder.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/einsum/label_positions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// Labels of a contraction's result in the order dot_general gives them: free of lhs, free of rhs, batch.
LabelIds contracted_labels(const LabelIds& lhs, const LabelIds& rhs, const LabelIds& kept) {
    const LabelPositions in_lhs(lhs), in_rhs(rhs), in_kept(kept);
    LabelIds out;
    for (const LabelId label : lhs)
        if (!in_rhs.contains(label)) out.push_back(label);
    for (const LabelId label : rhs)
        if (!in_lhs.contains(label)) out.push_back(label);
    for (const LabelId label : lhs)
        if (in_rhs.contains(label) && in_kept.contains(label)) out.push_back(label);
    return out;
}

/// Whether one list is a permutation of the other.
bool same_labels(LabelIds a, LabelIds b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
}

}  // namespace

Program lower(const Network& network, const ContractionTree& tree) try {
    const int n = static_cast<int>(network.inputs.size());
    ProgramBuilder builder(n, network.extents);
    if (n == 1) {
        const auto result = builder.rearrange({0, network.inputs[0]}, network.output);
        return std::move(builder).finish({result});
    }

    const std::vector<LabelIds> kept = node_labels(network, tree);
    std::vector<LabelledSlot> nodes;
    for (int i = 0; i < n; ++i) nodes.push_back({i, network.inputs[i]});
    const bool output_is_root = same_labels(network.output, kept.back());
    for (std::size_t m = 0; m < tree.merges.size(); ++m) {
        // What an operand has alone is summed just before its merge, so that the sum does not take up memory
        // earlier.
        for (const int node : {tree.merges[m].first, tree.merges[m].second})
            if (node < n && nodes[node].labels != kept[node])
                nodes[node] = builder.rearrange(nodes[node], kept[node]);
        const LabelledSlot &lhs = nodes[tree.merges[m].first], &rhs = nodes[tree.merges[m].second];
        const bool is_root = m + 1 == tree.merges.size();
        nodes.push_back(builder.contract(lhs, rhs,
                                         is_root && output_is_root
                                             ? network.output
                                             : contracted_labels(lhs.labels, rhs.labels, kept[n + m])));
    }
    if (!output_is_root) nodes.push_back(builder.rearrange(nodes.back(), network.output));
    return std::move(builder).finish({nodes.back()});
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
