// Derivatives of extensions, traced and eager.
#include <gtest/gtest.h>

#include <random>

#include "support/expect_error.hpp"
#include "support/test_extensions.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/api/extension.hpp"
#include "tenferro/runtime/functional.hpp"
#include "values.hpp"

namespace tenferro { namespace {

using test::PairOp;
using test::PairRule;
using test::PlainOp;
using test::tensor_of;
using test::TwiceOp;
using test::values_of;

template <class H>
H loss_of(const H& a, const H& b) {
    const auto y = extension::apply(std::make_shared<PairOp>(3), std::vector{a * a, b});
    return reduce_sum(y[0]) + reduce_sum(y[1] * y[1]);
}

TracedTensor twice(const TracedTensor& a) {
    return extension::apply(std::make_shared<TwiceOp>(), std::vector{a})[0];
}
template <class Tag, class H>
H plain(const H& a, int payload) {
    return extension::apply(std::make_shared<PlainOp<Tag>>(payload), std::vector{a})[0];
}

class ExtensionSection10 : public testing::Test {
protected:
    void SetUp() override { test::register_test_extensions(); }

    static std::vector<Tensor> run(std::initializer_list<TracedTensor> outputs,
                                   std::initializer_list<TracedTensor> inputs,
                                   std::initializer_list<const Tensor*> values) {
        GraphCompiler compiler;
        std::vector<TensorRead> reads;
        for (const Tensor* value : values) reads.push_back(*value);
        return compiler.compile(outputs, inputs)->run(default_engine().backend(), reads);
    }
};

TEST_F(ExtensionSection10, TracedAndEagerGradientsOfARuleOfCoreOperations) {
    const TracedTensor a = TracedTensor::input(DType::F64, {kAnyExtent}),
                       b = TracedTensor::input(DType::F64, {kAnyExtent});
    const std::vector<TracedTensor> inputs{a, b};
    const std::vector<TracedTensor> slopes = grad(loss_of(a, b), inputs);
    const std::vector<double> x{1, -2, 0.5}, y{3, 4};
    // The loss is 3 (sum a²)(sum b) + sum a⁴ + sum b².
    std::vector<double> da, db;
    for (const double v : x) da.push_back(6 * v * 7 + 4 * v * v * v);
    for (const double v : y) db.push_back(3 * 5.25 + 2 * v);
    const Tensor tx = tensor_of(x, {3}), ty = tensor_of(y, {2});
    const auto traced = run({slopes[0], slopes[1]}, {a, b}, {&tx, &ty});
    Engine& engine = default_engine();
    const EagerTensor ea(engine.eager(), tx.duplicate(), true), eb(engine.eager(), ty.duplicate(), true);
    loss_of(ea, eb).backward();
    const std::vector<Tensor> functional_results = [&] {
        std::vector<Tensor> results;
        const std::vector<EagerTensor> at{ea, eb};
        for (const EagerTensor& slope :
             grad([](std::span<const TracedTensor> v) { return loss_of(v[0], v[1]); }, at))
            results.push_back(slope.value().share());
        return results;
    }();
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(values_of(traced[0])[i], da[i], 1e-12);
        EXPECT_NEAR(values_of(ea.grad().value())[i], da[i], 1e-12);
        EXPECT_NEAR(values_of(functional_results[0])[i], da[i], 1e-12);
    }
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(values_of(traced[1])[i], db[i], 1e-12);
        EXPECT_NEAR(values_of(eb.grad().value())[i], db[i], 1e-12);
        EXPECT_NEAR(values_of(functional_results[1])[i], db[i], 1e-12);
    }
}

TEST_F(ExtensionSection10, InactiveTangentsAreAbsentNotZeros) {
    const TracedTensor a = TracedTensor::input(DType::F64, {2}), b = TracedTensor::input(DType::F64, {2});
    (void)grad(loss_of(a, b), a);
    EXPECT_EQ(PairRule::active, (std::vector<bool>{true, false}));
    (void)grad(loss_of(a, b), b);
    EXPECT_EQ(PairRule::active, (std::vector<bool>{false, true}));
    PairRule::active.clear();
    const TracedTensor other = TracedTensor::input(DType::F64, {});
    const TracedTensor none = grad(loss_of(a, b), other);  // nothing active reaches it
    EXPECT_TRUE(PairRule::active.empty());
    const Tensor zero = tensor_of({1}, {});
    EXPECT_EQ(values_of(run({none}, {other}, {&zero})[0]), std::vector<double>{0});
}

TEST_F(ExtensionSection10, AnAbsentTangentOfAnOutputIsZero) {
    const TracedTensor x = TracedTensor::input(DType::F64, {2, 2});
    const TracedTensor slope = grad(reduce_sum(plain<test::ShortRule>(x, 4) + x * 3.0), x);
    const Tensor at = tensor_of({1, 2, 3, 4}, {2, 2});
    EXPECT_EQ(values_of(run({slope}, {x}, {&at})[0]), std::vector<double>(4, 3));
}

