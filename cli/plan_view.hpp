// A contraction tree as people read it: merges with labels and costs, the tree as text, everything as JSON.
#pragma once

#include <string>
#include <vector>

#include "tenferro/base/json.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro::cli {

/// One pairwise contraction.
struct Merge {
    int left, right, result;  ///< node numbers; operands come first
    double flops;             ///< as ContractionCost counts them, of the whole network
    double elements;          ///< of the result
};

class PlanView {
public:
    explicit PlanView(const tensor_network::EinsumPlan& plan);

    [[nodiscard]] const std::vector<Merge>& merges() const noexcept { return merges_; }
    /// "ij,jk->ik" of one merge.
    [[nodiscard]] std::string merge_text(const Merge& merge) const;
    /// One line per node, children below their result. Very deep levels are no longer indented but numbered.
    /// At most `max_lines` lines (and at least one): the dearest subtrees are opened first, the others are a
    /// line that says how many operands and flops they have.
    [[nodiscard]] std::string tree_text(std::size_t max_lines) const;
    /// The `count` most expensive merges as a table, dearest first.
    [[nodiscard]] std::string table_text(std::size_t count) const;
    /// "none", or how many and over which labels.
    [[nodiscard]] std::string slices_text() const;
    /// Adds path (shrinking list), merges and cost to a report.
    void add_to(Json& report) const;

private:
    [[nodiscard]] std::string labels_text(int node) const;
    [[nodiscard]] double elements(const tensor_network::LabelIds& labels) const;
    [[nodiscard]] std::string node_text(int node) const;
    /// The merges whose children have lines of their own.
    [[nodiscard]] std::vector<bool> shown_with_children(std::size_t max_lines) const;

    /// The subtree of a node.
    struct Below {
        std::size_t operands;
        double flops;
    };

    const tensor_network::EinsumPlan& plan_;
    std::vector<tensor_network::LabelIds> labels_;  ///< of each node
    std::vector<Merge> merges_;
    int operands_;
    std::vector<Below> below_;  ///< of each node
};

}  // namespace tenferro::cli
