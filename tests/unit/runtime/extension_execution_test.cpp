// Extensions in eager and in compiled execution.
#include <gtest/gtest.h>

#include <random>

#include "support/counting_backend.hpp"
#include "support/expect_error.hpp"
#include "support/test_extensions.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/api/extension.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "values.hpp"

namespace tenferro { namespace {

using test::CountingBackend;
using test::PairOp;
using test::TwiceOp;
using test::values_of;

Tensor vector_of(const std::vector<double>& values) {
    const Index n = static_cast<Index>(values.size());
    return Tensor::from_data<double>(values, std::span(&n, 1));
}

/// What PairOp computes.
std::pair<std::vector<double>, std::vector<double>> pair_of(const std::vector<double>& a,
                                                            const std::vector<double>& b, int scale) {
    std::vector<double> product, joined = a;
    for (const double y : b)
        for (const double x : a) product.push_back(scale * (x * y));
    joined.insert(joined.end(), b.begin(), b.end());
    return {product, joined};
}

class ExtensionSection8 : public testing::Test {
protected:
    void SetUp() override { test::register_test_extensions(); }
    void TearDown() override { PairOp::on_execute = nullptr; }

    std::mt19937 random_{std::random_device{}()};

    std::vector<double> draw(std::size_t count) {
        std::vector<double> values;
        for (std::size_t i = 0; i < count; ++i)
            values.push_back(std::uniform_real_distribution<>(-2, 2)(random_));
        return values;
    }
};

/// Zeros like its operand, or more of them than it infers.
class SurplusOp final : public test::FamilyOp<SurplusOp, 1, 1> {
public:
    static constexpr std::string_view kFamilyId = "test-ext.surplus.v1";
    int payload = 0;
    static inline int inferred = 0;
    static inline Index surplus = 0;