TEST_F(ExtensionSection10, ExtensionsMayBeLinksAndBeDifferentiatedAgain) {
    const TracedTensor x = TracedTensor::input(DType::F64, {3}), v = TracedTensor::input(DType::F64, {3});
    const TracedTensor y = twice(x * x);
    const TracedTensor loss = reduce_sum(y * y);  // 4 x⁴
    const std::optional<TracedTensor> along = v;
    const TracedTensor slope = grad(loss, x), curve = hvp(loss, {&x, 1}, {&along, 1})[0];
    const TracedTensor forward = jvp({&loss, 1}, {&x, 1}, {&along, 1})[0];
    const Tensor at = tensor_of({1, 2, -1}, {3}), direction = tensor_of({1, 0.5, 2}, {3});
    const auto out = run({slope, curve, forward}, {x, v}, {&at, &direction});
    for (std::size_t i = 0; i < 3; ++i) {
        const double p = at.data_as<double>()[i], d = direction.data_as<double>()[i];
        EXPECT_NEAR(values_of(out[0])[i], 16 * p * p * p, 1e-12);
        EXPECT_NEAR(values_of(out[1])[i], 48 * p * p * d, 1e-12);
    }
    EXPECT_NEAR(values_of(out[2])[0], 16 * 1 + 16 * 8 * 0.5 - 16 * 2, 1e-12);
    const EagerTensor leaf(default_engine().eager(), at.duplicate(), true);
    const EagerTensor eager = extension::apply(std::make_shared<TwiceOp>(), std::vector{leaf * leaf})[0];
    reduce_sum(eager * eager).backward();
    EXPECT_EQ(values_of(leaf.grad().value()), values_of(out[0]));
}

TEST_F(ExtensionSection10, GuardsOfRulesAreCheckedWhenExtentsAreBound) {
    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent});
    const std::optional<TracedTensor> along = x;
    const TracedTensor y = plain<test::ShortRule>(x, 5);
    const TracedTensor tangent = jvp({&y, 1}, {&x, 1}, {&along, 1})[0];
    ASSERT_NE(tangent.guards(), nullptr);
    EXPECT_EQ(*tangent.guards(), (std::vector<ShapeGuard>{{x.extent(0), x.extent(1)}}));
    const Tensor square = tensor_of({1, 2, 3, 4}, {2, 2}), wide = tensor_of({1, 2}, {1, 2});
    EXPECT_EQ(values_of(run({tangent}, {x}, {&square})[0]), (std::vector<double>{1, 2, 3, 4}));
    EXPECT_ERROR((void)run({tangent}, {x}, {&wide}), ShapeMismatch,
                 "a derivative was taken for n0_0 equal to n0_1");
    EXPECT_NO_THROW((void)run({y}, {x}, {&wide}));
}

TEST_F(ExtensionSection10, WithoutARuleNothingIsDifferentiated) {
    const TracedTensor x = TracedTensor::input(DType::F64, {2});
    const TracedTensor loss = reduce_sum(plain<test::WithoutRule>(x, 0));
    EXPECT_ERROR((void)grad(loss, x), AdRuleUnsupported,
                 "extension: test-ext.without-rule.v1: no linearize rule is registered");
    const std::optional<TracedTensor> along = x;
    EXPECT_ERROR((void)jvp({&loss, 1}, {&x, 1}, {&along, 1}), AdRuleUnsupported,
                 "test-ext.without-rule.v1: no linearize rule");
    const EagerTensor leaf(default_engine().eager(), tensor_of({1, 2}, {2}), true);
    const EagerTensor eager = reduce_sum(plain<test::WithoutRule>(leaf, 0));
    EXPECT_EQ(values_of(eager.value()), std::vector<double>{3});
    EXPECT_ERROR(eager.backward(), AdRuleUnsupported,
                 "extension: test-ext.without-rule.v1: no linearize rule is registered");
    EXPECT_FALSE(leaf.has_grad());
}

TEST_F(ExtensionSection10, EmittedFamiliesNeedRulesOnTheNextPass) {
    const TracedTensor x = TracedTensor::input(DType::F64, {2});
    const TracedTensor loss = reduce_sum(plain<test::Emitting>(x, 0));
    const std::optional<TracedTensor> along = x;
    const TracedTensor tangent = jvp({&loss, 1}, {&x, 1}, {&along, 1})[0];  // the first pass is fine
    const Tensor at = tensor_of({1, 2}, {2});
    EXPECT_EQ(values_of(run({tangent}, {x}, {&at})[0]), std::vector<double>{3});
    EXPECT_ERROR((void)grad(loss, x), AdRuleUnsupported,
                 "extension: test-ext.without-rule.v1: no transpose rule is registered");
    EXPECT_ERROR((void)jvp({&tangent, 1}, {&x, 1}, {&along, 1}), AdRuleUnsupported,
                 "extension: test-ext.without-rule.v1: no linearize rule is registered");
}

TEST_F(ExtensionSection10, RulesThatMisbehaveAreErrorsOfTheFamily) {
    const TracedTensor x = TracedTensor::input(DType::F64, {2});
    const auto slope = [&](int payload) { return grad(reduce_sum(plain<test::ShortRule>(x, payload)), x); };
    EXPECT_ERROR(
        (void)slope(0), InvalidConfig,
        "extension: family_id=test-ext.short_rule.v1: expected 1 tangents of the linearize rule, got 0");
    EXPECT_ERROR(
        (void)slope(1), InvalidConfig,
        "extension: family_id=test-ext.short_rule.v1: expected 1 cotangents of the transpose rule, got 2");
    EXPECT_ERROR((void)slope(2), Unsupported,
                 "extension: family_id=test-ext.short_rule.v1: rule: not at a pole");
    EXPECT_ERROR((void)slope(3), InvalidConfig,
                 "extension: family_id=test-ext.short_rule.v1: not at a branch point");
}

}}  // namespace tenferro
