// Contraction trees: paths and trees, labels and costs against values worked out by hand.
#include "tenferro/einsum/contraction_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "support/made_network.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro::tensor_network { namespace {

using test::made_network;
using Path = std::vector<std::vector<int>>;
using Pairs = std::vector<std::pair<int, int>>;

std::string message_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::InvalidArgument);
        return error.what();
    }
    return "no error";
}

/// A tree that merges random nodes.
ContractionTree random_tree(int operands, std::mt19937& random) {
    std::vector<int> nodes(static_cast<std::size_t>(operands));
    std::iota(nodes.begin(), nodes.end(), 0);
    ContractionTree tree;
    while (nodes.size() > 1) {
        std::shuffle(nodes.begin(), nodes.end(), random);
        const int a = nodes.back();
        nodes.pop_back();
        tree.merges.emplace_back(a, nodes.back());
        nodes.back() = operands + static_cast<int>(tree.merges.size()) - 1;
    }
    return tree;
}

TEST(TreeFromPath, FollowsTheShrinkingList) {
    // [0 1 2 3] -> [1 3 4] -> [3 5] -> [6]
    EXPECT_EQ(tree_from_path(Path{{0, 2}, {2, 0}, {0, 1}}, 4).merges, (Pairs{{0, 2}, {4, 1}, {3, 5}}));
}

TEST(TreeFromPath, ContractsLongStepsInTheListedOrder) {
    EXPECT_EQ(tree_from_path(Path{{3, 0, 2}, {0, 1}}, 4).merges, (Pairs{{3, 0}, {4, 2}, {1, 5}}));
    EXPECT_EQ(tree_from_path(Path{{0, 1, 2}}, 3).merges, (Pairs{{0, 1}, {3, 2}}));
}

TEST(TreeFromPath, MovesTheTensorOfAOneElementStepToTheEnd) {
    // [0 1 2] -> [1 2 0] -> [0 (1 2)]
    EXPECT_EQ(tree_from_path(Path{{0}, {0, 1}, {0, 1}}, 3).merges, (Pairs{{1, 2}, {0, 3}}));
    EXPECT_TRUE(tree_from_path(Path{{0}, {0}}, 1).merges.empty());
}

TEST(TreeFromPath, CompletesAnIncompletePathInOrder) {
    EXPECT_EQ(tree_from_path(Path{}, 3).merges, (Pairs{{0, 1}, {3, 2}}));
    EXPECT_EQ(tree_from_path(Path{{1, 0}}, 4).merges, (Pairs{{1, 0}, {2, 3}, {5, 4}}));
}

TEST(TreeFromPath, NamesStepAndPositionOfAMalformedPath) {
    const auto failure = [](const Path& path, std::size_t operands) {
        return message_of([&] { (void)tree_from_path(path, operands); });
    };
    EXPECT_EQ(failure({{0, 1}, {0, 2}}, 3),
              "contraction path: step 1 lists position 2 but 2 tensors are left");
    EXPECT_EQ(failure({{-1, 1}}, 3), "contraction path: step 0 lists position -1 but 3 tensors are left");
    EXPECT_EQ(failure({{2, 1, 2}}, 3), "contraction path: step 0 lists position 2 twice");
    EXPECT_EQ(failure({{0, 1}, {}}, 3), "contraction path: step 1 lists no position");
    EXPECT_EQ(failure({{0, 1}, {0, 1}}, 2),
              "contraction path: step 1 lists position 1 but 1 tensors are left");
    EXPECT_EQ(failure({}, 0), "contraction path: there are no operands");
}

TEST(PathFromTree, InvertsTreeFromPath) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int operands = 1; operands < 60; ++operands) {
        const ContractionTree tree = random_tree(operands, random);
        const Path path = path_from_tree(tree);
        ASSERT_EQ(path.size(), tree.merges.size());
        EXPECT_EQ(tree_from_path(path, static_cast<std::size_t>(operands)), tree);
    }
}

TEST(PathFromTree, IsFastForManyOperands) {
    std::mt19937 random(1);
    constexpr int kOperands = 50'000;
    ContractionTree tree;
    for (int m = 0; m + 1 < kOperands; ++m) tree.merges.emplace_back(2 * m, 2 * m + 1);
    EXPECT_EQ(tree_from_path(path_from_tree(tree), kOperands), tree);
}

