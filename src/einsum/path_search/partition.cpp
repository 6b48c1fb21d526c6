// Halves and layers both follow narrow cuts of what is left.
#include "einsum/path_search/partition.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "einsum/path_search/cut.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

Nodes live_nodes(const ContractionState& state) {
    Nodes nodes;
    for (int node = 0; node < state.node_count(); ++node)
        if (state.live(node)) nodes.push_back(node);
    return nodes;
}

class Partition {
public:
    Partition(ContractionState& state, const Budget& budget, Random& random)
        : state_(state), budget_(budget), random_(random), local_(state.label_count(), -1) {
        // How uneven halves may be is a matter of luck: some networks have narrow cuts off the middle.
        least_share_ = random.uniform(0.25, 0.48);
    }

    /// Contracts the nodes into one.
    int contract(const Nodes& nodes) {
        if (nodes.size() == 1) return nodes[0];
        if (nodes.size() == 2) return state_.merge(nodes[0], nodes[1]);
        const auto [first, second] = halves(nodes);
        const int left = contract(first);
        return state_.merge(left, contract(second));
    }

    /// Appends the nodes to `order` in layers.
    void list(const Nodes& nodes, Nodes& order) {
        if (nodes.size() < 3)
            order.insert(order.end(), nodes.begin(), nodes.end());
        else
            for (const auto& [place, layer] : layers(nodes)) list(layer, order);
    }

private:
    std::vector<bool> cut(const Part& part) {
        const double least = least_share_ * static_cast<double>(part.size());
        return part.cut(static_cast<std::size_t>(std::max(1.0, least)), budget_, random_);
    }

    std::pair<Nodes, Nodes> halves(const Nodes& nodes) {
        const std::vector<bool> second = cut(Part(state_, nodes, local_));
        std::pair<Nodes, Nodes> result;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            (second[i] ? result.second : result.first).push_back(nodes[i]);
        return result;
    }

    /// What is equally far from a cut, by its place on a line through the cut.
    std::map<int, Nodes> layers(const Nodes& nodes) {
        const Part part(state_, nodes, local_);
        const std::vector<bool> second = cut(part);
        const std::vector<int> steps = part.steps_to(second);
        std::map<int, Nodes> result;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            result[second[i] ? steps[i] : -1 - steps[i]].push_back(nodes[i]);
        return result;
    }

    ContractionState& state_;
    const Budget& budget_;
    Random& random_;
    std::vector<int> local_;
    double least_share_;
};

/// An order of one tensor after the other that gets wider than this many labels on average, beyond those that
/// any network may have, has no prospects; listing them would take time and memory without bound.
constexpr std::size_t kWidest = 64, kListedAnyway = std::size_t{1} << 20;

bool contract_in_order(ContractionState& state, const Nodes& nodes) {
    int all = nodes.front();
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        if (state.labels_listed() > kListedAnyway + kWidest * index(state.node_count())) return false;
        all = state.merge(all, nodes[i]);
    }
    return true;
}

}  // namespace

void contract_by_bisection(ContractionState& state, const Budget& budget, Random& random) {
    Partition(state, budget, random).contract(live_nodes(state));
}

bool contract_in_layers(ContractionState& state, const Budget& budget, Random& random) {
    Nodes order;
    Partition(state, budget, random).list(live_nodes(state), order);
    return contract_in_order(state, order);
}

bool contract_as_listed(ContractionState& state) { return contract_in_order(state, live_nodes(state)); }

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
