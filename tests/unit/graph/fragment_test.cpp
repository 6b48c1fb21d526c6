// Where derivative rules put their nodes: interning, and what reverse mode forbids.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "tenferro/graph/transpose.hpp"
#include "tenferro/ops/functions.hpp"
#include "tenferro/runtime/traced_tensor.hpp"

namespace tenferro { namespace {

using tensor_ops::elementwise;

GlobalValKey input() { return GlobalValKey::input(op_graph::new_input_id(), {DType::F64, {Index{3}}}); }

TEST(Fragment, SameOperationInputsAndModeAreOneNode) {
    FragmentBuilder builder;
    const GlobalValKey a = input(), b = input();
    const ValRef ab[] = {a, b}, ba[] = {b, a};
    const auto add = [&](std::span<const ValRef> inputs, OpMode mode) {
        return builder.add_op(elementwise(OpId::Mul), inputs, std::move(mode)).front();
    };
    const LocalValId first = add(ab, OpMode::primal());
    EXPECT_EQ(first, add(ab, OpMode::primal()));
    EXPECT_EQ(builder.key(first).node(), builder.key(add(ab, OpMode::primal())).node());
    EXPECT_FALSE(first == add(ba, OpMode::primal()));
    EXPECT_FALSE(first == add(ab, OpMode::linear_in({0})));
    EXPECT_FALSE(add(ab, OpMode::linear_in({0})) == add(ab, OpMode::linear_in({1})));
    EXPECT_EQ(add(ab, OpMode::linear_in({0})), add(ab, OpMode::linear_in({0})));
    const ValRef by_number[] = {builder.import(a), builder.import(b)};
    EXPECT_EQ(first, add(by_number, OpMode::primal()));
}

TEST(Fragment, ValuesOfOtherGraphsUnify) {
    FragmentBuilder builder;
    const GlobalValKey a = input();
    const auto sine = [&] { return GlobalValKey::result(elementwise(OpId::Sin), {a}, OpMode::primal()); };
    EXPECT_EQ(builder.import(sine()), builder.import(sine()));
    const ValRef of_a[] = {a};
    EXPECT_EQ(builder.import(sine()), builder.add_op(elementwise(OpId::Sin), of_a, OpMode::primal()).front());
}

TEST(Fragment, WrongNumberOfInputs) {
    FragmentBuilder builder;
    const ValRef one[] = {input()};
    EXPECT_ERROR((void)builder.add_op(elementwise(OpId::Mul), one, OpMode::primal()), InvalidConfig,
                 "mul: expected 2 inputs, got 1");
}

TEST(Fragment, ForbiddenNodesAreNoInputs) {
    FragmentBuilder builder;
    const GlobalValKey a = input(), b = input();
    builder.forbid(b);
    const ValRef fine[] = {a, a}, bad[] = {a, b};
    (void)builder.add_op(elementwise(OpId::Mul), fine, OpMode::primal());
    EXPECT_ERROR((void)builder.add_op(elementwise(OpId::Mul), bad, OpMode::primal()), InvalidConfig,
                 "mul: a transpose rule gave it a value of the linear flow as input 1");
}

/// Doubles its input; its transpose rule is wrong as it multiplies the cotangent with the linear input.
class Leaking final : public Operation {
public:
    [[nodiscard]] OpKind kind() const noexcept override { return kind_of<tensor_ops::Extension>(); }
    [[nodiscard]] std::string_view name() const noexcept override { return "leaking"; }
    [[nodiscard]] std::size_t n_inputs() const noexcept override { return 1; }
    void hash_payload(Hasher&) const override {}
    [[nodiscard]] bool payload_equals(const Operation&) const override { return true; }
    [[nodiscard]] std::string payload_text() const override { return ""; }
    [[nodiscard]] std::shared_ptr<const Operation> substituted(
        FunctionRef<SymDim(DimSymbol)>) const override {
        return nullptr;
    }
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> inputs) const override {
        return {inputs[0]};
    }
    void execute(BackendSession& session, std::span<const TensorRead> inputs,
                 std::span<Tensor> outputs) const override {
        outputs[0] = session.add_read(inputs[0], inputs[0]);
    }
    [[nodiscard]] OptionalValues linearize(FragmentBuilder& builder, std::span<const GlobalValKey>,
                                           std::span<const GlobalValKey>,
                                           std::span<const std::optional<LocalValId>> tangent_in,
                                           ShapeGuardContext&) const override {
        const ValRef along[] = {*tangent_in[0]};
        return {builder.add_op(Leaking(), along, OpMode::linear_in({0})).front()};
    }
    [[nodiscard]] OptionalValues transpose_rule(FragmentBuilder& builder,
                                                std::span<const std::optional<LocalValId>> cotangent_out,
                                                std::span<const ValRef> inputs, const OpMode&,
                                                ShapeGuardContext&) const override {
        const ValRef both[] = {*cotangent_out[0], inputs[0]};
        return {builder.add_op(elementwise(OpId::Mul), both, OpMode::linear_in({0})).front()};
    }
};

TEST(Fragment, TransposeRulesMustNotReadTheLinearFlow) {
    const TracedTensor x = TracedTensor::input(DType::F64, {3});
    const TracedTensor y = x.apply(Leaking(), {sin(x)});
    const std::optional<TracedTensor> along = x, ct = x;
    EXPECT_NO_THROW((void)jvp({&y, 1}, {&x, 1}, {&along, 1}));
    EXPECT_ERROR((void)vjp({&y, 1}, {&x, 1}, {&ct, 1}), InvalidConfig,
                 "mul: a transpose rule gave it a value of the linear flow as input 1");
}

}}  // namespace tenferro
