// Walks go breadth-first from net to net; a cut is improved from a breadth-first half.
#include "einsum/path_search/cut.hpp"

#include <algorithm>
#include <array>
#include <queue>
#include <tuple>

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// What a breadth-first walk has reached.
struct Walk {
    explicit Walk(const Part& whole) : part(whole), steps(part.size(), -1), net_seen(part.nets(), false) {}

    void begin(int node) { reach(node, 0); }
    /// Goes on from all nodes reached until there is no way to others.
    void go_on() {
        for (; done < order.size(); ++done) {
            for (const int net : part.nets_of(index(order[done]))) {
                if (net_seen[index(net)]) continue;
                net_seen[index(net)] = true;
                for (const int pin : part.pins(index(net))) reach(pin, steps[index(order[done])] + 1);
            }
        }
    }
    void reach(int node, int step) {
        if (steps[index(node)] >= 0) return;
        steps[index(node)] = step;
        order.push_back(node);
    }

    const Part& part;
    Nodes order;
    std::vector<int> steps;  ///< by node, -1 where it was not reached
    std::vector<bool> net_seen;
    std::size_t done = 0;
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
                for (const int pin : part_.pins(index(net)))
                    if (!locked[index(pin)]) queue.push({gain(index(pin)), pin, ++version[index(pin)]});
            }
        }
        for (std::size_t m = moved.size(); m > kept; --m) flip(index(moved[m - 1]));
        return kept > 0;
    }

    /// For each node whether it is on the second side.
    [[nodiscard]] const std::vector<bool>& second() const { return side_; }

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
            if (pins[side_[node]] == 1) sum += part_.weight(index(net));
            if (pins[!side_[node]] == 0) sum -= part_.weight(index(net));
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

}  // namespace

Part::Part(const ContractionState& state, const Nodes& nodes, std::vector<int>& local)
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

Nodes Part::breadth_first(std::size_t first) const {
    Walk walk(*this);
    for (std::size_t k = 0; k < size(); ++k) {
        walk.begin(static_cast<int>((first + k) % size()));
        walk.go_on();
    }
    return walk.order;
}

std::vector<bool> Part::cut(std::size_t least, const Budget& budget, Random& random) const {
    constexpr int kMostPasses = 12;
    const Nodes from_the_rim = breadth_first(index(breadth_first(random.below(size())).back()));
    Halving halving(*this, from_the_rim, least);
    for (int pass = 0; pass < kMostPasses && !budget.expired() && halving.pass(); ++pass) {
    }
    return halving.second();
}

std::vector<int> Part::steps_to(const std::vector<bool>& cut) const {
    Walk walk(*this);
    for (std::size_t net = 0; net < nets(); ++net) {
        const bool side = cut[index(pins_[net].front())];
        if (std::all_of(pins_[net].begin(), pins_[net].end(),
                        [&](int pin) { return cut[index(pin)] == side; }))
            continue;
        walk.net_seen[net] = true;
        for (const int pin : pins_[net]) walk.begin(pin);
    }
    walk.go_on();
    const int beyond = walk.order.empty() ? 0 : walk.steps[index(walk.order.back())] + 1;
    std::replace(walk.steps.begin(), walk.steps.end(), -1, beyond);
    return walk.steps;
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
