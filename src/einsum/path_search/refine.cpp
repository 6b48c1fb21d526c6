// Reconfiguration replaces the nodes inside a subtree in place, so a pass visits every inner node once
// whatever happens to the tree meanwhile.
#include "einsum/path_search/refine.hpp"

#include <algorithm>
#include <tuple>

#include "einsum/path_search/exact.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

TreeRefiner::TreeRefiner(const ContractionState& state, const Problem& problem, const Measure& measure,
                         std::size_t frontier)
    : problem_(&problem),
      measure_(measure),
      leaves_(static_cast<int>(problem.tensors.size())),
      frontier_limit_(frontier),
      nodes_(index(state.node_count())),
      local_(problem.uses.size()) {
    for (int node = 0; node < state.node_count(); ++node) {
        nodes_[index(node)].labels = state.labels(node);
        nodes_[index(node)].bits = state.bits(node);
    }
    for (std::size_t m = 0; m < state.merges().size(); ++m) {
        Node& node = nodes_[index(leaves_) + m];
        std::tie(node.left, node.right) = state.merges()[m];
        node.cost = merge_cost(node.left, node.right, node);
    }
    add_up();
}

std::size_t TreeRefiner::pass(const Budget& budget, std::size_t most, Random& random) {
    // All subtrees that are skipped together make up a small part of the work.
    negligible_ = cost_ / (32.0 * static_cast<double>(nodes_.size()));
    std::size_t searched = 0;
    for (int node = leaves_; node < static_cast<int>(nodes_.size()) && searched < most && !budget.expired();
         ++node)
        searched += reconfigure(node, random) ? 1 : 0;
    add_up();
    return searched;
}

void TreeRefiner::add_up() {
    cost_ = 0;
    for (std::size_t n = index(leaves_); n < nodes_.size(); ++n) cost_ += nodes_[n].cost;
}

Merges TreeRefiner::merges() const { return merges_of_tree(nodes_, leaves_); }

double TreeRefiner::merge_cost(int left, int right, const Node& out) const {
    const LabelIds &a = nodes_[index(left)].labels, &b = nodes_[index(right)].labels;
    double bits = 0;
    std::size_t involved = 0;
    for (std::size_t i = 0, j = 0; i < a.size() || j < b.size(); ++involved) {
        const LabelId label = j == b.size() || (i < a.size() && a[i] <= b[j]) ? a[i] : b[j];
        bits += problem_->bits[index(label)];
        i += i < a.size() && a[i] == label;
        j += j < b.size() && b[j] == label;
    }
    return measure_.of_merge({size_of_bits(nodes_[index(left)].bits), size_of_bits(nodes_[index(right)].bits),
                              size_of_bits(out.bits), size_of_bits(bits), involved > out.labels.size()});
}

/// Expands the subtree under `root`: the largest tensor first, or at times a random one, so that passes
/// differ.
void TreeRefiner::choose_frontier(int root, Random& random) {
    inner_.assign(1, root);
    frontier_.assign({nodes_[index(root)].left, nodes_[index(root)].right});
    while (frontier_.size() < frontier_limit_) {
        const bool any = random.below(4) == 0;
        auto chosen = frontier_.end();
        std::size_t seen = 0;
        for (auto node = frontier_.begin(); node != frontier_.end(); ++node) {
            if (*node < leaves_) continue;
            ++seen;
            if (chosen == frontier_.end() ||
                (any ? random.below(seen) == 0 : nodes_[index(*node)].bits > nodes_[index(*chosen)].bits))
                chosen = node;
        }
        if (chosen == frontier_.end()) break;
        inner_.push_back(*chosen);
        const Node& expanded = nodes_[index(*chosen)];
        *chosen = expanded.left;
        frontier_.push_back(expanded.right);
    }
}

/// The frontier's tensors with labels renumbered densely, in the same order.
Problem TreeRefiner::frontier_problem(int root) {
    global_.clear();
    for (const int node : frontier_)
        global_.insert(global_.end(), nodes_[index(node)].labels.begin(), nodes_[index(node)].labels.end());
    std::sort(global_.begin(), global_.end());
    global_.erase(std::unique(global_.begin(), global_.end()), global_.end());
    Problem sub;
    sub.computed.assign(frontier_.size(), true);
    sub.uses.assign(global_.size(), 0);
    for (std::size_t l = 0; l < global_.size(); ++l) {
        local_[index(global_[l])] = static_cast<int>(l);
        sub.bits.push_back(problem_->bits[index(global_[l])]);
    }
    for (const int node : frontier_) {
        sub.tensors.emplace_back();
        for (const LabelId label : nodes_[index(node)].labels) {
            sub.tensors.back().push_back(local_[index(label)]);
            ++sub.uses[index(local_[index(label)])];
        }
    }
    for (const LabelId label : nodes_[index(root)].labels) ++sub.uses[index(local_[index(label)])];
    return sub;
}

bool TreeRefiner::reconfigure(int root, Random& random) {
    choose_frontier(root, random);
    if (frontier_.size() < 3) return false;
    double before = 0;
    for (const int node : inner_) before += nodes_[index(node)].cost;
    if (before < negligible_) return false;
    const Problem sub = frontier_problem(root);
    const ExactOrder order = exact_order(sub, measure_, before * (1 - 1e-9));
    if (!order.merges.empty()) replace(sub, order.merges);
    return true;
}

void TreeRefiner::replace(const Problem& sub, const Merges& order) {
    ContractionState local(sub, measure_);
    std::vector<int> nodes = frontier_;
    for (std::size_t m = 0; m < order.size(); ++m) {
        const int made = local.merge(order[m].first, order[m].second);
        // The root comes first among the inner nodes and last among the merges.
        const int id = inner_[order.size() - 1 - m];
        nodes.push_back(id);
        Node& node = nodes_[index(id)];
        node.left = nodes[index(order[m].first)];
        node.right = nodes[index(order[m].second)];
        node.labels.clear();
        for (const LabelId label : local.labels(made)) node.labels.push_back(global_[index(label)]);
        node.bits = local.bits(made);
        node.cost = merge_cost(node.left, node.right, node);
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
