// Random greedy search in the manner of cotengra (Gray and Kourtis 2021): pairs of neighbours wait in a
// priority queue by the growth that their contraction causes, perturbed by Boltzmann noise. A pair's cost
// does not change while both of its tensors live, because only they could be merged with the other owners of
// their labels.
#include "einsum/path_search/greedy.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <queue>
#include <tuple>

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// A label of very many tensors makes neighbours of all of them; each then considers only this many. A node
/// considers the newest owners of its labels, so a queue without valid pairs still means that no two live
/// tensors share a label.
constexpr std::size_t kMostNeighbours = 24;

struct PairInQueue {
    double score;
    int a, b;

    friend bool operator<(const PairInQueue& x, const PairInQueue& y) {
        return std::tie(x.score, x.a, x.b) > std::tie(y.score, y.a, y.b);
    }
};

double score(const ContractionState& state, int a, int b, const GreedyCost& cost, Random& random) {
    const double out_bits = state.estimate(a, b).out_bits;
    const double in_bits = add_bits(state.bits(a), state.bits(b)) + cost.reward_bits;
    // sign(growth) * log2(1 + |growth|) without forming sizes that overflow
    const double growth = out_bits - in_bits;
    double value = 0;
    if (growth > 0) value = add_bits(0, out_bits + std::log2(-std::expm1(-growth * std::numbers::ln2)));
    if (growth < 0) value = -add_bits(0, in_bits + std::log2(-std::expm1(growth * std::numbers::ln2)));
    return cost.temperature > 0 ? value - cost.temperature * random.gumbel() : value;
}

class GreedyRun {
public:
    GreedyRun(ContractionState& state, const GreedyCost& cost, Random& random)
        : state_(state), cost_(cost), random_(random) {}

    void run() {
        for (int node = 0; node < state_.node_count(); ++node)
            if (state_.live(node)) push_neighbours(node);
        while (!queue_.empty()) {
            const PairInQueue next = queue_.top();
            queue_.pop();
            if (state_.live(next.a) && state_.live(next.b)) push_neighbours(state_.merge(next.a, next.b));
        }
    }

private:
    /// Pairs of a node with older neighbours; younger ones pair themselves with it.
    void push_neighbours(int node) {
        neighbours_.clear();
        for (std::size_t place = 0; place < state_.labels(node).size(); ++place)
            state_.each_older_owner(node, place, kMostNeighbours,
                                    [&](int owner) { neighbours_.push_back(owner); });
        std::sort(neighbours_.begin(), neighbours_.end());
        neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
        for (const int other : neighbours_)
            queue_.push({score(state_, other, node, cost_, random_), other, node});
    }

    ContractionState& state_;
    const GreedyCost& cost_;
    Random& random_;
    std::priority_queue<PairInQueue> queue_;
    std::vector<int> neighbours_;
};

/// A live tensor that has all labels of `node`, the smallest one; -1 if there is none.
int smallest_superset(const ContractionState& state, int node) {
    const LabelIds& labels = state.labels(node);
    const auto rarest = std::min_element(labels.begin(), labels.end(), [&](LabelId x, LabelId y) {
        return state.owners(x).size() < state.owners(y).size();
    });
    int best = -1;
    std::size_t tried = 0;
    for (const int other : state.owners(*rarest)) {
        if (other == node) continue;
        if (++tried > kMostNeighbours) break;
        const LabelIds& superset = state.labels(other);
        if (!std::includes(superset.begin(), superset.end(), labels.begin(), labels.end())) continue;
        if (best < 0 || state.bits(other) < state.bits(best)) best = other;
    }
    return best;
}

/// Outer products of what is left, always of the two smallest.
void multiply_parts(ContractionState& state) {
    using Part = std::pair<double, int>;
    std::priority_queue<Part, std::vector<Part>, std::greater<>> parts;
    for (int node = 0; node < state.node_count(); ++node)
        if (state.live(node)) parts.emplace(state.bits(node), node);
    while (parts.size() > 1) {
        const int a = parts.top().second;
        parts.pop();
        const int b = parts.top().second;
        parts.pop();
        const int product = state.merge(a, b);
        parts.emplace(state.bits(product), product);
    }
}

}  // namespace

void absorb_subsets(ContractionState& state) {
    // Merged nodes are appended and so visited again.
    for (int node = 0; node < state.node_count(); ++node) {
        if (!state.live(node) || state.labels(node).empty()) continue;
        if (const int superset = smallest_superset(state, node); superset >= 0) state.merge(node, superset);
    }
}

void contract_greedily(ContractionState& state, const GreedyCost& cost, Random& random) {
    GreedyRun(state, cost, random).run();
    multiply_parts(state);
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
