// TreeRefiner: local improvement of a contraction tree by subtree reconfiguration (Gray and Kourtis 2021).
#pragma once

#include "einsum/path_search/budget.hpp"
#include "einsum/path_search/random.hpp"
#include "einsum/path_search/state.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

class TreeRefiner {
public:
    /// Takes the tree of a finished contraction of `problem`, which must outlive this object. `frontier` is
    /// the number of tensors between which the order is optimised at a time.
    TreeRefiner(const ContractionState& state, const Problem& problem, const Measure& measure,
                std::size_t frontier);

    /// Replaces the top of each subtree that matters, down to `frontier` tensors, by the optimal tree over
    /// these, as long as there is time and at most `most` of them. Returns how many it searched.
    std::size_t pass(const Budget& budget, std::size_t most, Random& random);

    /// Sum of the measure over the tree.
    [[nodiscard]] double cost() const { return cost_; }
    [[nodiscard]] Merges merges() const;

private:
    struct Node {
        LabelIds labels;
        double bits = 0;
        double cost = 0;
        int left = -1, right = -1;
    };

    [[nodiscard]] double merge_cost(int left, int right, const Node& out) const;
    void add_up();
    void choose_frontier(int root, Random& random);
    [[nodiscard]] Problem frontier_problem(int root);
    bool reconfigure(int root, Random& random);
    void replace(const Problem& sub, const Merges& order);

    const Problem* problem_;
    Measure measure_;
    int leaves_;
    std::size_t frontier_limit_;
    std::vector<Node> nodes_;
    double cost_ = 0;
    double negligible_ = 0;
    /// Of the subtree under work: its inner nodes, root first, and the nodes below them.
    std::vector<int> inner_, frontier_;
    /// Labels of the frontier, ascending, and the place of each label among them.
    LabelIds global_;
    std::vector<int> local_;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
