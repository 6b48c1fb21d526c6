// What an extension is as a value of the graph, its arity and its inference.
#include <gtest/gtest.h>

#include <random>
#include <unordered_set>

#include "support/expect_error.hpp"
#include "support/test_extensions.hpp"

namespace tenferro { namespace {

using test::FaultyOp;
using test::PairOp;
using test::TwiceOp;

StdTensorOp pair(int scale) { return tensor_ops::Extension(std::make_shared<PairOp>(scale)); }

GlobalValKey input(SymShape shape) {
    return GlobalValKey::input(op_graph::new_input_id(), {DType::F64, std::move(shape)});
}

TEST(ExtensionSection4, CarrierIsARegularValue) {
    const StdTensorOp op = pair(3), copy = op;
    EXPECT_EQ(op.kind(), kind_of<tensor_ops::Extension>());
    EXPECT_EQ(op.name(), "extension");
    EXPECT_EQ(op, copy);
    EXPECT_EQ(&op.operation(), &copy.operation());  // shared, not deeply copied
    EXPECT_EQ(op.text(), "extension{test-ext.pair.v2, scale=3}");
    EXPECT_EQ(StdTensorOp(tensor_ops::Extension(std::make_shared<TwiceOp>())).text(),
              "extension{test-ext.twice.v1}");
    ASSERT_NE(op.as<tensor_ops::Extension>(), nullptr);
    EXPECT_EQ(downcast<PairOp>(*op.as<tensor_ops::Extension>()->op)->payload, 3);
}

TEST(ExtensionSection4, CloneIsADeepCopy) {
    const PairOp op(5);
    const auto copy = op.clone();
    EXPECT_NE(copy.get(), &op);
    EXPECT_TRUE(op.payload_eq(*copy));
    EXPECT_EQ(downcast<PairOp>(*copy)->payload, 5);
}

TEST(ExtensionSection4, NullIsRefused) {
    EXPECT_ERROR((void)tensor_ops::Extension(nullptr), InvalidArgument,
                 "extension: there is no operation to carry");
}

TEST(ExtensionSection5, SeparatelyBuiltOpsAreEqualAndHashEqually) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(text("seed ", seed));
    std::mt19937 random(seed);
    for (int i = 0; i < 200; ++i) {
        const int a = static_cast<int>(random() % 8), b = static_cast<int>(random() % 8);
        EXPECT_EQ(pair(a) == pair(b), a == b);
        EXPECT_EQ(pair(a).hash() == pair(b).hash(), a == b);
    }
}

TEST(ExtensionSection5, HashHasCarrierFamilyAndPayload) {
    const auto raw = [](std::uint64_t kind, std::string_view family, std::uint64_t payload) {
        Hasher hasher;
        hasher.add(kind);
        hasher.add(family);
        Hasher of_payload;
        of_payload.add(payload);
        hasher.add(of_payload.value());
        return hasher.value();
    };
    const auto kind = static_cast<std::uint64_t>(kind_of<tensor_ops::Extension>());
    EXPECT_EQ(pair(4).hash(), raw(kind, "test-ext.pair.v2", 4));
    EXPECT_NE(pair(4).hash(), raw(kind, "test-ext.pair.v2", 5));
    EXPECT_NE(pair(4).hash(), raw(kind, "test-ext.pair.v3", 4));
    EXPECT_NE(pair(4).hash(), raw(kind - 1, "test-ext.pair.v2", 4));
}

/// Says that it equals everything.
class Greedy final : public test::FamilyOp<Greedy, 1, 1> {
public:
    static constexpr std::string_view kFamilyId = "test-ext.greedy.v1";
    int payload = 0;
    [[nodiscard]] bool payload_eq(const ExtensionOp&) const override { return true; }
    [[nodiscard]] std::vector<TensorMeta> infer_output_meta(std::span<const DType>,
                                                            std::span<const SymShape>) const override {
        return {};
    }
    [[nodiscard]] std::vector<Tensor> eager_execute(std::span<const TensorRead>) const override { return {}; }
};

TEST(ExtensionSection5, FamiliesAreNeverEqualWhateverThePayload) {
    const StdTensorOp greedy = tensor_ops::Extension(std::make_shared<Greedy>());
    const StdTensorOp twice = tensor_ops::Extension(std::make_shared<TwiceOp>());
    EXPECT_FALSE(greedy == twice);
    EXPECT_FALSE(twice == greedy);
    EXPECT_EQ(greedy, StdTensorOp(tensor_ops::Extension(std::make_shared<Greedy>())));
    EXPECT_FALSE(twice == tensor_ops::elementwise(OpId::Neg));
    EXPECT_FALSE(tensor_ops::elementwise(OpId::Neg) == twice);
}

TEST(ExtensionSection5, DowncastFollowsTheFamily) {
    const PairOp op(7);
    const ExtensionOp& erased = op;
    EXPECT_EQ(downcast<PairOp>(erased), &op);
    EXPECT_EQ(downcast<TwiceOp>(erased), nullptr);
}

TEST(ExtensionSection5, EqualOpsOnEqualValuesAreInterned) {
    FragmentBuilder builder;
    const std::vector<ValRef> inputs{input({2}), input({3})};
    const auto first = builder.add_op(pair(2), inputs, OpMode::primal());
    const auto again = builder.add_op(pair(2), inputs, OpMode::primal());
    const auto other = builder.add_op(pair(3), inputs, OpMode::primal());
    const auto linear = builder.add_op(pair(2), inputs, OpMode::linear_in({0}));
    EXPECT_EQ(first, again);
    EXPECT_FALSE(first == other);
    EXPECT_FALSE(first == linear);
    EXPECT_FALSE(first[0] == first[1]);
    std::unordered_set<GlobalValKey, op_graph::KeyHash<StdTensorOp>> keys;
    for (const auto& ids : {first, again, other, linear})
        for (const LocalValId id : ids) keys.insert(builder.key(id));
    EXPECT_EQ(keys.size(), 6u);
}

TEST(ExtensionSection6, ArityIsThatOfTheOp) {
    EXPECT_EQ(pair(1).n_inputs(), 2u);
    EXPECT_EQ(pair(1).n_outputs(), 2u);
    FragmentBuilder builder;
    EXPECT_EQ(builder.add_op(pair(1), std::vector<ValRef>{input({2}), input({3})}, OpMode::primal()).size(),
              2u);
}

TEST(ExtensionSection6, RulesAreCalledWithTheDeclaredArityOnly) {
    test::register_test_extensions();
    FragmentBuilder builder;
    ShapeGuardContext context(builder);
    const GlobalValKey a = input({2}), b = input({3});
    const GlobalValKey y = GlobalValKey::result(pair(1), {a, b}, OpMode::primal());
    const std::vector<GlobalValKey> in{a, b}, one{a}, out{y, y.sibling(1)};
    const OptionalValues da{builder.import(a), std::nullopt}, only{builder.import(a)};
    EXPECT_EQ(pair(1).linearize(builder, in, out, da, context).size(), 2u);
    EXPECT_ERROR((void)pair(1).linearize(builder, one, out, only, context), InvalidConfig,
                 "extension: family_id=test-ext.pair.v2: expected 2 inputs, got 1");
    EXPECT_ERROR((void)pair(1).linearize(builder, in, out, only, context), InvalidConfig,
                 "family_id=test-ext.pair.v2: expected 2 tangents of inputs, got 1");
    EXPECT_ERROR((void)pair(1).linearize(builder, in, one, da, context), InvalidConfig,
                 "family_id=test-ext.pair.v2: expected 2 outputs, got 1");
    const std::vector<ValRef> refs{a}, both{a, b};
    EXPECT_ERROR((void)pair(1).transpose_rule(builder, da, refs, OpMode::linear_in({0}), context),
                 InvalidConfig, "family_id=test-ext.pair.v2: expected 2 inputs, got 1");
    EXPECT_ERROR((void)pair(1).transpose_rule(builder, only, both, OpMode::linear_in({0}), context),
                 InvalidConfig, "family_id=test-ext.pair.v2: expected 2 cotangents of outputs, got 1");
}

TEST(ExtensionSection7, InferenceIsTotalOverKnownAndSymbolicExtents) {
    const SymDim m = SymDim::input(0, 0), n = SymDim::input(1, 0);
    const auto infer = [](SymDim a, SymDim b) {
        const std::vector<TensorMeta> in{{DType::F64, {std::move(a)}}, {DType::F64, {std::move(b)}}};
        return pair(1).infer(in);
    };
    EXPECT_EQ(infer(2, 3), (std::vector<TensorMeta>{{DType::F64, {2, 3}}, {DType::F64, {5}}}));
    EXPECT_EQ(infer(m, 3), (std::vector<TensorMeta>{{DType::F64, {m, 3}}, {DType::F64, {m + 3}}}));
    EXPECT_EQ(infer(m, n), (std::vector<TensorMeta>{{DType::F64, {m, n}}, {DType::F64, {m + n}}}));
    EXPECT_EQ(infer(0, n), (std::vector<TensorMeta>{{DType::F64, {0, n}}, {DType::F64, {n}}}));
}

TEST(ExtensionSection7, InferenceGetsOneDtypeAndShapePerInput) {
    const std::vector<TensorMeta> wrong{{DType::F64, {2}}};
    EXPECT_ERROR((void)pair(1).infer(wrong), InvalidConfig,
                 "extension: family_id=test-ext.pair.v2: expected 2 inputs, got 1");
    EXPECT_ERROR((void)pair(1).operation().infer(wrong), InvalidConfig,
                 "extension: family_id=test-ext.pair.v2: expected 2 inputs, got 1");
}

TEST(ExtensionSection7, ErrorsOfInferenceKeepTheirKindAndCarryTheFamily) {
    const std::vector<TensorMeta> wrong{{DType::F32, {2}}, {DType::F64, {2}}};
    EXPECT_ERROR((void)pair(1).infer(wrong), DTypeMismatch,
                 "extension: family_id=test-ext.pair.v2: pair: the operands must be");
    const std::vector<TensorMeta> one{{DType::F64, {2}}};
    const StdTensorOp standard =
        tensor_ops::Extension(std::make_shared<FaultyOp>(test::Fault::InferStandardError));
    EXPECT_ERROR((void)standard.infer(one), InvalidConfig,
                 "extension: family_id=test-ext.faulty.v1: too long for me");
}

}}  // namespace tenferro
