// TreeAnnealer: simulated annealing of a contraction tree by rotations (Kalachev, Panteleev and Yung 2021).
#pragma once

#include <cstdint>
#include <vector>

#include "einsum/path_search/label_sets.hpp"
#include "einsum/path_search/measure.hpp"
#include "einsum/path_search/problem.hpp"
#include "einsum/path_search/random.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

class TreeAnnealer {
public:
    /// `problem` has at least three tensors and must outlive this object.
    TreeAnnealer(const Problem& problem, const Measure& measure);

    /// Starts from a tree.
    void start(const Merges& merges);
    /// Tries `count` rotations at a temperature; a rotation that multiplies the cost of its two merges by r
    /// is made with probability min(1, r^(-1/temperature)).
    void rotate(std::size_t count, double temperature, Random& random);

    /// Sum of the measure over the tree.
    [[nodiscard]] double cost() const;
    [[nodiscard]] Merges merges() const;
    /// Words that a set of labels takes, and labels of a node on average: the work of a rotation grows with
    /// both.
    [[nodiscard]] std::size_t words() const { return words_; }
    [[nodiscard]] double mean_labels() const;

private:
    struct Node {
        int left = -1, right = -1;
        double size = 1, cost = 0;
    };
    /// root = (child = (stays, moves_up), other) would become root = (child = (stays, other), moves_up).
    struct Rotation {
        int root, child, other, stays, moves_up;
    };

    [[nodiscard]] std::uint64_t* labels(int node) { return &labels_[index(node) * words_]; }
    [[nodiscard]] const std::uint64_t* labels(int node) const { return &labels_[index(node) * words_]; }
    /// Of a merge of tensors of these sizes, whose summed labels have the product of extents `summed`.
    [[nodiscard]] double merge_cost(double left, double right, double out, double summed) const;
    [[nodiscard]] Rotation choose(Random& random) const;

    const Problem& problem_;
    Measure measure_;
    int leaves_;
    LabelSets sets_;
    std::size_t words_;
    std::vector<Node> nodes_;
    std::vector<std::uint64_t> labels_;  // of each node, a set in `words_` words
    /// Of a rotation: the labels that the child would have, and those that the two merges would sum.
    std::vector<std::uint64_t> made_, summed_below_, summed_above_;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
