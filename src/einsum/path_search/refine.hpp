// TreeRefiner: local improvement of a contraction tree by subtree reconfiguration (Gray and Kourtis 2021).
#pragma once

#include "einsum/path_search/random.hpp"
#include "einsum/path_search/state.hpp"

namespace tenferro::inline TENFERRO_ABI::einsum {

class TreeRefiner {
public:
    /// Takes the tree of a finished contraction of `problem`, which must outlive this object. `frontier` is the number of
    /// tensors between which the order is optimised at a time.
    TreeRefiner(const ContractionState& state, const Problem& problem, std::size_t frontier);

    /// Replaces the top of each subtree that matters, down to `frontier` tensors, by the optimal tree over these. Returns
    /// how many it searched.
    std::size_t pass(Random& random);

    /// log2 of the work of the whole tree.
    [[nodiscard]] double flop_bits() const { return flop_bits_; }
    [[nodiscard]] Merges merges() const;

private:
    struct Node {
        LabelIds labels;
        double bits = 0;
        double flop_bits = 0;
        int left = -1, right = -1;
    };

    [[nodiscard]] double merge_flop_bits(int left, int right, const LabelIds& kept) const;
    void add_up_flops();
    void choose_frontier(int root, Random& random);
    [[nodiscard]] Problem frontier_problem(int root);
    bool reconfigure(int root, Random& random);
    void replace(const Problem& sub, const Merges& order);

    const Problem* problem_;
    int leaves_;
    std::size_t frontier_limit_;
    std::vector<Node> nodes_;
    double flop_bits_ = 0;
    double negligible_flops_ = 0;
    /// Of the subtree under work: its inner nodes, root first, and the nodes below them.
    std::vector<int> inner_, frontier_;
    /// Labels of the frontier, ascending, and the place of each label among them.
    LabelIds global_;
    std::vector<int> local_;
};

}  // namespace tenferro::inline TENFERRO_ABI::einsum
