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

TreeAnnealer::TreeAnnealer(const Problem& problem, const Measure& measure)
    : problem_(problem),
      measure_(measure),
      leaves_(static_cast<int>(problem.tensors.size())),
      sets_(problem.bits),
      words_(sets_.words()),
      made_(words_),
      summed_below_(words_),
      summed_above_(words_) {}

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
        for (const LabelId label : state.labels(node)) sets_.insert(label, labels(node));
    }
    for (int node = leaves_; node < state.node_count(); ++node) {
        Node& made = nodes_[index(node)];
        const std::uint64_t *a = labels(made.left), *b = labels(made.right), *out = labels(node);
        for (std::size_t w = 0; w < words_; ++w) summed_below_[w] = (a[w] | b[w]) & ~out[w];
        made.cost = merge_cost(nodes_[index(made.left)].size, nodes_[index(made.right)].size, made.size,
                               sets_.size(summed_below_.data()));
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

double TreeAnnealer::merge_cost(double left, double right, double out, double summed) const {
    return measure_.of_merge({left, right, out, std::min(out * summed, kLargestSize), summed > 1});
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

void TreeAnnealer::rotate(std::size_t count, double temperature, Random& random) {
    for (; count != 0; --count) {
        const Rotation move = choose(random);
        Node &root = nodes_[index(move.root)], &child = nodes_[index(move.child)];
        const std::uint64_t *stays = labels(move.stays), *other = labels(move.other),
                            *up = labels(move.moves_up), *all = labels(move.root);
        for (std::size_t w = 0; w < words_; ++w) {
            const std::uint64_t both = stays[w] | other[w], made = both & (up[w] | all[w]);
            made_[w] = made;
            summed_below_[w] = both & ~made;
            summed_above_[w] = (made | up[w]) & ~all[w];
        }
        const double size = sets_.size(made_.data());
        const double child_cost = merge_cost(nodes_[index(move.stays)].size, nodes_[index(move.other)].size,
                                             size, sets_.size(summed_below_.data()));
        const double root_cost =
            merge_cost(size, nodes_[index(move.moves_up)].size, root.size, sets_.size(summed_above_.data()));
        const double growth = (child_cost + root_cost) / (child.cost + root.cost);
        if (growth > 1 && std::log(random.uniform()) * temperature > -std::log(growth)) continue;
        std::copy(made_.begin(), made_.end(), labels(move.child));
        child.size = size;
        child.cost = child_cost;
        root.cost = root_cost;
        std::tie(child.left, child.right) = std::pair{move.stays, move.other};
        std::tie(root.left, root.right) = std::pair{move.child, move.moves_up};
    }
}

Merges TreeAnnealer::merges() const { return merges_of_tree(nodes_, leaves_); }

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