    [[nodiscard]] std::vector<TensorMeta> infer_output_meta(std::span<const DType>,
                                                            std::span<const SymShape> shapes) const override {
        ++inferred;
        return {{DType::F64, shapes[0]}};
    }
    [[nodiscard]] std::vector<Tensor> eager_execute(std::span<const TensorRead> in) const override {
        std::vector<Tensor> outputs;
        outputs.push_back(Tensor::zeros(DType::F64, {in[0].shape()[0] + surplus}));
        return outputs;
    }
};

TEST_F(ExtensionSection8, WhatRanTwiceIsNotInferredAgainAndStillChecked) {
    register_extension(std::make_shared<test::Factory<SurplusOp>>());
    const tensor_ops::Extension op(std::make_shared<SurplusOp>());
    const BackendScope scope(default_engine().backend());
    const Tensor three = vector_of({1, 2, 3}), two = vector_of({1, 2});
    const auto run = [](const tensor_ops::Extension& extension, const Tensor& x) {
        const TensorRead in(x);
        return extension.execute({&in, 1})[0].shape();
    };
    for (int i = 0; i < 4; ++i) EXPECT_EQ(run(op, three), Dims{3});
    EXPECT_EQ(SurplusOp::inferred, 2);
    EXPECT_EQ(run(op, two), Dims{2});
    EXPECT_EQ(SurplusOp::inferred, 3);
    SurplusOp::surplus = 1;
    EXPECT_ERROR((void)run(op, three), InvalidConfig, "output 0 has shape [4] but [3] was inferred");
    EXPECT_ERROR((void)run(op, two), InvalidConfig, "output 0 has shape [3] but [2] was inferred");
    EXPECT_ERROR((void)run(tensor_ops::Extension(op), three), InvalidConfig, "was inferred");
}

TEST_F(ExtensionSection8, EagerAndCompiledAgreeForChangingExtents) {
    const TracedTensor a = TracedTensor::input(DType::F64, {kAnyExtent}),
                       b = TracedTensor::input(DType::F64, {kAnyExtent});
    const auto traced = extension::apply(std::make_shared<PairOp>(3), std::vector{exp(a), b});
    GraphCompiler compiler;
    const auto program = compiler.compile({traced[0], traced[1]}, {a, b});
    EXPECT_EQ(shape_text(traced[1].meta().shape), text("[", (a.extent(0) + b.extent(0)).text(), "]"));
    Engine& engine = default_engine();
    for (const auto& [m, n] : {std::pair{2, 3}, {1, 1}, {5, 0}, {0, 0}, {17, 9}}) {
        const std::vector<double> x = draw(static_cast<std::size_t>(m)),
                                  y = draw(static_cast<std::size_t>(n));
        const EagerTensor ea(engine.eager(), vector_of(x)), eb(engine.eager(), vector_of(y));
        const auto eager = extension::apply(std::make_shared<PairOp>(3), std::vector{exp(ea), eb});
        const std::vector<TensorRead> inputs{ea.value(), eb.value()};
        const std::vector<Tensor> compiled = program->run(engine.backend(), inputs);
        const auto expected = pair_of(values_of(exp(ea).value()), y, 3);
        ASSERT_EQ(compiled.size(), 2u);
        EXPECT_EQ(compiled[0].shape(), (Dims{m, n}));
        EXPECT_EQ(compiled[1].shape(), (Dims{m + n}));
        EXPECT_EQ(values_of(compiled[0]), expected.first);
        EXPECT_EQ(values_of(compiled[1]), expected.second);
        for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(values_of(eager[k].value()), values_of(compiled[k]));
    }
    EXPECT_EQ(compiler.stats().misses, 1u);
}

TEST_F(ExtensionSection8, EagerRunsWithoutASessionOnTheBackendOfTheContext) {
    CountingBackend backend;
    EagerContext context(backend);
    int calls = 0;
    PairOp::on_execute = [&] {
        ++calls;
        EXPECT_EQ(current_backend(), &backend);
        EXPECT_EQ(backend.sessions, 0);
    };
    const EagerTensor a(context, vector_of({1, 2})), b(context, vector_of({3}));
    const auto y = extension::apply(std::make_shared<PairOp>(2), std::vector{a, b});
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(backend.sessions, 1);  // the extension's own
    EXPECT_EQ(values_of(y[0].value()), (std::vector<double>{6, 12}));
    EXPECT_EQ(current_backend(), nullptr);
}

TEST_F(ExtensionSection8, CompiledRunsOnTheBackendOfTheRunInItsSession) {
    CountingBackend backend;
    const TracedTensor a = TracedTensor::input(DType::F64, {2}), b = TracedTensor::input(DType::F64, {1});
    const auto y = extension::apply(std::make_shared<PairOp>(2), std::vector{a, b});
    GraphCompiler compiler;
    const auto program = compiler.compile({y[0]}, {a, b});
    int calls = 0;
    PairOp::on_execute = [&] {
        ++calls;
        EXPECT_EQ(current_backend(), &backend);
    };
    const Tensor x = vector_of({1, 2}), z = vector_of({3});
    const std::vector<TensorRead> inputs{x, z};
    EXPECT_EQ(values_of(program->run(backend, inputs)[0]), (std::vector<double>{6, 12}));
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(backend.sessions, 1);
}

TEST_F(ExtensionSection8, OfSeveralBackendsTheRightOneIsCurrent) {
    const auto first = CpuBackend::with_threads(1), second = CpuBackend::with_threads(2);
    EagerContext one(*first), two(*second);
    std::vector<TensorBackend*> seen;
    PairOp::on_execute = [&] { seen.push_back(current_backend()); };
    const Tensor x = vector_of({1, 2});
    const EagerTensor a(one, x.duplicate()), b(two, x.duplicate());
    const auto op = std::make_shared<PairOp>();
    (void)extension::apply(op, std::vector{a, a});
    (void)extension::apply(op, std::vector{b, b});
    first->with_backend_session([&](BackendSession&) {  // another context inside a session
        (void)extension::apply(op, std::vector{b, b});
        EXPECT_EQ(current_backend(), first.get());
    });
    const std::vector<TensorRead> reads{x, x};
    {
        const BackendScope scope(*second);
        (void)extension::apply(op, reads);
    }
    (void)extension::apply(op, reads);
    const TracedTensor t = TracedTensor::input(DType::F64, {2});
    const auto y = extension::apply(op, std::vector{t, t});
    GraphCompiler compiler;
    const auto program = compiler.compile({y[1]}, {t});
    for (TensorBackend* backend :
         {static_cast<TensorBackend*>(first.get()), static_cast<TensorBackend*>(second.get())})
        (void)program->run(*backend, {&x.read(), 1});
    EXPECT_EQ(seen, (std::vector<TensorBackend*>{first.get(), second.get(), second.get(), second.get(),
                                                 &default_engine().backend(), first.get(), second.get()}));
}

TEST_F(ExtensionSection8, BackendsElsewhereWork) {
    CountingBackend backend(CountingBackend::kElsewhere);
    EagerContext context(backend);
    const Placement place = backend.placement();
    const EagerTensor a(context, test::marked(vector_of({1, 2}), place));
    const auto y = extension::apply(std::make_shared<TwiceOp>(), std::vector{a});
    EXPECT_EQ(y[0].value().placement(), place);
    EXPECT_EQ(y[0].value().data_as<double>()[1], 4);
}

TEST_F(ExtensionSection8, AnExtensionIsASegmentOfItsOwn) {
    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent});
    const auto twice = [](const TracedTensor& a) {
        return extension::apply(std::make_shared<TwiceOp>(), std::vector{a})[0];
    };
    const TracedTensor y = neg(sin(twice(twice(cos(exp(x)))))) + exp(x);
    GraphCompiler compiler;
    const auto program = compiler.compile({y}, {x});
    std::size_t extensions = 0, fused = 0;
    for (const auto& segment : program->segments()) {
        if (segment.plan) ++fused;
        for (const std::uint32_t i : segment.instructions) {
            if (program->instructions()[i].op.kind() != kind_of<tensor_ops::Extension>()) continue;
            ++extensions;
            EXPECT_EQ(segment.instructions.size(), 1u);
            EXPECT_EQ(segment.plan, nullptr);
        }
    }
    EXPECT_EQ(extensions, 2u) << program->text();
    EXPECT_EQ(fused, 2u) << program->text();
    const Tensor a = vector_of(draw(5));
    TensorBackend& backend = default_engine().backend();
    const Tensor out = std::move(program->run(backend, {&a.read(), 1})[0]);
    for (int i = 0; i < 5; ++i) {
        const double e = std::exp(a.data_as<double>()[i]);
        EXPECT_NEAR(out.data_as<double>()[i], -std::sin(4 * std::cos(e)) + e, 1e-12);
    }
    const auto plain = backend.with_backend_session([&](BackendSession& session) {
        return program->run_unsegmented(session, {&a.read(), 1});
    });
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(plain[0].data_as<double>()[i], out.data_as<double>()[i], 1e-12);
}

