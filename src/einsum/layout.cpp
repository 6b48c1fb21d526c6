// Layouts by descent: node by node from the result down, each takes the best of a handful of orders, as seen
// by the merge that makes it and the merge that reads it.
#include "einsum/layout.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "tenferro/einsum/label_positions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

constexpr int kSweeps = 3;
constexpr double kLeastElements = 64;  ///< of a tensor whose order is worth a thought
constexpr double kFirstRun = 8;        ///< elements that fill a vector

/// What moving an element costs by the length of its run, in units of about a nanosecond.
struct RunCost {
    double fills_vector, half, pair, single;

    [[nodiscard]] double of(double run) const {
        return run >= kFirstRun ? fills_vector : run >= kFirstRun / 2 ? half : run >= 2 ? pair : single;
    }
};
constexpr RunCost kResult{.3, .6, 1, 1.5};    ///< rows of a tile
constexpr RunCost kRows{.25, .5, .8, 1.2};    ///< of the operand that has the first label of the result
constexpr RunCost kColumns{.3, .3, .8, 1.2};  ///< of the other operand
constexpr RunCost kTurned{.6, .6, 1.2, 1.2};  ///< along summed labels
constexpr double kGathered = 1.2, kBatchFirst = 2, kBreak = .05;

class Layouts {
public:
    Layouts(const Network& network, const ContractionTree& tree, std::vector<LabelIds> start)
        : network_(network),
          tree_(tree),
          inputs_(static_cast<int>(network.inputs.size())),
          order_(std::move(start)),
          reader_(order_.size(), -1) {
        for (int node = inputs_; node < nodes(); ++node)
            for (const int operand : {merge(node).first, merge(node).second}) reader_[operand] = node;
    }

    std::vector<LabelIds> run() && {
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            bool improved = false;
            for (int node = nodes() - 2; node >= inputs_; --node)
                if (elements(order_[node]) >= kLeastElements) improved |= improve(node, sweep == 0);
            if (sweep > 0 && !improved) break;
        }
        return std::move(order_);
    }

