// Path search: optimal for few tensors (against brute force), valid for every network, good on the Ising
// model, bounded in time and stack on long chains.
#include "tenferro/einsum/path_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "einsum/path_search/exact.hpp"
#include "support/sanitized.hpp"

namespace tenferro::tensor_network { namespace {

struct RandomNetwork {
    int operands = 4;
    int labels = 6;
    int most_axes = 3;
    Index least_extent = 1;
};

/// Operands of random labels, also repeated, shared by many or by none; scalars and disconnected parts occur.
Network random_network(const RandomNetwork& shape, std::mt19937& random) {
    Network net;
    std::set<LabelId> used;
    for (int label = 0; label < shape.labels; ++label)
        net.extents.push_back(shape.least_extent + static_cast<Index>(random() % 6));
    for (int operand = 0; operand < shape.operands; ++operand) {
        LabelIds& input = net.inputs.emplace_back();
        for (int axes = static_cast<int>(random() % static_cast<unsigned>(shape.most_axes + 1)); axes != 0;
             --axes)
            input.push_back(static_cast<LabelId>(random() % static_cast<unsigned>(shape.labels)));
        used.insert(input.begin(), input.end());
    }
    for (const LabelId label : used)
        if (random() % 4 == 0) net.output.push_back(label);
    net.dropped_axes.resize(net.inputs.size());
    return net;
}

/// Nests random groups: each takes two or three members that are still free.
void add_groups(Network& net, int count, std::mt19937& random) {
    std::vector<int> free_members;
    for (int i = 0; i < static_cast<int>(net.inputs.size()); ++i) free_members.push_back(i);
    for (int g = 0; g < count && free_members.size() > 3; ++g) {
        std::shuffle(free_members.begin(), free_members.end(), random);
        const auto size = static_cast<std::ptrdiff_t>(1 + random() % 3);
        net.groups.emplace_back(free_members.end() - size, free_members.end());
        free_members.resize(free_members.size() - static_cast<std::size_t>(size));
        free_members.push_back(static_cast<int>(net.inputs.size()) + g);
    }
}

double objective_of(const ContractionCost& found, PathObjective objective) {
    switch (objective) {
        case PathObjective::Time: return found.seconds;
        case PathObjective::Flops: return found.flops;
        case PathObjective::Memory: return found.peak_bytes;
    }
    return -1;
}

/// Least value of an objective over all trees, by trying every sequence of merges.
double least(const Network& net, PathObjective objective, ContractionTree& tree, std::vector<int> nodes) {
    if (nodes.size() == 1) return objective_of(cost(net, tree), objective);
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t j = 1; j < nodes.size(); ++j) {
        for (std::size_t i = 0; i < j; ++i) {
            std::vector<int> rest = nodes;
            tree.merges.emplace_back(nodes[i], nodes[j]);
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(j));
            rest[i] = static_cast<int>(net.inputs.size() + tree.merges.size()) - 1;
            best = std::min(best, least(net, objective, tree, rest));
            tree.merges.pop_back();
        }
    }
    return best;
}

std::vector<std::set<int>> operands_below(const Network& net, const ContractionTree& tree) {
    std::vector<std::set<int>> below;
    for (int i = 0; i < static_cast<int>(net.inputs.size()); ++i) below.push_back({i});
    for (const auto& [a, b] : tree.merges) {
        std::set<int> both = below[static_cast<std::size_t>(a)];
        both.insert(below[static_cast<std::size_t>(b)].begin(), below[static_cast<std::size_t>(b)].end());
        below.push_back(std::move(both));
    }
    return below;
}

Network chain(int length, Index extent) {
    Network net;
    net.extents.assign(static_cast<std::size_t>(length) + 1, extent);
    for (int i = 0; i < length; ++i) net.inputs.push_back({i, i + 1});
    net.output = {0, length};
    net.dropped_axes.resize(net.inputs.size());
    return net;
}

/// Partition function of the Ising model on an L x L torus: spins are labels, bonds are 2 x 2 matrices.
Network ising_torus(int side) {
    Network net;
    net.extents.assign(static_cast<std::size_t>(side * side), 2);
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            net.inputs.push_back({y * side + x, y * side + (x + 1) % side});
            net.inputs.push_back({y * side + x, (y + 1) % side * side + x});
        }
    }
    net.dropped_axes.resize(net.inputs.size());
    return net;
}

