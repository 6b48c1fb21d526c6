// Orders along narrow cuts: of boxes whose tensors are listed in any order, of disconnected networks and of
// labels that all tensors have.
#include "einsum/path_search/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

#include "einsum/path_search/candidate.hpp"
#include "einsum/path_search/portfolio.hpp"
#include "support/path_problem.hpp"

namespace tenferro::tensor_network { namespace {

/// Nearest neighbours share a label; tensors are listed at random.
Problem shuffled_box(const std::array<int, 3>& sides) {
    std::vector<int> place(index(sides[0] * sides[1] * sides[2]));
    std::iota(place.begin(), place.end(), 0);
    std::mt19937 random(5);
    std::shuffle(place.begin(), place.end(), random);
    std::vector<LabelIds> tensors(place.size());
    LabelId labels = 0;
    for (int at = 0; at < static_cast<int>(place.size()); ++at) {
        int step = 1;
        for (const int side : sides) {
            if (at / step % side + 1 < side) {
                tensors[index(place[index(at)])].push_back(labels);
                tensors[index(place[index(at + step)])].push_back(labels++);
            }
            step *= side;
        }
    }
    return test::path_problem(std::move(tensors));
}

double widest(const ContractionState& state) {
    double bits = 0;
    for (int node = 0; node < state.node_count(); ++node) bits = std::max(bits, state.bits(node));
    return bits;
}

/// The width of the best of six orders in layers; each is complete.
double width_in_layers(const Problem& problem) {
    const Clock clock(0);
    const Budget budget(clock, problem.tensors.size());
    Random random(1);
    double least = 1e9;
    for (int order = 0; order < 6; ++order) {
        ContractionState state(problem, {});
        EXPECT_TRUE(contract_in_layers(state, budget, random));
        EXPECT_EQ(state.merges().size() + 1, problem.tensors.size());
        least = std::min(least, widest(state));
    }
    return least;
}

/// A layer is open, of the next one a line and a tensor: 4 x 5 labels, 4 and 1.
TEST(Layers, OfABoxLieAcrossItsLongestSide) {
    EXPECT_LE(width_in_layers(shuffled_box({4, 5, 12})), 25);
    EXPECT_LE(width_in_layers(shuffled_box({12, 5, 4})), 25);
    EXPECT_LE(width_in_layers(shuffled_box({1, 6, 20})), 7);
    EXPECT_LE(width_in_layers(shuffled_box({1, 40, 1})), 2);
}

TEST(Layers, OfOtherNetworksHaveAllTensors) {
    const std::vector<LabelIds> scalars(9), of_one_label(9, LabelIds{0});
    std::vector<LabelIds> complete(9), pairs(10);
    LabelId labels = 0;
    for (std::size_t a = 0; a < complete.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b, ++labels) {
            complete[a].push_back(labels);
            complete[b].push_back(labels);
        }
    }
    for (std::size_t a = 0; a < pairs.size(); ++a) pairs[a].push_back(static_cast<LabelId>(a / 2));
    EXPECT_EQ(width_in_layers(test::path_problem(scalars)), 0);
    EXPECT_EQ(width_in_layers(test::path_problem(of_one_label)), 1);
    EXPECT_EQ(width_in_layers(test::path_problem(complete)), 20);
    EXPECT_LE(width_in_layers(test::path_problem(pairs)), 5);
}

/// One tensor after the other makes tensors of some 300 labels here, thousands of times.
TEST(Layers, AreGivenUpWhereTensorsGetFarTooWide) {
    const Clock clock(0);
    Random random(1);
    const Problem problem = shuffled_box({18, 18, 40});
    ContractionState state(problem, {});
    EXPECT_FALSE(contract_in_layers(state, Budget(clock, problem.tensors.size()), random));
}

/// 10^15.74; without layers a search of this length finds 10^16.3 to 10^16.8.
TEST(Layers, AreAmongTheOrdersThatASearchBeginsFrom) {
    const Problem problem = shuffled_box({6, 6, 6});
    const Measure flops{Measure::Kind::Flops, ElementCost(DType::F64)};
    const Clock clock(0);
    const Merges found = search_order(problem, flops, {.objective = PathObjective::Flops}, clock);
    EXPECT_LE(judge(problem, found, flops).flops, std::pow(10, 15.9));
}

}}  // namespace tenferro::tensor_network
