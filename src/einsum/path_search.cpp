// find_tree: splits a network into its parenthesised groups, searches an order for each and joins them into
// one tree.
#include "tenferro/einsum/path_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <utility>

#include "einsum/path_search/candidate.hpp"
#include "einsum/path_search/exact.hpp"
#include "einsum/path_search/find_tree.hpp"
#include "einsum/path_search/greedy.hpp"
#include "einsum/path_search/portfolio.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// Share of the memory that a tensor leaves to others that are alive with it.
constexpr double kLeft = 0.5;

Measure search_measure(const PathOptions& options) {
    Measure measure;
    measure.kind = options.objective == PathObjective::Time    ? Measure::Kind::Seconds
                   : options.objective == PathObjective::Flops ? Measure::Kind::Flops
                                                               : Measure::Kind::Volume;
    measure.element = ElementCost(options.dtype);
    if (options.memory_limit_bytes > 0)
        measure.limit = kLeft * static_cast<double>(options.memory_limit_bytes) / measure.element.bytes;
    return measure;
}

Merges optimal_order(const Problem& problem, Measure measure, const Clock& clock) {
    (void)clock.expired();  // throws where no order is wanted any more; one of few tensors has no deadline
    // A good order is worth having as a bound when there are many subsets to leave out.
    constexpr std::size_t kWorthBounding = 7;
    double bound = std::numeric_limits<double>::infinity();
    const bool room = measure.kind == Measure::Kind::Volume;
    if (problem.tensors.size() >= kWorthBounding) {
        ContractionState state(problem, measure);
        Random unused(0);
        contract_greedily(state, {}, unused);
        const Candidate greedy = judge(problem, state.merges(), measure);
        bound = greedy.cost(measure.kind) * (1 + 1e-9);
    }
    if (room) measure.kind = Measure::Kind::Room;
    return exact_order(problem, measure, bound, &clock).merges;
}

bool is_ordered_optimally(std::size_t tensors, const PathOptions& options) {
    return static_cast<int>(tensors) <= std::min(options.max_exact, kLargestExact);
}

/// An optimal order of few tensors; of others what search(problem, measure) finds.
template <class Search>
Merges order_of(const Problem& problem, const PathOptions& options, const Clock& clock,
                const Search& search) {
    const std::size_t count = problem.tensors.size();
    if (count < 2) return {};
    if (count == 2) return {{0, 1}};
    const Measure measure = search_measure(options);
    if (is_ordered_optimally(count, options)) return optimal_order(problem, measure, clock);
    return search(problem, measure);
}

/// The tree under construction: nodes that are not yet part of another one, and who needs which label.
class TreeBuilder {
public:
    explicit TreeBuilder(const Network& network)
        : network_(network), uses_(network.extents.size(), 0), local_(uses_.size(), -1) {
        for (LabelIds labels : network.inputs) {
            std::sort(labels.begin(), labels.end());
            labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
            for (const LabelId label : labels) ++uses_[index(label)];
            labels_.push_back(std::move(labels));
        }
        std::vector<bool> counted(uses_.size(), false);
        for (const LabelId label : network.output) {
            uses_[index(label)] += counted[index(label)] ? 0 : 1;
            counted[index(label)] = true;
        }
        // Labels of one operand alone are summed before the first merge.
        for (LabelIds& labels : labels_) {
            const std::size_t all = labels.size();
            drop_unneeded(labels);
            computed_.push_back(labels.size() < all);
        }
    }

    /// Contracts nodes into one, in the order that order(problem) says; returns the new node.
    template <class Order>
    int contract(const std::vector<int>& members, const Order& order) {
        const Problem problem = problem_of(members);
        std::vector<int> nodes = members;
        for (const auto& [a, b] : order(problem)) {
            nodes.push_back(static_cast<int>(network_.inputs.size() + tree_.merges.size()));
            tree_.merges.emplace_back(nodes[index(a)], nodes[index(b)]);
        }
        labels_.resize(network_.inputs.size() + tree_.merges.size());
        computed_.resize(labels_.size(), true);
        if (members.size() > 1) labels_.back() = replace_uses(members);
        return nodes.back();
    }

    ContractionTree take() { return std::move(tree_); }

private:
    void drop_unneeded(LabelIds& labels) const {
        labels.erase(std::remove_if(labels.begin(), labels.end(),
                                    [&](LabelId label) { return uses_[index(label)] == 1; }),
                     labels.end());
    }