/// Each objective's tree is the best of the three in its own measure; of equal ones (within a thousandth)
/// another may be taken.
void expect_no_objective_loses(const Network& net) {
    constexpr PathObjective kObjectives[] = {PathObjective::Time, PathObjective::Flops,
                                             PathObjective::Memory};
    for (const PathObjective asked : kObjectives) {
        const double own = objective_of(cost(net, find_tree(net, {.objective = asked})), asked);
        for (const PathObjective other : kObjectives)
            EXPECT_LE(own, objective_of(cost(net, find_tree(net, {.objective = other})), asked) * 1.002)
                << "objective " << static_cast<int>(asked) << " against " << static_cast<int>(other);
    }
}

TEST(FindTree, NeedsNoSearchForOneOrTwoOperands) {
    EXPECT_TRUE(find_tree(chain(1, 3)).merges.empty());
    EXPECT_EQ(find_tree(chain(2, 3)).merges, (std::vector<std::pair<int, int>>{{0, 1}}));
}

TEST(FindTree, EqualsBruteForceOnSmallNetworksInEveryObjective) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int trial = 0; trial < test::draws(120); ++trial) {
        const int operands = 3 + trial % 4;
        Network net = random_network({.operands = operands, .labels = 7}, random);
        for (Index& extent : net.extents) extent *= trial % 2 == 0 ? 1 : 4;
        std::vector<int> nodes;
        for (int i = 0; i < operands; ++i) nodes.push_back(i);
        for (const PathObjective objective :
             {PathObjective::Time, PathObjective::Flops, PathObjective::Memory}) {
            ContractionTree scratch;
            const double best = least(net, objective, scratch, nodes);
            const ContractionTree tree = find_tree(net, {.objective = objective});
            ASSERT_NEAR(objective_of(cost(net, tree), objective), best, 1e-9 * best)
                << "objective " << static_cast<int>(objective);
        }
    }
}

TEST(FindTree, SearchesAreNeverBetterThanTheOptimum) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int trial = 0; trial < 40; ++trial) {
        const Network net = random_network({.operands = 7 + trial % 4, .labels = 10}, random);
        for (const PathObjective objective :
             {PathObjective::Time, PathObjective::Flops, PathObjective::Memory}) {
            const double optimum =
                objective_of(cost(net, find_tree(net, {.objective = objective})), objective);
            const double found =
                objective_of(cost(net, find_tree(net, {.max_exact = 0, .objective = objective})), objective);
            EXPECT_GE(found, optimum * (1 - 1e-9));
            EXPECT_LE(found, optimum * 2);
        }
    }
}

TEST(FindTree, NoObjectiveLosesToAnotherInItsOwnMeasure) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int trial = 0; trial < 5; ++trial) {
        const Network net = random_network(
            {.operands = 6 + 4 * trial, .labels = 8 + 6 * trial, .most_axes = 4, .least_extent = 2}, random);
        expect_no_objective_loses(net);
    }
    expect_no_objective_loses(ising_torus(4));
}

TEST(FindTree, EndsAtItsDeadline) {
    std::mt19937 random(11);
    const Network net =
        random_network({.operands = 300, .labels = 400, .most_axes = 5, .least_extent = 2}, random);
    const auto start = std::chrono::steady_clock::now();
    const ContractionTree tree = find_tree(net, {.deadline = 0.3});
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_GE(taken.count(), 0.3);
    EXPECT_LT(taken.count(), 60) << "a busy machine is allowed for";
    EXPECT_EQ(tree.merges.size(), 299U);
}

TEST(FindTree, FinishesSubtreesInTheOrderOfLeastRoom) {
    // Two products of a large and a small peak: the one with the large peak must come first.
    Network net;
    net.inputs = {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5, 6}, {6, 7}};
    net.output = {0, 3, 4, 7};
    net.extents = {2, 2, 2, 2, 2, 50, 50, 2};
    const ContractionTree small_first{{{0, 1}, {6, 2}, {3, 4}, {8, 5}, {7, 9}}};
    const ContractionTree ordered = in_low_peak_order(net, small_first);
    EXPECT_EQ(cost(net, small_first).peak_bytes, 8 * (4 + 100 + 4));
    EXPECT_EQ(cost(net, ordered).peak_bytes, 8 * (100 + 4));
    EXPECT_EQ(cost(net, ordered).flops, cost(net, small_first).flops);
    EXPECT_EQ(ordered.merges, (std::vector<std::pair<int, int>>{{3, 4}, {6, 5}, {0, 1}, {8, 2}, {9, 7}}));
}

