// ContractionTree: in which order a network is contracted pairwise, and what that costs.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "tenferro/einsum/network.hpp"
#include "tenferro/tensor_core/dtype.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// Nodes 0 … n-1 are the operands; merge m makes node n + m out of two earlier nodes. n - 1 merges for n
/// operands.
struct ContractionTree {
    std::vector<std::pair<int, int>> merges;

    friend bool operator==(const ContractionTree&, const ContractionTree&) = default;
};

/// Cost of contracting a network along a tree, in double because they overflow integers.
struct ContractionCost {
    double flops =
        0;  ///< per merge: product of the extents of all labels involved, doubled when a label is summed
    double bytes = 0;  ///< read and written by the merges, every tensor once per merge that it takes part in
    double seconds = 0;               ///< predicted for one thread (einsum/cost_model.hpp)
    double largest_intermediate = 0;  ///< elements of the largest tensor that a merge makes
    double total_writes = 0;          ///< elements of all tensors that merges make
    /// Most bytes alive at once in the order of the merges: what was computed and is still needed, with the
    /// operands and the result of the merge at work. The network's operands are the caller's and not counted,
    /// a sum over a label that one operand has alone is; the scratch memory of a merge is not.
    double peak_bytes = 0;
    double slices = 1;  ///< how many times the part of the tree that depends on sliced labels is run
};

/// A path in the shrinking-list form of opt_einsum and of the public benchmark files: each step lists
/// positions that are removed from the list of tensors, their result goes to its end. A step may list one,
/// two or more positions; a path that leaves several tensors is completed by contracting these in order.
/// Throws InvalidArgument naming step and position.
[[nodiscard]] TENFERRO_API ContractionTree tree_from_path(std::span<const std::vector<int>> path,
                                                          std::size_t operand_count);
/// The same tree as shrinking-list pairs.
[[nodiscard]] TENFERRO_API std::vector<std::vector<int>> path_from_tree(const ContractionTree& tree);

/// For tensors of `dtype`.
[[nodiscard]] TENFERRO_API ContractionCost cost(const Network& network, const ContractionTree& tree,
                                                DType dtype = DType::F64);

/// For every node of the tree the labels it keeps: those of its operands (each once) that the output or a
/// node outside still needs. In the order of first appearance in the left, then the right child.
[[nodiscard]] TENFERRO_API std::vector<LabelIds> node_labels(const Network& network,
                                                             const ContractionTree& tree);

/// The same tree with its merges in the order that keeps the fewest bytes alive when every subtree is
/// finished before another one is begun: of two subtrees the one that needs more room beyond its result goes
/// first.
[[nodiscard]] TENFERRO_API ContractionTree in_low_peak_order(const Network& network,
                                                             const ContractionTree& tree);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