private:
    /// The runs of a list of labels: how long the first is, and how often another one begins.
    struct Runs {
        double first = 1;
        int breaks = 0;
    };

    [[nodiscard]] int nodes() const { return static_cast<int>(order_.size()); }
    [[nodiscard]] const std::pair<int, int>& merge(int node) const { return tree_.merges[node - inputs_]; }
    [[nodiscard]] double extent(LabelId label) const { return static_cast<double>(network_.extents[label]); }
    [[nodiscard]] double elements(const LabelIds& labels) const {
        double product = 1;
        for (const LabelId label : labels) product *= extent(label);
        return product;
    }

    /// Takes the best order for `node`; says whether it is another one. In the first sweep its operands are
    /// yet to follow it.
    bool improve(int node, bool operands_follow) {
        LabelIds best = order_[node];
        const auto cost = [&] {
            return merge_cost(node, operands_follow) + merge_cost(reader_[node], false);
        };
        const double was = cost();
        double least = was;
        for (LabelIds& candidate : candidates(node)) {
            order_[node] = std::move(candidate);
            const double now = cost();
            if (now >= least) continue;
            least = now;
            best = order_[node];
        }
        order_[node] = std::move(best);
        return least < was;
    }

    /// What the merge that makes `node` spends on moving elements.
    [[nodiscard]] double merge_cost(int node, bool operands_follow) const {
        const LabelIds& result = order_[node];
        auto [rows, columns] = merge(node);
        if (result.empty()) return 0;  // one number: both operands are read once
        const auto has_first = [&](int operand) { return contains(order_[operand], result[0]); };
        const bool batch_first = has_first(rows) && has_first(columns);
        if (!has_first(rows)) std::swap(rows, columns);
        const LabelPositions rows_at(order_[rows]), columns_at(order_[columns]), result_at(result);
        double run = 1;
        for (std::size_t i = 0; i < result.size() && !columns_at.contains(result[i]); ++i)
            run *= extent(result[i]);
        double cost = elements(result) * (batch_first ? kBatchFirst : kResult.of(run));
        const auto read = [&](int operand, const LabelPositions& other_at, bool of_rows) {
            if (!(operands_follow && operand >= inputs_))
                cost += read_cost(order_[operand], result, result_at, other_at, of_rows);
        };
        read(rows, columns_at, true);
        read(columns, rows_at, false);
        return cost;
    }

    [[nodiscard]] double read_cost(const LabelIds& labels, const LabelIds& result,
                                   const LabelPositions& result_at, const LabelPositions& other_at,
                                   bool of_rows) const {
        if (labels.empty()) return 0;
        const Runs runs = runs_of(labels, result_at, other_at);
        const LabelId first = labels[0];
        double each = kGathered;
        if (!other_at.contains(first)) {
            if (!of_rows) each = kColumns.of(runs.first);
            if (of_rows && first == result[0]) each = kRows.of(runs.first);
        } else {
            each = result_at.contains(first) ? kBatchFirst : kTurned.of(runs.first);
        }
        return elements(labels) * (each + kBreak * runs.breaks);
    }

    /// A run are labels that follow each other in every list that has one of them.
    [[nodiscard]] Runs runs_of(const LabelIds& labels, const LabelPositions& x,
                               const LabelPositions& y) const {
        Runs runs;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const auto follows = [&](const LabelPositions& list) {
                const Index before = list[labels[i - 1]], here = list[labels[i]];
                return before < 0 ? here < 0 : here == before + 1;
            };
            if (i > 0 && !(follows(x) && follows(y))) ++runs.breaks;
            if (runs.breaks == 0) runs.first *= extent(labels[i]);
        }
        return runs;
    }

    /// Orders worth a try, each once: with what the reader keeps, sums or finds in both operands first,
    /// within that as the reader's result and other operand have it; the same operand by operand of the merge
    /// that makes the tensor; the same with a run of one of these operands in front.
    [[nodiscard]] std::vector<LabelIds> candidates(int node) const {
        const LabelIds& labels = order_[node];
        const int reader = reader_[node];
        const int other = merge(reader).first == node ? merge(reader).second : merge(reader).first;
        const LabelPositions result_at(order_[reader]), other_at(order_[other]);
        const LabelPositions lhs_at(order_[merge(node).first]), rhs_at(order_[merge(node).second]);
        const auto sorted = [](LabelIds list, const auto& key) {
            std::stable_sort(list.begin(), list.end(), [&](LabelId a, LabelId b) { return key(a) < key(b); });
            return list;
        };
        const auto given_by = [&](LabelId label) {  // 0 lhs, 1 rhs, 2 both
            return !rhs_at.contains(label) ? 0 : lhs_at.contains(label) ? 2 : 1;
        };
        constexpr std::array<std::array<int, 3>, 3> kGroups{{{0, 1, 2}, {1, 0, 2}, {2, 0, 1}}};
        std::vector<LabelIds> list;
        const auto add = [&](LabelIds order) {
            if (order != labels && std::find(list.begin(), list.end(), order) == list.end())
                list.push_back(std::move(order));
        };
        for (const auto& [free, summed, batch] : kGroups) {
            const LabelIds wanted = sorted(labels, [&](LabelId label) {
                if (!result_at.contains(label)) return std::pair(summed, other_at[label]);
                return std::pair(other_at.contains(label) ? batch : free, result_at[label]);
            });
            add(wanted);
            for (const int first : {0, 1})
                add(sorted(wanted, [&](LabelId label) {
                    return given_by(label) == 2 ? 2 : given_by(label) != first;
                }));
            for (const int first : {0, 1, 2})
                add(with_run_in_front(wanted, [&](LabelId label) { return given_by(label) == first; }));
        }
        return list;
    }

    /// Moves labels that are `wanted` to the front until their run fills a vector.
    template <class Wanted>
    [[nodiscard]] LabelIds with_run_in_front(LabelIds labels, const Wanted& wanted) const {
        double run = 1;
        auto place = labels.begin();
        for (auto label = labels.begin(); label != labels.end() && run < kFirstRun; ++label) {
            if (!wanted(*label)) continue;
            run *= extent(*label);
            std::rotate(place++, label, label + 1);
        }
        return labels;
    }

    static bool contains(const LabelIds& labels, LabelId label) {
        return std::find(labels.begin(), labels.end(), label) != labels.end();
    }

    const Network& network_;
    const ContractionTree& tree_;
    const int inputs_;
    std::vector<LabelIds> order_;
    std::vector<int> reader_;  ///< the node whose merge reads a node
};

/// Labels of a contraction's result in the order dot_general gives them: free of lhs, free of rhs, batch.
LabelIds contracted_labels(const LabelIds& lhs, const LabelIds& rhs, const LabelIds& kept) {
    const LabelPositions lhs_at(lhs), rhs_at(rhs), kept_at(kept);
    LabelIds out;
    for (const LabelId label : lhs)
        if (!rhs_at.contains(label)) out.push_back(label);
    for (const LabelId label : rhs)
        if (!lhs_at.contains(label)) out.push_back(label);
    for (const LabelId label : lhs)
        if (rhs_at.contains(label) && kept_at.contains(label)) out.push_back(label);
    return out;
}

/// Whether one list is a permutation of the other.
bool same_labels(LabelIds a, LabelIds b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
}

}  // namespace

std::vector<LabelIds> choose_layouts(const Network& network, const ContractionTree& tree) {
    std::vector<LabelIds> order = node_labels(network, tree);
    const std::size_t inputs = network.inputs.size();
    for (std::size_t m = 0; m < tree.merges.size(); ++m) {
        const auto [lhs, rhs] = tree.merges[m];
        LabelIds& labels = order[inputs + m];
        const bool is_root = m + 1 == tree.merges.size();
        labels = is_root && same_labels(network.output, labels)
                     ? network.output
                     : contracted_labels(order[lhs], order[rhs], labels);
    }
    return Layouts(network, tree, std::move(order)).run();
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