TEST(Cost, OfAMatrixChain) {
    // A[2,3] B[3,5] C[5,7]: (AB)C = 2*30 + 2*70, A(BC) = 2*105 + 2*42
    const Network chain = made_network({{0, 1}, {1, 2}, {2, 3}}, {0, 3}, {2, 3, 5, 7});
    const ContractionCost left = cost(chain, {{{0, 1}, {3, 2}}});
    EXPECT_EQ(left.flops, 200);
    EXPECT_EQ(left.largest_intermediate, 14);
    EXPECT_EQ(left.total_writes, 24);
    const ContractionCost right = cost(chain, {{{1, 2}, {0, 3}}});
    EXPECT_EQ(right.flops, 294);
    EXPECT_EQ(right.largest_intermediate, 21);
    EXPECT_EQ(right.total_writes, 35);
}

TEST(Cost, CountsBytesAndThoseAliveAtOnce) {
    // As above: AB is 2 x 5, alive with the result of 2 x 7.
    const Network chain = made_network({{0, 1}, {1, 2}, {2, 3}}, {0, 3}, {2, 3, 5, 7});
    const ContractionCost left = cost(chain, {{{0, 1}, {3, 2}}}, DType::F32);
    EXPECT_EQ(left.bytes, 4 * (6 + 15 + 10 + 10 + 35 + 14));
    EXPECT_EQ(left.peak_bytes, 4 * (10 + 14));
    EXPECT_EQ(left.slices, 1);
    // Operand 0 is summed over label 2 first, and its diagonal is a view; the result is a diagonal of 3 x 3.
    const Network sums = made_network({{0, 0, 1, 2}, {0, 1}}, {1, 1}, {2, 3, 100});
    EXPECT_EQ(cost(sums, {{{0, 1}}}).peak_bytes, 8 * (3 + 9));
    EXPECT_EQ(cost(sums, {{{0, 1}}}, DType::C64).peak_bytes, 16 * (3 + 9));
}

TEST(Cost, PredictsTimeFromFlopsAndBytes) {
    const auto seconds = [](std::vector<LabelIds> inputs, LabelIds output, std::vector<Index> extents) {
        return cost(made_network(std::move(inputs), std::move(output), std::move(extents)), {{{0, 1}}})
            .seconds;
    };
    // Twice the flops of a large matrix product take twice the time; a small one costs its step.
    const double product = seconds({{0, 1}, {1, 2}}, {0, 2}, {1000, 1000, 1000});
    EXPECT_NEAR(seconds({{0, 1}, {1, 2}}, {0, 2}, {1000, 2000, 1000}), 2 * product, 0.1 * product);
    EXPECT_LT(seconds({{0, 1}, {1, 2}}, {0, 2}, {2, 2, 2}), 2e-6);
    // Equal flops take longer where an extent is small, and where they are spread over many bytes.
    EXPECT_GT(seconds({{0, 1}, {1, 2}}, {0, 2}, {1000000, 1000, 1}), 2 * product);
    EXPECT_GT(seconds({{0}, {0}}, {0}, {1000000000}), 10 * product);
    EXPECT_GT(seconds({{0, 1}, {1, 2}}, {0, 2}, {2, 0, 3}), 0);
}

TEST(Cost, KnowsTheArithmeticOfTheElements) {
    const Network product = made_network({{0, 1}, {1, 2}}, {0, 2}, {1000, 1000, 1000});
    const auto seconds = [&](DType dtype) { return cost(product, {{{0, 1}}}, dtype).seconds; };
    // A complex product and sum are eight real operations for two.
    EXPECT_NEAR(seconds(DType::C64) / seconds(DType::F64), 4, 0.1);
    EXPECT_NEAR(seconds(DType::C32) / seconds(DType::F32), 4, 0.1);
    EXPECT_NEAR(seconds(DType::F64) / seconds(DType::F32), 2, 0.1);
    EXPECT_GT(seconds(DType::I64), 2 * seconds(DType::F64));
}

TEST(Cost, DoublesOnlyWhereALabelIsSummed) {
    EXPECT_EQ(cost(made_network({{0}, {1}}, {0, 1}, {4, 5}), {{{0, 1}}}).flops, 20);
    EXPECT_EQ(cost(made_network({{0, 1}, {1, 0}}, {0, 1}, {4, 5}), {{{0, 1}}}).flops, 20);
    EXPECT_EQ(cost(made_network({{0, 1}, {1, 0}}, {0}, {4, 5}), {{{0, 1}}}).flops, 40);
}

