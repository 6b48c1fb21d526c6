// What the algebras are for: shortest paths against Dijkstra, the likeliest states of a Markov model against
// a direct decoder, independent sets and spin glasses against all configurations, ground states by gradients.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <queue>
#include <random>

#include "tenferro_ext_tropical/einsum.hpp"
#include "tenferro_ext_tropical/pairs.hpp"

namespace {

using namespace tenferro;
using tropical::Algebra;
using tropical::Counted;

std::vector<TensorRead> views(const std::vector<Tensor>& tensors) {
    std::vector<TensorRead> reads;
    for (const Tensor& tensor : tensors) reads.emplace_back(tensor);
    return reads;
}

class Applications : public testing::Test {
protected:
    Applications() : random_(seed_ = std::random_device{}()) {}
    Index draw(Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(random_); }

    unsigned seed_;
    std::mt19937_64 random_;
};

TEST_F(Applications, ShortestPathsArePowersInMinPlus) {
    SCOPED_TRACE(seed_);
    constexpr Index n = 40;
    std::vector<double> roads(n * n, HUGE_VAL);
    for (Index i = 0; i < n; ++i) roads[static_cast<std::size_t>(i * n + i)] = 0;
    for (int i = 0; i < 120; ++i)
        roads[static_cast<std::size_t>(draw(0, n - 1) * n + draw(0, n - 1))] =
            static_cast<double>(draw(1, 50));
    for (Index i = 0; i < n; ++i) roads[static_cast<std::size_t>(i * n + i)] = 0;
    Tensor power = Tensor::from_data<double>(roads, Dims{n, n});
    for (int steps = 1; steps < n; steps *= 2)
        power = tropical::einsum(Algebra::MinPlus, "ij,jk->ik", std::vector<TensorRead>{power, power});
    for (Index start = 0; start < n; ++start) {
        std::vector<double> distance(n, HUGE_VAL);
        using Entry = std::pair<double, Index>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
        queue.emplace(distance[static_cast<std::size_t>(start)] = 0, start);
        while (!queue.empty()) {
            const auto [reached, from] = queue.top();
            queue.pop();
            if (reached > distance[static_cast<std::size_t>(from)]) continue;
            for (Index to = 0; to < n; ++to) {
                const double length = reached + roads[static_cast<std::size_t>(to * n + from)];
                if (length >= distance[static_cast<std::size_t>(to)]) continue;
                queue.emplace(distance[static_cast<std::size_t>(to)] = length, to);
            }
        }
        for (Index to = 0; to < n; ++to) EXPECT_EQ(power(start, to), distance[static_cast<std::size_t>(to)]);
    }
}

/// A hidden Markov model as a chain: the gradient of its optimum marks the states.
TEST_F(Applications, ViterbiIsTheGradientOfAChain) {
    SCOPED_TRACE(seed_);
    constexpr Index kStates = 5, kSteps = 30;
    std::vector<Tensor> chain;
    std::string subscripts;
    const auto label = [](Index step) {
        return std::string(1, static_cast<char>(step < 26 ? 'a' + step : 'A' + step - 26));
    };
    std::vector<std::vector<double>> moves;
    for (Index step = 0; step < kSteps; ++step) {
        std::vector<double> scores;
        for (Index i = 0; i < kStates * kStates; ++i)
            scores.push_back(static_cast<double>(draw(-1000000, 0)));
        chain.push_back(Tensor::from_data<double>(scores, Dims{kStates, kStates}));
        moves.push_back(scores);
        subscripts += (step > 0 ? "," : "") + label(step) + label(step + 1);
    }
    // The direct decoder.
    std::vector<double> best(kStates, 0);
    std::vector<std::vector<Index>> origins;
    for (const auto& move : moves) {
        std::vector<double> next(kStates, -HUGE_VAL);
        std::vector<Index> origin(kStates, 0);
        for (Index to = 0; to < kStates; ++to)
            for (Index from = 0; from < kStates; ++from) {
                const double score = best[static_cast<std::size_t>(from)] +
                                     move[static_cast<std::size_t>(to * kStates + from)];
                if (score <= next[static_cast<std::size_t>(to)]) continue;
                next[static_cast<std::size_t>(to)] = score;
                origin[static_cast<std::size_t>(to)] = from;
            }
        best = next;
        origins.push_back(origin);
    }
    Index state = std::max_element(best.begin(), best.end()) - best.begin();
    const auto operands = views(chain);
    EXPECT_EQ(tropical::einsum(Algebra::MaxPlus, subscripts + "->", operands).item(),
              best[static_cast<std::size_t>(state)]);
    const Tensor one = Tensor::from_data<double>({1.0}, Dims{});
    const std::vector<Tensor> marks =
        tropical::einsum_vjp(Algebra::MaxPlus, subscripts + "->", operands, one);
    for (Index step = kSteps; step-- > 0;) {
        const Index from = origins[static_cast<std::size_t>(step)][static_cast<std::size_t>(state)];
        for (Index i = 0; i < kStates; ++i)
            for (Index j = 0; j < kStates; ++j)
                EXPECT_EQ(marks[static_cast<std::size_t>(step)](i, j), i == from && j == state ? 1 : 0);
        state = from;
    }
}

/// A network of 0-1 variables, one label each, on the edges of a graph: optimum and number by all
/// assignments.
struct Graph {
    Index sites;
    std::vector<std::pair<Index, Index>> edges;

