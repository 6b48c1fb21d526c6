// Both kinds of order walk the network breadth-first, from a node that is far from all others.
#include "einsum/path_search/partition.hpp"

#include <algorithm>
#include <array>
#include <queue>
#include <tuple>
#include <utility>

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

using Nodes = std::vector<int>;

Nodes live_nodes(const ContractionState& state) {
    Nodes nodes;
    for (int node = 0; node < state.node_count(); ++node)
        if (state.live(node)) nodes.push_back(node);
    return nodes;
}

/// The nodes of a part, and their labels as nets between them.
class Part {
public:
    Part(const ContractionState& state, const Nodes& nodes, std::vector<int>& local)
        : nets_of_(nodes.size()) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            for (const LabelId label : state.labels(nodes[i])) {
                int& net = local[index(label)];
                if (net < 0) {
                    net = static_cast<int>(pins_.size());
                    pins_.emplace_back();
                    weights_.push_back(state.label_bits(label));
                }
                pins_[index(net)].push_back(static_cast<int>(i));
                nets_of_[i].push_back(net);
            }
        }
        for (const int node : nodes)
            for (const LabelId label : state.labels(node)) local[index(label)] = -1;
    }

    [[nodiscard]] std::size_t size() const { return nets_of_.size(); }
    [[nodiscard]] std::size_t nets() const { return pins_.size(); }
    [[nodiscard]] const std::vector<int>& nets_of(std::size_t node) const { return nets_of_[node]; }
    [[nodiscard]] const std::vector<int>& pins(int net) const { return pins_[index(net)]; }
    [[nodiscard]] double weight(int net) const { return weights_[index(net)]; }

    /// All nodes breadth-first from `first`, one connected piece after the other.
    [[nodiscard]] Nodes breadth_first(std::size_t first) const {
        Nodes order;
        std::vector<bool> node_seen(size(), false), net_seen(nets(), false);
        const auto see = [&](int node) {
            if (!node_seen[index(node)]) order.push_back(node);
            node_seen[index(node)] = true;
        };
        std::size_t done = 0;
        for (std::size_t k = 0; k < size(); ++k) {
            see(static_cast<int>((first + k) % size()));
            for (; done < order.size(); ++done) {
                for (const int net : nets_of(index(order[done]))) {
                    if (net_seen[index(net)]) continue;
                    net_seen[index(net)] = true;
                    for (const int pin : pins(net)) see(pin);
                }
            }
        }
        return order;
    }

    /// Breadth-first from a node that a walk from a random one reaches last.
    [[nodiscard]] Nodes from_the_rim(Random& random) const {
        return breadth_first(index(breadth_first(random.below(size())).back()));
    }

private:
    std::vector<std::vector<int>> nets_of_, pins_;
    std::vector<double> weights_;
};

/// Moves nodes of a part between two sides, each time the one that narrows the cut most or widens it least,
/// and keeps the best state passed through.
class Halving {
public:
    Halving(const Part& part, const Nodes& order, std::size_t least)
        : part_(part), least_(least), side_(part.size(), true), count_{0, part.size()}, pins_(part.nets()) {
        for (std::size_t i = 0; i < part.size() / 2; ++i) side_[index(order[i])] = false;
        count_[0] = part.size() / 2;
        count_[1] -= count_[0];
        for (std::size_t node = 0; node < part.size(); ++node)
            for (const int net : part.nets_of(node)) ++pins_[index(net)][side_[node]];
    }

    /// Whether the cut became narrower.
    bool pass() {
        std::vector<int> version(part_.size(), 0);
        std::vector<bool> locked(part_.size(), false);
        std::priority_queue<Move> queue;
        for (std::size_t node = 0; node < part_.size(); ++node)
            queue.push({gain(node), static_cast<int>(node), 0});
        Nodes moved;
        std::size_t kept = 0;
        double total = 0, best = 0;
        // A pass that has gone downhill for long will not come back.
        const std::size_t patience = 64 + part_.size() / 8;
        while (!queue.empty() && moved.size() - kept < patience) {
            const Move move = queue.top();
            queue.pop();
            const std::size_t node = index(move.node);
            if (locked[node] || move.version != version[node] || count_[side_[node]] <= least_) continue;
            locked[node] = true;
            total += move.gain;
            flip(node);
            moved.push_back(move.node);
            if (total > best + 1e-9) {
                best = total;
                kept = moved.size();
            }
            for (const int net : part_.nets_of(node)) {
                // Of other nets the gains of the pins have not changed.
                if (std::min(pins_[index(net)][0], pins_[index(net)][1]) > 2) continue;
                for (const int pin : part_.pins(net))
                    if (!locked[index(pin)]) queue.push({gain(index(pin)), pin, ++version[index(pin)]});
            }
        }
        for (std::size_t m = moved.size(); m > kept; --m) flip(index(moved[m - 1]));
        return kept > 0;
    }

    [[nodiscard]] bool second(std::size_t node) const { return side_[node]; }

private:
    struct Move {
        double gain;
        int node, version;
        friend bool operator<(const Move& x, const Move& y) {
            return std::tie(x.gain, y.node) < std::tie(y.gain, x.node);
        }
    };

    /// By how much the cut gets narrower when the node changes sides.
    double gain(std::size_t node) const {
        double sum = 0;
        for (const int net : part_.nets_of(node)) {
            const auto& pins = pins_[index(net)];
            if (pins[side_[node]] == 1) sum += part_.weight(net);
            if (pins[!side_[node]] == 0) sum -= part_.weight(net);
        }
        return sum;
    }

    void flip(std::size_t node) {
        for (const int net : part_.nets_of(node)) {
            --pins_[index(net)][side_[node]];
            ++pins_[index(net)][!side_[node]];
        }
        --count_[side_[node]];
        ++count_[!side_[node]];
        side_[node] = !side_[node];
    }

    const Part& part_;
    std::size_t least_;
    std::vector<bool> side_;
    std::array<std::size_t, 2> count_;
    std::vector<std::array<int, 2>> pins_;
};

class Bisection {
public:
    Bisection(ContractionState& state, const Budget& budget, Random& random)
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

private:
    static constexpr int kMostPasses = 12;

    std::pair<Nodes, Nodes> halves(const Nodes& nodes) {
        const Part part(state_, nodes, local_);
        const auto least =
            static_cast<std::size_t>(std::max(1.0, least_share_ * static_cast<double>(nodes.size())));
        Halving halving(part, part.from_the_rim(random_), least);
        for (int pass = 0; pass < kMostPasses && !budget_.expired() && halving.pass(); ++pass) {
        }
        std::pair<Nodes, Nodes> result;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            (halving.second(i) ? result.second : result.first).push_back(nodes[i]);
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
    Bisection(state, budget, random).contract(live_nodes(state));
}

bool contract_by_sweep(ContractionState& state, Random& random) {
    const Nodes nodes = live_nodes(state);
    std::vector<int> local(state.label_count(), -1);
    Nodes order;
    for (const int i : Part(state, nodes, local).from_the_rim(random)) order.push_back(nodes[index(i)]);
    return contract_in_order(state, order);
}

bool contract_as_listed(ContractionState& state) { return contract_in_order(state, live_nodes(state)); }

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
