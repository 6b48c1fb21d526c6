// From keys to a flat graph: what unifies, what names become, and that equal structures give equal graphs.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "tenferro/graph/materialise.hpp"
#include "tenferro/runtime/traced_tensor.hpp"

namespace tenferro { namespace {

using FlatGraph = op_graph::FlatGraph<StdTensorOp>;

FlatGraph flat(std::span<const TracedTensor> outputs, std::span<const TracedTensor> inputs) {
    std::vector<GlobalValKey> of, from;
    for (const TracedTensor& output : outputs) of.push_back(output.key());
    for (const TracedTensor& in : inputs) from.push_back(in.key());
    return op_graph::materialise<StdTensorOp>(of, from).graph;
}

TEST(Materialise, EqualNodesUnify) {
    const TracedTensor x = TracedTensor::input(DType::F64, {3});
    const FlatGraph graph = flat(std::vector{sin(x) + sin(x), sin(x)}, {&x, 1});
    ASSERT_EQ(graph.nodes.size(), 2u);
    EXPECT_EQ(graph.nodes[1].inputs, (std::vector<std::uint32_t>{1, 1}));
    EXPECT_EQ(graph.outputs, (std::vector<std::uint32_t>{2, 1}));
    // The order of operands is part of a node.
    EXPECT_EQ(flat(std::vector{x * sin(x) + sin(x) * x}, {&x, 1}).nodes.size(), 4u);
}

TEST(Materialise, LinksNeverUnifyWithPrimalNodes) {
    const TracedTensor x = TracedTensor::input(DType::F64, {3});
    const auto apply = [&](OpMode mode) {
        return TracedTensor(
            GlobalValKey::result(tensor_ops::elementwise(OpId::Neg), {x.key()}, std::move(mode)));
    };
    const FlatGraph graph =
        flat(std::vector{apply(OpMode::primal()), apply(OpMode::linear_in({0})), apply(OpMode::primal())},
             {&x, 1});
    EXPECT_EQ(graph.nodes.size(), 2u);
    EXPECT_EQ(graph.outputs, (std::vector<std::uint32_t>{1, 2, 1}));
    EXPECT_FALSE(flat(std::vector{apply(OpMode::primal())}, {&x, 1}) ==
                 flat(std::vector{apply(OpMode::linear_in({0}))}, {&x, 1}));
}

/// A graph with symbolic extents and a derivative, on inputs of its own.
std::pair<std::vector<TracedTensor>, std::vector<TracedTensor>> build(double factor = 2) {
    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent, 3}),
                       y = TracedTensor::input(DType::F64, {kAnyExtent});
    const TracedTensor loss = reduce_sum(sin(x) * broadcast_in_dim(y, shape_of(x), {0}) * factor);
    return {{loss, grad(loss, x), grad(loss, y)}, {x, y}};
}

TEST(Materialise, GraphsBuiltApartAreEqual) {
    const auto [outputs, inputs] = build();
    const auto [other_outputs, other_inputs] = build();
    const FlatGraph one = flat(outputs, inputs), two = flat(other_outputs, other_inputs);
    EXPECT_TRUE(one == two);
    EXPECT_EQ(one.hash(), two.hash());
    EXPECT_EQ(one.inputs[0].shape[0], SymDim::input(0, 0));
    EXPECT_EQ(one.inputs[1].shape[0], SymDim::input(1, 0));
    const auto [changed_outputs, changed_inputs] = build(3);
    EXPECT_FALSE(one == flat(changed_outputs, changed_inputs));
    EXPECT_FALSE(one == flat(std::span(outputs).first(2), inputs));
    EXPECT_FALSE(flat({&inputs[0], 1}, inputs) == flat({&inputs[1], 1}, inputs));
}

TEST(Materialise, IsDeterministic) {
    const auto [outputs, inputs] = build();
    const FlatGraph graph = flat(outputs, inputs);
    for (int i = 0; i < 20; ++i) {
        const auto [again, its_inputs] = build();
        EXPECT_TRUE(graph == flat(again, its_inputs));
    }
}

TEST(Materialise, NodesComeAfterWhatTheyRead) {
    const auto [outputs, inputs] = build();
    const FlatGraph graph = flat(outputs, inputs);
    std::uint32_t next = static_cast<std::uint32_t>(inputs.size());
    for (const auto& node : graph.nodes) {
        EXPECT_EQ(node.first_output, next);
        for (const std::uint32_t value : node.inputs) EXPECT_LT(value, next);
        next += static_cast<std::uint32_t>(node.op.n_outputs());
    }
    for (const std::uint32_t value : graph.outputs) EXPECT_LT(value, next);
}

TEST(Materialise, EveryInputMustBeThere) {
    const auto [outputs, inputs] = build();
    EXPECT_ERROR((void)flat(outputs, std::span(inputs).first(1)), MissingValue,
                 "a graph input that is not among the inputs");
    // An extent is a dependence too.
    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent}),
                       y = TracedTensor::input(DType::F64, {});
    EXPECT_ERROR((void)flat(std::vector{repeat(y, shape_of(x))}, {&y, 1}), MissingValue,
                 "not among the inputs");
    EXPECT_ERROR((void)flat({&y, 1}, std::vector{TracedTensor::input(DType::F64, shape_of(x)), y}),
                 MissingValue, "not among");
}

}}  // namespace tenferro
