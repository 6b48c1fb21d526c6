// Names of values: structural equality and hashes over graphs that were built apart, and graphs deeper than
// any stack.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "tenferro/graph/materialise.hpp"
#include "tenferro/ops/functions.hpp"
#include "tenferro/ops/std_tensor_op.hpp"

namespace tenferro { namespace {

using tensor_ops::elementwise;

constexpr int kDeep = 60'000;

GlobalValKey vector_input(Index extent = 3) {
    return GlobalValKey::input(op_graph::new_input_id(), {DType::F64, {extent}});
}
GlobalValKey apply(const StdTensorOp& op, std::vector<GlobalValKey> inputs, OpMode mode = OpMode::primal()) {
    return GlobalValKey::result(op, std::move(inputs), std::move(mode));
}

TEST(ValueKey, InputsAreEqualByIdAlone) {
    const GlobalValKey a = vector_input(), b = vector_input();
    EXPECT_FALSE(a == b);
    EXPECT_EQ(a, GlobalValKey::input(a.input_id(), {DType::F64, {Index{3}}}));
    EXPECT_EQ(a.hash(), GlobalValKey::input(a.input_id(), {DType::F64, {Index{3}}}).hash());
    EXPECT_TRUE(a.is_input());
    EXPECT_NE(op_graph::new_input_id(), op_graph::new_input_id());
}

TEST(ValueKey, GraphsBuiltApartAreEqualWhereTheirStructureIs) {
    const GlobalValKey a = vector_input(), b = vector_input();
    const auto build = [&](const GlobalValKey& x, const GlobalValKey& y) {
        const GlobalValKey product = apply(elementwise(OpId::Mul), {x, y});
        return apply(elementwise(OpId::Add), {product, apply(elementwise(OpId::Sin), {product})});
    };
    const GlobalValKey one = build(a, b), two = build(a, b);
    EXPECT_NE(one.node(), two.node());
    EXPECT_EQ(one, two);
    EXPECT_EQ(one.hash(), two.hash());
    EXPECT_FALSE(one == build(b, a));  // nothing is known to commute
    EXPECT_FALSE(one == build(a, a));
}

TEST(ValueKey, OperationPayloadModeAndSlotDistinguish) {
    const GlobalValKey a = GlobalValKey::input(op_graph::new_input_id(), {DType::F64, {Index{2}, Index{2}}});
    const GlobalValKey plain = apply(tensor_ops::Transpose({1, 0}), {a});
    EXPECT_FALSE(plain == apply(tensor_ops::Transpose({0, 1}), {a}));
    EXPECT_FALSE(plain == apply(tensor_ops::Reverse({1, 0}), {a}));
    EXPECT_FALSE(plain == apply(tensor_ops::Transpose({1, 0}), {a}, OpMode::linear_in({0})));
    EXPECT_FALSE(plain == plain.sibling(1));
    const GlobalValKey left = apply(elementwise(OpId::Mul), {a, a}, OpMode::linear_in({0}));
    EXPECT_FALSE(left == apply(elementwise(OpId::Mul), {a, a}, OpMode::linear_in({1})));
    EXPECT_EQ(left, apply(elementwise(OpId::Mul), {a, a}, OpMode::linear_in({0})));
    EXPECT_TRUE(left.mode().is_active(0));
    EXPECT_FALSE(left.mode().is_active(1));
}

TEST(ValueKey, ShapeRulesAreCheckedAtOnce) {
    EXPECT_ERROR((void)apply(elementwise(OpId::Add), {vector_input(3), vector_input(4)}), ShapeMismatch,
                 "add: lhs axis 0 has extent 3 but rhs axis 0 has extent 4");
    EXPECT_ERROR((void)apply(elementwise(OpId::Add), {vector_input(3)}), InvalidConfig,
                 "add: expected 2 inputs, got 1");
}

/// `a` followed by kDeep operations, each on the last value in every operand.
GlobalValKey chain(const GlobalValKey& a, OpId op, std::size_t operands) {
    GlobalValKey value = a;
    for (int i = 0; i < kDeep; ++i)
        value = apply(elementwise(op), std::vector<GlobalValKey>(operands, value));
    return value;
}

class DeepGraph : public ::testing::TestWithParam<std::pair<OpId, std::size_t>> {};

/// Both a chain and x = x * x, whose number of paths is 2 to the power of its length.
TEST_P(DeepGraph, IsBuiltComparedResolvedAndDestroyed) {
    const auto [op, operands] = GetParam();
    const GlobalValKey a = vector_input();
    const GlobalValKey one = chain(a, op, operands);
    {
        const GlobalValKey two = chain(a, op, operands);
        EXPECT_EQ(one, two);
        EXPECT_EQ(one.hash(), two.hash());
        EXPECT_FALSE(two == chain(vector_input(), op, operands));
    }
    EXPECT_EQ(op_graph::resolve<StdTensorOp>({&one, 1}).size(), std::size_t{kDeep} + 1);
    const auto flat = op_graph::materialise<StdTensorOp>({&one, 1}, {&a, 1}).graph;
    EXPECT_EQ(flat.nodes.size(), std::size_t{kDeep});
    EXPECT_EQ(flat.outputs, std::vector<std::uint32_t>{kDeep});
}

INSTANTIATE_TEST_SUITE_P(Shapes, DeepGraph,
                         ::testing::Values(std::pair(OpId::Sin, std::size_t{1}),
                                           std::pair(OpId::Mul, std::size_t{2})));

TEST(ValueKey, PartsOfDeepGraphsOutliveTheRest) {
    const GlobalValKey a = vector_input();
    GlobalValKey middle = a;
    {
        GlobalValKey value = a;
        for (int i = 0; i < kDeep; ++i) {
            value = apply(elementwise(OpId::Sin), {value});
            if (i == kDeep / 2) middle = value;
        }
    }
    EXPECT_EQ(op_graph::resolve<StdTensorOp>({&middle, 1}).size(), std::size_t{kDeep / 2 + 2});
}

}}  // namespace tenferro