TEST(FindTree, ClassesOfLabelsBeyondOneWord) {
    // Every pair of 13 tensors shares a label of its own: 78 classes.
    Network net;
    net.inputs.resize(13);
    for (std::size_t a = 0; a < 13; ++a) {
        for (std::size_t b = a + 1; b < 13; ++b) {
            net.inputs[a].push_back(static_cast<LabelId>(net.extents.size()));
            net.inputs[b].push_back(static_cast<LabelId>(net.extents.size()));
            net.extents.push_back(2);
        }
    }
    // By symmetry any order of absorbing one tensor after the other costs the same: 2^(labels of both) flops,
    // twice.
    double sequential = 0;
    for (int absorbed = 1; absorbed < 13; ++absorbed)
        sequential += 2 * std::exp2(absorbed * (13 - absorbed) + 12 - absorbed);
    const double found =
        cost(net, find_tree(net, {.max_exact = 13, .objective = PathObjective::Flops})).flops;
    EXPECT_LE(found, sequential);
    EXPECT_GE(found, 2 * std::exp2(36));
}

TEST(FindTree, WorksForEveryNetwork) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const int trials = test::draws(150);
    for (int trial = 0; trial < trials; ++trial) {
        Network net = random_network({.operands = 1 + trial % 50,
                                      .labels = 1 + trial * 150 / trials,
                                      .most_axes = 4,
                                      .least_extent = 0},
                                     random);
        add_groups(net, trial % 5, random);
        const ContractionTree tree =
            find_tree(net, {.max_exact = trial % 3 * 4, .greedy_attempts = 1 + trial % 9});
        ASSERT_EQ(tree.merges.size(), net.inputs.size() - 1);
        // Refuses trees that use a node twice or too early.
        EXPECT_GE(cost(net, tree).flops, 0);
    }
}

TEST(FindTree, MakesEachGroupANode) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int trial = 0; trial < 50; ++trial) {
        Network net = random_network({.operands = 5 + trial % 30, .labels = 20}, random);
        add_groups(net, 1 + trial % 6, random);
        const std::vector<std::set<int>> below = operands_below(net, find_tree(net, {.greedy_attempts = 4}));
        std::vector<std::set<int>> members;
        for (std::size_t i = 0; i < net.inputs.size(); ++i) members.push_back({static_cast<int>(i)});
        for (const std::vector<int>& group : net.groups) {
            std::set<int> all;
            for (const int member : group)
                all.insert(members[static_cast<std::size_t>(member)].begin(),
                           members[static_cast<std::size_t>(member)].end());
            EXPECT_NE(std::find(below.begin(), below.end(), all), below.end());
            members.push_back(std::move(all));
        }
    }
}

TEST(FindTree, GroupsMayForceAWorseOrder) {
    // A[2,50] B[50,50] C[50,40]: 18000 flops from the left, 208000 from the right.
    Network net;
    net.inputs = {{0, 1}, {1, 2}, {2, 3}};
    net.output = {0, 3};
    net.extents = {2, 50, 50, 40};
    EXPECT_EQ(find_tree(net).merges, (std::vector<std::pair<int, int>>{{0, 1}, {3, 2}}));
    net.groups = {{1, 2}};
    EXPECT_EQ(find_tree(net).merges, (std::vector<std::pair<int, int>>{{1, 2}, {0, 3}}));
    net.groups = {{1, 2}, {0, 3}};
    EXPECT_EQ(find_tree(net).merges, (std::vector<std::pair<int, int>>{{1, 2}, {0, 3}}));
}

TEST(FindTree, ZeroExtentsAreOrderedLikeOnes) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int trial = 0; trial < 20; ++trial) {
        Network net = random_network({.operands = 4 + trial, .labels = 16}, random);
        Network with_zeros = net;
        for (std::size_t label = 0; label < net.extents.size(); label += 3) {
            net.extents[label] = 1;
            with_zeros.extents[label] = 0;
        }
        EXPECT_EQ(find_tree(with_zeros), find_tree(net));
    }
}

TEST(FindTree, TheSameSeedGivesTheSameTree) {
    std::mt19937 random(5);
    const Network net = random_network({.operands = 40, .labels = 60}, random);
    for (const PathObjective objective : {PathObjective::Time, PathObjective::Flops, PathObjective::Memory})
        EXPECT_EQ(find_tree(net, {.seed = 7, .objective = objective}),
                  find_tree(net, {.seed = 7, .objective = objective}));
    EXPECT_EQ(find_tree(net, {.max_exact = 0, .seed = 8}), find_tree(net, {.max_exact = 0, .seed = 8}));
}