TEST(Cost, KeepsAHyperedgeUntilItsLastTensor) {
    // Label 0 belongs to three vectors: 3 products, then 3 products and sums.
    const ContractionCost all = cost(made_network({{0}, {0}, {0}}, {}, {3}), {{{0, 1}, {2, 3}}});
    EXPECT_EQ(all.flops, 3 + 6);
    EXPECT_EQ(all.total_writes, 3 + 1);
}

TEST(Cost, IgnoresLabelsThatOneOperandSumsAlone) {
    // Operand 0 is ii j k with j in the output and k nowhere else.
    const Network net = made_network({{0, 0, 1, 2}, {0, 3}}, {1, 3}, {2, 3, 100, 5});
    EXPECT_EQ(cost(net, {{{0, 1}}}).flops, 2 * 2 * 3 * 5);
}

TEST(Cost, IsZeroWithoutMergesAndWithoutElements) {
    EXPECT_EQ(cost(made_network({{0, 1}}, {1}, {2, 3}), {}).flops, 0);
    EXPECT_EQ(cost(made_network({{0, 1}, {1, 2}}, {0, 2}, {2, 0, 3}), {{{0, 1}}}).flops, 0);
}

TEST(Cost, DoesNotOverflow) {
    std::vector<Index> extents(40, Index{1} << 20);
    LabelIds left(20), right(20);
    std::iota(left.begin(), left.end(), 0);
    std::iota(right.begin(), right.end(), 20);
    LabelIds both = left;
    both.insert(both.end(), right.begin(), right.end());
    EXPECT_EQ(cost(made_network({left, right}, both, extents), {{{0, 1}}}).flops, std::ldexp(1.0, 800));
}

TEST(NodeLabels, AppearInOrderOfLeftThenRightChild) {
    // Labels 1 and 2 are summed, 4 repeats, 5 belongs to one operand alone, 6 to operand and output.
    const Network net = made_network({{3, 1, 4, 4}, {1, 2, 5}, {6, 2, 3}}, {6, 4}, std::vector<Index>(7, 2));
    const std::vector<LabelIds> labels = node_labels(net, {{{1, 0}, {3, 2}}});
    EXPECT_EQ(labels, (std::vector<LabelIds>{{3, 1, 4}, {1, 2}, {6, 2, 3}, {2, 3, 4}, {4, 6}}));
}

TEST(NodeLabels, RepeatedOutputLabelsCountOnce) {
    const Network net = made_network({{0, 1}, {1, 0}}, {0, 0}, {2, 3});
    EXPECT_EQ(node_labels(net, {{{0, 1}}}).back(), (LabelIds{0}));
}

TEST(NodeLabels, RootHasExactlyTheOutputLabels) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int trial = 0; trial < 100; ++trial) {
        const int operands = 1 + static_cast<int>(random() % 8);
        std::vector<LabelIds> inputs(static_cast<std::size_t>(operands));
        LabelIds used;
        for (LabelIds& input : inputs) {
            for (unsigned axis = random() % 4; axis != 0; --axis)
                input.push_back(static_cast<LabelId>(random() % 8));
            used.insert(used.end(), input.begin(), input.end());
        }
        std::sort(used.begin(), used.end());
        used.erase(std::unique(used.begin(), used.end()), used.end());
        std::shuffle(used.begin(), used.end(), random);
        used.resize(used.size() / 2);
        const Network net = made_network(inputs, used, std::vector<Index>(8, 2));
        LabelIds root = node_labels(net, random_tree(operands, random)).back();
        std::sort(root.begin(), root.end());
        std::sort(used.begin(), used.end());
        EXPECT_EQ(root, used);
    }
}

TEST(Tree, MalformedTreesAreRefused) {
    const Network net = made_network({{0}, {0}, {0}}, {}, {2});
    const auto failure = [&](const ContractionTree& tree) {
        return message_of([&] { (void)cost(net, tree); });
    };
    EXPECT_EQ(failure({{{0, 1}}}), "contraction tree: the network has 3 operands but the tree has 1 merges");
    EXPECT_EQ(failure({{{0, 3}, {1, 2}}}), "contraction tree: merge 0 takes node 3 but nodes 0 to 2 exist");
    EXPECT_EQ(failure({{{0, 1}, {3, 1}}}), "contraction tree: merge 1 takes node 1 which is used before");
    EXPECT_EQ(message_of([&] { (void)node_labels(net, {}); }),
              "contraction tree: the network has 3 operands but the tree has 0 merges");
    EXPECT_EQ(message_of([&] {
                  (void)path_from_tree({{{0, 0}}});
              }),
              "contraction tree: merge 0 takes node 0 which is used before");
}

}}  // namespace tenferro::tensor_network
