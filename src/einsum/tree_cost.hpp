// TreeCost: what a contraction tree costs, whole or in slices. Made once for a tree, asked for many choices
// of sliced labels: a question walks over the nodes and makes no networks.
#pragma once

#include "einsum/cost_model.hpp"
#include "tenferro/einsum/contraction_tree.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

class TreeCost {
public:
    /// Both must outlive this object.
    TreeCost(const Network& network, const ContractionTree& tree, DType dtype);

    /// Cost of all slices and of the parts without sliced labels, which are computed once and before; the
    /// peak includes these, the result and the sum under way.
    [[nodiscard]] ContractionCost of(const LabelIds& sliced);
    /// Bytes that one more slice takes while it runs.
    [[nodiscard]] double slice_bytes(const LabelIds& sliced);

    [[nodiscard]] const std::vector<LabelIds>& labels() const { return labels_; }

private:
    /// What is computed together: a part, or a slice.
    struct Zone {
        double live = 0, peak = 0;  // elements
    };

    void fix(const LabelIds& sliced);
    [[nodiscard]] bool held(std::size_t operand) const;
    [[nodiscard]] double elements(const LabelIds& labels) const;
    [[nodiscard]] ContractionCost walk();
    void finish_slice();

    const Network& network_;
    const ContractionTree& tree_;
    ElementCost element_;
    std::size_t operands_;
    std::vector<LabelIds> labels_;  ///< of each node
    /// Of operands: labels that they have alone and that are summed first. Of merges: labels that are summed.
    std::vector<LabelIds> summed_;
    std::vector<std::size_t> parent_;  ///< of the root: itself

    // For the labels that are sliced at present.
    std::vector<bool> sliced_;       ///< by label
    std::vector<bool> in_slice_;     ///< by node: it is computed once per slice
    std::vector<std::size_t> root_;  ///< by node outside slices: the root of its part
    std::vector<double> size_;       ///< by node: elements, of one slice
    std::vector<Zone> zones_;        ///< by root of a part; the last one is the slice
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