TEST(FindTree, ThreadsDoNotChangeTheTree) {
    for (const unsigned seed : {1U, 2U, 3U}) {
        std::mt19937 random(seed);
        const Network net =
            random_network({.operands = 24, .labels = 36, .most_axes = 5, .least_extent = 2}, random);
        const ContractionTree alone = find_tree(net, {.seed = seed});
        for (const int threads : {2, 8})
            EXPECT_EQ(find_tree(net, {.seed = seed, .threads = threads}), alone) << threads;
    }
}

TEST(FindTree, BatchLabelOfManyTensors) {
    constexpr int kTensors = 3000;
    Network net;
    net.extents.assign(kTensors + 1, 2);
    for (int i = 0; i < kTensors; ++i) net.inputs.push_back({i, kTensors});
    net.output = {kTensors};
    const ContractionCost found = cost(net, find_tree(net));
    EXPECT_EQ(found.largest_intermediate, 2);
    EXPECT_EQ(found.flops, 2.0 * (kTensors - 1));
}

TEST(FindTree, ContractsTheIsingTorusThroughNarrowCuts) {
    for (const std::uint64_t seed : {0, 1, 2}) {
        SCOPED_TRACE(seed);
        EXPECT_LE(
            cost(ising_torus(4), find_tree(ising_torus(4), {.seed = seed, .objective = PathObjective::Flops}))
                .largest_intermediate,
            std::exp2(7));
        EXPECT_LE(
            cost(ising_torus(8), find_tree(ising_torus(8), {.seed = seed, .objective = PathObjective::Flops}))
                .largest_intermediate,
            std::exp2(16));
    }
}

TEST(FindTree, SurvivesALongChain) {
    constexpr int kLength = test::draws(20'000);
    const Network net = chain(kLength, 2);
    const ContractionTree tree = find_tree(net);
    const ContractionCost found = cost(net, tree);
    EXPECT_EQ(found.largest_intermediate, 4);
    EXPECT_EQ(found.flops, 16.0 * (kLength - 1));
}

TEST(FindTree, SurvivesSizesThatOverflow) {
    // A complete graph of 70 tensors: intermediates of more than 2^1023 elements.
    Network net;
    net.inputs.resize(70);
    for (std::size_t a = 0; a < 70; ++a) {
        for (std::size_t b = a + 1; b < 70; ++b) {
            net.inputs[a].push_back(static_cast<LabelId>(net.extents.size()));
            net.inputs[b].push_back(static_cast<LabelId>(net.extents.size()));
            net.extents.push_back(2);
        }
    }
    EXPECT_EQ(find_tree(net, {.greedy_attempts = 2}).merges.size(), 69U);
}

TEST(ExactOrder, FindsNothingBelowTheOptimum) {
    // Two chained products of 2 x 2 matrices: 32 flops.
    const Problem problem{{{0, 1}, {1, 2}, {2, 3}}, {1, 1, 1, 1}, {2, 2, 2, 2}, {false, false, false}};
    const Measure flops{Measure::Kind::Flops, {}};
    EXPECT_EQ(exact_order(problem, flops).cost, 32);
    EXPECT_EQ(exact_order(problem, flops, 32).merges.size(), 2U);
    EXPECT_TRUE(exact_order(problem, flops, 31).merges.empty());
}

TEST(ExactOrder, OfEquallyManyFlopsTakesFewestWrites) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int trial = 0; trial < 30; ++trial) {
        Network net = random_network({.operands = 4, .labels = 5}, random);
        std::fill(net.extents.begin(), net.extents.end(), 2);
        const ContractionCost found = cost(net, find_tree(net, {.objective = PathObjective::Flops}));
        // All trees of four operands: each pair first, then each of the three ways to go on.
        for (int a = 0; a < 4; ++a) {
            for (int b = a + 1; b < 4; ++b) {
                std::vector<int> rest;
                for (int i = 0; i < 4; ++i)
                    if (i != a && i != b) rest.push_back(i);
                for (const ContractionTree& tree : {ContractionTree{{{a, b}, {4, rest[0]}, {5, rest[1]}}},
                                                    ContractionTree{{{a, b}, {4, rest[1]}, {5, rest[0]}}},
                                                    ContractionTree{{{a, b}, {rest[0], rest[1]}, {4, 5}}}}) {
                    const ContractionCost other = cost(net, tree);
                    EXPECT_TRUE(found.flops < other.flops ||
                                (found.flops == other.flops && found.total_writes <= other.total_writes));
                }
            }
        }
    }
}

}}  // namespace tenferro::tensor_network