TEST_F(ExtensionSection8, CompilingFillsInMetadataAndLastUses) {
    const TracedTensor a = TracedTensor::input(DType::F64, {kAnyExtent}),
                       b = TracedTensor::input(DType::F64, {3});
    const auto y = extension::apply(std::make_shared<PairOp>(), std::vector{a, b});
    GraphCompiler compiler;
    const auto program = compiler.compile({y[1]}, {a, b});
    ASSERT_EQ(program->instructions().size(), 1u);
    const auto& instruction = program->instructions()[0];
    const SymDim m = SymDim::input(0, 0);
    EXPECT_EQ(instruction.outputs, (std::vector<TensorMeta>{{DType::F64, {m, 3}}, {DType::F64, {m + 3}}}));
    EXPECT_EQ(instruction.last_use, (std::vector<bool>{true, true}));
    ASSERT_EQ(program->segments().size(), 1u);  // the product, which nobody asked for, is dropped
    const auto& released = program->segments()[0].released;
    EXPECT_NE(std::find(released.begin(), released.end(), instruction.first_output), released.end());
}

TEST_F(ExtensionSection8, EqualExtensionsAreCompiledOnceAndOneNode) {
    const TracedTensor x = TracedTensor::input(DType::F64, {4});
    const auto apply = [&](int scale) {
        return extension::apply(std::make_shared<PairOp>(scale), std::vector{x, x})[1];
    };
    GraphCompiler compiler;
    const auto program = compiler.compile({apply(2), apply(2), apply(3)}, {x});
    EXPECT_EQ(program->instructions().size(), 2u);
    const TracedTensor other = TracedTensor::input(DType::F64, {4});
    const auto again = [&](int scale) {
        return extension::apply(std::make_shared<PairOp>(scale), std::vector{other, other})[1];
    };
    EXPECT_EQ(compiler.compile({again(2), again(2), again(3)}, {other}), program);
    EXPECT_NE(compiler.compile({again(2), again(2), again(4)}, {other}), program);
    EXPECT_EQ(compiler.stats().hits, 1u);
    EXPECT_EQ(compiler.stats().misses, 2u);
}

TEST_F(ExtensionSection8, CachesStayBounded) {
    GraphCompiler compiler({}, {4, std::size_t{1} << 20});
    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent});
    for (int round = 0; round < 3; ++round)
        for (int scale = 0; scale < 10; ++scale)
            (void)compiler.compile({extension::apply(std::make_shared<PairOp>(scale), std::vector{x, x})[0]},
                                   {x});
    EXPECT_EQ(compiler.stats().entries, 4u);
    EXPECT_EQ(compiler.stats().evictions, 26u);
    (void)compiler.compile({extension::apply(std::make_shared<PairOp>(9), std::vector{x, x})[0]}, {x});
    EXPECT_EQ(compiler.stats().hits, 1u);
    compiler.clear();
    EXPECT_EQ(compiler.stats().bytes, 0u);

    EagerContext context(default_engine().backend(), {3, std::size_t{1} << 20});
    for (int scale = 1; scale < 9; ++scale) {
        const EagerTensor leaf(context, vector_of({1, 2, 3}), true);
        reduce_sum(extension::apply(std::make_shared<PairOp>(scale), std::vector{leaf, leaf})[0]).backward();
        EXPECT_EQ(values_of(leaf.grad().value()), std::vector<double>(3, 12.0 * scale));
    }
    EXPECT_EQ(context.backward_stats().entries, 3u);
    EXPECT_EQ(context.backward_stats().misses, 8u);
}

TEST_F(ExtensionSection8, ApplyChecksWhatItIsGiven) {
    EXPECT_ERROR((void)extension::apply(std::make_shared<TwiceOp>(), std::span<const EagerTensor>()),
                 InvalidArgument, "extension: family_id=test-ext.twice.v1: no inputs");
    EXPECT_ERROR((void)extension::apply(nullptr, std::span<const TracedTensor>()), InvalidArgument,
                 "no operation");
    EXPECT_ERROR((void)extension::apply(nullptr, std::span<const TensorRead>()), InvalidArgument,
                 "no operation");
    EXPECT_ERROR((void)extension::apply(nullptr, std::span<const EagerTensor>()), InvalidArgument,
                 "no operation");
}

}}  // namespace tenferro