    [[nodiscard]] std::string subscripts() const {
        std::string text;
        for (const auto& [i, j] : edges) text += (text.empty() ? "" : ",") + name(i) + name(j);
        for (Index i = 0; i < sites; ++i) text += "," + name(i);
        return text + "->";
    }
    static std::string name(Index site) {
        return std::string(1, static_cast<char>(site < 26 ? 'a' + site : 'A' + site - 26));
    }
    static Graph grid(Index rows, Index columns) {
        Graph graph{rows * columns, {}};
        for (Index r = 0; r < rows; ++r)
            for (Index c = 0; c < columns; ++c) {
                if (c + 1 < columns) graph.edges.emplace_back(r * columns + c, r * columns + c + 1);
                if (r + 1 < rows) graph.edges.emplace_back(r * columns + c, (r + 1) * columns + c);
            }
        return graph;
    }
};

/// weight(edge, x, y) on edges and weight(x) on sites.
template <class OnEdge, class OnSite>
void check_optimum(const Graph& graph, const OnEdge& on_edge, const OnSite& on_site) {
    std::vector<Tensor> plain, counted;
    const auto add = [&](const std::vector<double>& values, const Dims& shape) {
        plain.push_back(Tensor::from_data<double>(values, shape));
        std::vector<Counted> pairs;
        for (const double value : values) pairs.push_back({value, value == -HUGE_VAL ? 0.0 : 1.0});
        counted.push_back(Tensor::from_data<Counted>(pairs, shape));
    };
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
        add({on_edge(e, 0, 0), on_edge(e, 1, 0), on_edge(e, 0, 1), on_edge(e, 1, 1)}, {2, 2});
    for (Index i = 0; i < graph.sites; ++i) add({on_site(0), on_site(1)}, {2});
    double best = -HUGE_VAL, count = 0;
    for (Index x = 0; x < (Index{1} << graph.sites); ++x) {
        const auto bit = [=](Index site) { return static_cast<int>(x >> site & 1); };
        double value = 0;
        for (std::size_t e = 0; e < graph.edges.size(); ++e)
            value += on_edge(e, bit(graph.edges[e].first), bit(graph.edges[e].second));
        for (Index i = 0; i < graph.sites; ++i) value += on_site(bit(i));
        count = value > best ? 1 : count + (value == best ? 1 : 0);
        best = std::max(best, value);
    }
    const std::string subscripts = graph.subscripts();
    EXPECT_EQ(tropical::einsum(Algebra::MaxPlus, subscripts, views(plain)).item(), best);
    const Tensor both = tropical::einsum<Counted>(subscripts, views(counted));
    EXPECT_EQ(both.data_as<Counted>()[0].value, best);
    EXPECT_EQ(both.data_as<Counted>()[0].count, count);
    // The gradient marks one optimum: the sites' marks are its configuration, the edges' agree with them.
    const Tensor one = Tensor::from_data<double>({1.0}, Dims{});
    const std::vector<Tensor> marks = tropical::einsum_vjp(Algebra::MaxPlus, subscripts, views(plain), one);
    std::vector<int> state;
    double value = 0;
    for (Index i = 0; i < graph.sites; ++i) {
        const Tensor& mark = marks[graph.edges.size() + static_cast<std::size_t>(i)];
        EXPECT_EQ(mark(0) + mark(1), 1);
        state.push_back(mark(1) == 1 ? 1 : 0);
        value += on_site(state.back());
    }
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const int x = state[static_cast<std::size_t>(graph.edges[e].first)],
                  y = state[static_cast<std::size_t>(graph.edges[e].second)];
        EXPECT_EQ(marks[e](x, y), 1);
        value += on_edge(e, x, y);
    }
    EXPECT_EQ(value, best);
}

TEST_F(Applications, MaximumIndependentSets) {
    SCOPED_TRACE(seed_);
    const auto apart = [](std::size_t, int x, int y) { return x + y == 2 ? -HUGE_VAL : 0.0; };
    const auto chosen = [](int x) { return static_cast<double>(x); };
    check_optimum(Graph::grid(3, 3), apart, chosen);
    check_optimum(Graph::grid(4, 4), apart, chosen);
    Graph drawn{12, {}};
    for (Index i = 0; i < 12; ++i)
        for (Index j = 0; j < i; ++j)
            if (draw(0, 3) == 0) drawn.edges.emplace_back(i, j);
    check_optimum(drawn, apart, chosen);
}

TEST_F(Applications, SpinGlasses) {
    SCOPED_TRACE(seed_);
    for (const auto& [rows, columns] : {std::pair<Index, Index>{3, 3}, {4, 4}, {2, 7}}) {
        const Graph grid = Graph::grid(rows, columns);
        std::vector<double> couplings;
        for (std::size_t e = 0; e < grid.edges.size(); ++e) couplings.push_back(draw(0, 1) == 0 ? -1 : 1);
        check_optimum(
            grid, [&](std::size_t e, int x, int y) { return couplings[e] * (x == y ? 1 : -1); },
            [](int) { return 0.0; });
    }
}

}  // namespace
