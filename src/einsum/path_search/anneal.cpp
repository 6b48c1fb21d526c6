// Rotations change two merges and the labels of one node, so a try costs a few operations on label sets,
// whatever the size of the tree. Hyperedges need no special care: the new node keeps what its tensors have
// and its aunt or the root still needs.
#include "einsum/path_search/anneal.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>
#include <utility>

#include "einsum/path_search/state.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

double product(std::uint64_t set, std::size_t word, const std::vector<double>& extents) {
    double size = 1;
    for (; set != 0; set &= set - 1)
        size *= extents[word * 64 + static_cast<std::size_t>(std::countr_zero(set))];
    return size;
}

}  // namespace

TreeAnnealer::TreeAnnealer(const Problem& problem, const Measure& measure)
    : problem_(problem),
      measure_(measure),
      leaves_(static_cast<int>(problem.tensors.size())),
      words_(problem.uses.size() / 64 + 1),
      made_(words_) {
    for (const double bits : problem.bits) extents_.push_back(std::exp2(bits));
}

void TreeAnnealer::start(const Merges& merges) {
    ContractionState state(problem_, measure_);
    nodes_.assign(problem_.tensors.size(), Node{});
    for (const auto& [left, right] : merges) {
        state.merge(left, right);
        nodes_.push_back({left, right, 1, 0});
    }
    labels_.assign(nodes_.size() * words_, 0);
    for (int node = 0; node < state.node_count(); ++node) {
        nodes_[index(node)].size = size_of_bits(state.bits(node));
        for (const LabelId label : state.labels(node))
            labels(node)[index(label) / 64] |= std::uint64_t{1} << (label % 64);
    }
    for (int node = leaves_; node < state.node_count(); ++node) {
        Node& made = nodes_[index(node)];
        made.cost = measure_.of_merge(sizes(made.left, made.right, labels(node), made.size));
    }
}

double TreeAnnealer::cost() const {
    double total = 0;
    for (const Node& node : nodes_) total += node.cost;
    return total;
}

double TreeAnnealer::mean_labels() const {
    std::size_t total = 0;
    for (const std::uint64_t word : labels_) total += static_cast<std::size_t>(std::popcount(word));
    return static_cast<double>(total) / static_cast<double>(nodes_.size());
}

MergeSizes TreeAnnealer::sizes(int left, int right, const std::uint64_t* out, double out_size) const {
    const std::uint64_t *a = labels(left), *b = labels(right);
    MergeSizes sizes{nodes_[index(left)].size, nodes_[index(right)].size, out_size, out_size, false};
    for (std::size_t w = 0; w < words_; ++w) {
        const std::uint64_t summed = (a[w] | b[w]) & ~out[w];
        if (summed == 0) continue;
        sizes.sums = true;
        sizes.involved *= product(summed, w, extents_);
    }
    sizes.involved = std::min(sizes.involved, kLargestSize);
    return sizes;
}

TreeAnnealer::Rotation TreeAnnealer::choose(Random& random) const {
    for (;;) {
        const int root = leaves_ + static_cast<int>(random.below(nodes_.size() - index(leaves_)));
        const Node& at = nodes_[index(root)];
        const bool left = at.left >= leaves_, right = at.right >= leaves_;
        if (!left && !right) continue;
        const std::size_t coins = random.below(4);
        const bool into_left = left && (!right || coins % 2 == 0);
        const int child = into_left ? at.left : at.right, other = into_left ? at.right : at.left;
        const Node& below = nodes_[index(child)];
        return coins / 2 == 0 ? Rotation{root, child, other, below.left, below.right}
                              : Rotation{root, child, other, below.right, below.left};
    }
}

double TreeAnnealer::make_labels(const Rotation& move) {
    const std::uint64_t *stays = labels(move.stays), *other = labels(move.other), *up = labels(move.moves_up),
                        *root = labels(move.root);
    double size = 1;
    for (std::size_t w = 0; w < words_; ++w) {
        made_[w] = (stays[w] | other[w]) & (up[w] | root[w]);
        size *= product(made_[w], w, extents_);
    }
    return std::min(size, kLargestSize);
}

void TreeAnnealer::rotate(std::size_t count, double temperature, Random& random) {
    for (; count != 0; --count) {
        const Rotation move = choose(random);
        Node &root = nodes_[index(move.root)], &child = nodes_[index(move.child)];
        const double size = make_labels(move);
        const double child_cost = measure_.of_merge(sizes(move.stays, move.other, made_.data(), size));
        // The child's labels and size are exchanged for those that it would have, to see the upper merge.
        std::swap_ranges(made_.begin(), made_.end(), labels(move.child));
        const double old_size = std::exchange(child.size, size);
        const double root_cost =
            measure_.of_merge(sizes(move.child, move.moves_up, labels(move.root), root.size));
        const double growth = (child_cost + root_cost) / (child.cost + root.cost);
        if (growth > 1 && std::log(random.uniform()) * temperature > -std::log(growth)) {
            std::swap_ranges(made_.begin(), made_.end(), labels(move.child));
            child.size = old_size;
            continue;
        }
        child.cost = child_cost;
        root.cost = root_cost;
        std::tie(child.left, child.right) = std::pair{move.stays, move.other};
        std::tie(root.left, root.right) = std::pair{move.child, move.moves_up};
    }
}

Merges TreeAnnealer::merges() const { return merges_of_tree(nodes_, leaves_); }

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