    Problem problem_of(const std::vector<int>& members) {
        Problem problem;
        for (const int member : members) {
            LabelIds& tensor = problem.tensors.emplace_back();
            problem.computed.push_back(computed_[index(member)]);
            for (const LabelId label : labels_[index(member)]) {
                int& local = local_[index(label)];
                if (local < 0) {
                    local = static_cast<int>(problem.uses.size());
                    const auto extent = std::max<Index>(network_.extents[index(label)], 1);
                    problem.bits.push_back(std::log2(static_cast<double>(extent)));
                    problem.uses.push_back(0);
                }
                tensor.push_back(local);
                ++problem.uses[index(local)];
            }
            std::sort(tensor.begin(), tensor.end());
        }
        for (const int member : members) {
            for (const LabelId label : labels_[index(member)]) {
                const int local = std::exchange(local_[index(label)], -1);
                if (local >= 0 && uses_[index(label)] > problem.uses[index(local)])
                    ++problem.uses[index(local)];
            }
        }
        return problem;
    }

    /// Counts the members' uses of their labels as one; returns the labels that are still needed.
    LabelIds replace_uses(const std::vector<int>& members) {
        LabelIds all;
        for (const int member : members) {
            for (const LabelId label : labels_[index(member)]) {
                --uses_[index(label)];
                all.push_back(label);
            }
        }
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        for (const LabelId label : all) ++uses_[index(label)];
        drop_unneeded(all);
        return all;
    }

    const Network& network_;
    std::vector<int> uses_;
    std::vector<int> local_;
    std::vector<LabelIds> labels_;
    std::vector<bool> computed_;
    ContractionTree tree_;
};

/// A tree that goes on from another one by search(problem, measure, merges), of a network without groups.
template <class Search>
ContractionTree tree_from(const ContractionTree& tree, const Network& network, const PathOptions& options,
                          const Clock& clock, const Search& search) {
    if (!network.groups.empty() || tree.merges.size() < 2) return tree;
    std::vector<int> all(network.inputs.size());
    std::iota(all.begin(), all.end(), 0);
    TreeBuilder builder(network);
    builder.contract(all, [&](const Problem& problem) {
        return order_of(problem, options, clock, [&](const Problem& large, const Measure& measure) {
            return search(large, measure, tree.merges);
        });
    });
    return in_low_peak_order(network, builder.take());
}

}  // namespace

ContractionTree find_tree(const Network& network, const PathOptions& options) try {
    PathOptions unlimited = options;
    unlimited.memory_limit_bytes = 0;
    Report report(options.progress, options.deadline);
    return find_tree(network, unlimited, Clock(options.deadline, options.cancellation, &report));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("path search");
}

ContractionTree find_tree(const Network& network, const PathOptions& options, const Clock& clock) {
    const std::size_t operands = network.inputs.size();
    if (operands < 2) return {};
    if (operands == 2) return {{{0, 1}}};
    TreeBuilder builder(network);
    std::vector<int> node_of_member(operands);
    std::iota(node_of_member.begin(), node_of_member.end(), 0);
    std::vector<bool> grouped(operands + network.groups.size(), false);
    auto left = static_cast<double>(operands + network.groups.size());  // members that are not yet contracted
    const auto contract = [&](const std::vector<int>& nodes) {
        const auto members = static_cast<double>(nodes.size());
        const Clock own = network.groups.empty() ? clock : clock.part(members / left).of_part();
        left -= members;
        return builder.contract(nodes, [&](const Problem& problem) {
            return order_of(problem, options, own, [&](const Problem& large, const Measure& measure) {
                return search_order(large, measure, options, own);
            });
        });
    };
    for (const std::vector<int>& group : network.groups) {
        std::vector<int> nodes;
        for (const int member : group) {
            nodes.push_back(node_of_member[index(member)]);
            grouped[index(member)] = true;
        }
        node_of_member.push_back(contract(nodes));
    }
    std::vector<int> top;
    for (std::size_t member = 0; member < grouped.size(); ++member)
        if (!grouped[member]) top.push_back(node_of_member[member]);
    contract(top);
    return in_low_peak_order(network, builder.take());
}

ContractionTree improve_tree(const Network& network, const ContractionTree& tree, const PathOptions& options,
                             const Clock& clock, double effort) {
    const auto search = [&](const Problem& problem, const Measure& measure, const Merges& known) {
        return search_order(problem, measure, options, clock, {known, effort});
    };
    return tree_from(tree, network, options, clock, search);
}

bool is_searched(const Network& network, const PathOptions& options) {
    return network.groups.empty() && !is_ordered_optimally(network.inputs.size(), options);
}

DescendedTree descend(const Network& network, const ContractionTree& tree, const PathOptions& options,
                      const Clock& clock, const Heat& heat) {
    const Budget budget(clock, network.inputs.size());
    DescendedTree made;
    const auto search = [&](const Problem& problem, const Measure& measure, const Merges& known) {
        Descent descent(problem, measure, budget, options.seed);
        Merges merges = descent.run(known, heat);
        made.work = descent.work();
        return merges;
    };
    made.tree = tree_from(tree, network, options, clock, search);
    return made;
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
