// Lowering of a contraction tree to a step list. Every label list is decided here; nothing below this file
// knows labels except as data in the steps.
#include <algorithm>
#include <utility>

#include "einsum/program_builder.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace einsum {

namespace {

bool contains(const LabelIds& labels, LabelId label) {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
}

/// Labels of a contraction's result in the order dot_general gives them: free of lhs, free of rhs, batch.
LabelIds contracted_labels(const LabelIds& lhs, const LabelIds& rhs, const LabelIds& kept) {
    LabelIds out;
    for (const LabelId label : lhs)
        if (!contains(rhs, label)) out.push_back(label);
    for (const LabelId label : rhs)
        if (!contains(lhs, label)) out.push_back(label);
    for (const LabelId label : lhs)
        if (contains(rhs, label) && contains(kept, label)) out.push_back(label);
    return out;
}

}  // namespace

Program lower(const Network& network, const ContractionTree& tree) {
    const int n = static_cast<int>(network.inputs.size());
    ProgramBuilder builder(n, network.extents);
    if (n == 1) return std::move(builder).finish({builder.rearrange({0, network.inputs[0]}, network.output)});

    const std::vector<LabelIds> kept = node_labels(network, tree);
    std::vector<LabelledSlot> nodes;
    for (int i = 0; i < n; ++i) nodes.push_back({i, network.inputs[i]});
    const bool output_is_root = std::is_permutation(network.output.begin(), network.output.end(),
                                                    kept.back().begin(), kept.back().end());
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
}

}}}  // namespace tenferro::TENFERRO_ABI::einsum
