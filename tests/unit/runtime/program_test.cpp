// Tracing, compiling and running programs.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "support/expect_error.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"
#include "tenferro/runtime/compiler.hpp"
#include "values.hpp"

namespace tenferro { namespace {

using test::random_tensor;
using test::values_of;

TensorBackend& backend() { return default_engine().backend(); }

TEST(Program, RunsWithChangingExtents) {
    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent});
    const TracedTensor y = reduce_sum(x * x + 1.0);
    GraphCompiler compiler;
    const auto program = compiler.compile({y, grad(y, x)}, {x});
    for (const std::vector<double>& values : {std::vector<double>{1, 2, 3}, {4, 5}, {}}) {
        const Tensor a = test::tensor_of(values, {static_cast<Index>(values.size())});
        const std::vector<Tensor> out = program->run(backend(), {&a.read(), 1});
        double sum = 0;
        std::vector<double> slope;
        for (const double v : values) {
            sum += v * v + 1;
            slope.push_back(2 * v);
        }
        EXPECT_EQ(values_of(out[0]), std::vector<double>{sum});
        EXPECT_EQ(values_of(out[1]), slope);
    }
}

/// A network of everything: contraction, transposes around it, broadcasts, reductions, slices and elementwise
/// chains.
struct Model {
    TracedTensor a = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent});
    TracedTensor b = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent});
    std::vector<TracedTensor> outputs;

    Model() {
        const TracedTensor product = transpose(matmul(transpose(a, {1, 0}), b), {1, 0});
        const TracedTensor bias = broadcast_in_dim(reduce_max(product, {1}), shape_of(product), {0});
        const TracedTensor hidden = tanh(product - bias) * exp(-product) + log1p(product * product);
        const TracedTensor loss =
            reduce_sum(hidden * hidden) + reduce_sum(slice(hidden, {1, 0}, shape_of(hidden), {1, 1}));
        outputs = {loss, hidden, grad(loss, a), grad(loss, b), reverse(hidden, {0})};
    }
};

void expect_close(const std::vector<Tensor>& got, const std::vector<Tensor>& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t k = 0; k < got.size(); ++k) {
        ASSERT_TRUE(got[k].shape() == wanted[k].shape()) << "output " << k;
        EXPECT_TRUE(got[k].is_compact());
        const std::vector<double> x = values_of(got[k]), y = values_of(wanted[k]);
        double largest = 1;
        for (const double v : y) largest = std::max(largest, std::abs(v));
        for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-12 * largest) << "output " << k;
    }
}

TEST(Program, EveryWayToRunAgrees) {
    const Model model;
    const std::vector<TracedTensor> inputs{model.a, model.b};
    ReferenceBackend reference;
    const auto one = CpuBackend::with_threads(1), two = CpuBackend::with_threads(2);
    for (const auto& [m, k, n] :
         {std::tuple<Index, Index, Index>{3, 4, 2}, {1, 1, 1}, {40, 33, 37}, {2, 0, 3}}) {
        const Tensor a = random_tensor({k, m}, 1), b = random_tensor({k, n}, 2);
        const std::vector<TensorRead> reads{a, b};
        GraphCompiler plain({.fold_transposes = false, .fuse_elementwise = false});
        const auto unfused = plain.compile(model.outputs, inputs);
        const std::vector<Tensor> wanted = reference.with_backend_session(
            [&](BackendSession& session) { return unfused->run_unsegmented(session, reads); });
        for (const bool fold : {false, true}) {
            for (const bool fuse : {false, true}) {
                GraphCompiler compiler({.fold_transposes = fold, .fuse_elementwise = fuse});
                const auto program = compiler.compile(model.outputs, inputs);
                for (TensorBackend* where :
                     {static_cast<TensorBackend*>(&reference), static_cast<TensorBackend*>(one.get()),
                      static_cast<TensorBackend*>(two.get())}) {
                    expect_close(program->run(*where, reads), wanted);
                    expect_close(where->with_backend_session(
                                     [&](BackendSession& s) { return program->run_unsegmented(s, reads); }),
                                 wanted);
                }
            }
        }
    }
}

TEST(Program, FusesChainsAndFoldsTransposes) {
    const Model model;
    GraphCompiler compiler;
    const auto program = compiler.compile({model.outputs[1]}, {model.a, model.b});
    std::size_t fused = 0;
    for (const graph_runtime::ExecSegment& segment : program->segments())
        fused += segment.plan ? segment.instructions.size() : 0;
    EXPECT_GE(fused, 5u);
    EXPECT_EQ(program->text().find("transpose"), std::string::npos) << program->text();
}

// What could run alone at once, and reads only what is there until then, runs with the operation it is for.
TEST(Program, OperationsWaitForTheirReaders) {
    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent});
    const auto square = [](const TracedTensor& a) { return matmul(a, a); };
    const TracedTensor y = square(x);
    struct Case {
        std::vector<TracedTensor> outputs;
        std::size_t segments;
    };
    const Tensor a = random_tensor({5, 5}, 3);
    const auto one = CpuBackend::with_threads(1);
    ReferenceBackend reference;
    for (const Case& given : {Case{{y * exp(x)}, 2}, Case{{square(y) * exp(y) + y}, 3},
                              Case{{y * exp(x), exp(x)}, 3},     // which is a result too
                              Case{{y * square(exp(x))}, 4},     // which another operation needs before
                              Case{{square(y) * exp(y)}, 4}}) {  // y would have to be kept for it
        const auto program = GraphCompiler().compile(given.outputs, std::vector{x});
        EXPECT_EQ(program->segments().size(), given.segments) << program->text();
        const std::vector<TensorRead> reads{a};
        expect_close(program->run(*one, reads), program->run(reference, reads));
    }
}

TEST(Program, ProductsWithOneAreTheOtherFactor) {
    const auto instructions_of = [](DType dtype, auto&& function) {
        const TracedTensor x = TracedTensor::input(dtype, {kAnyExtent});
        return GraphCompiler().compile({function(x)}, {x})->instructions().size();
    };
    const auto one = [](const TracedTensor& x) { return full_like(x, 1); };
    for (const DType dtype : {DType::F32, DType::F64, DType::I32, DType::I64}) {
        EXPECT_EQ(instructions_of(dtype, [&](const TracedTensor& x) { return x * one(x); }), 0u);
        EXPECT_EQ(instructions_of(dtype, [&](const TracedTensor& x) { return one(x) * (one(x) * x) + x; }),
                  1u);
        EXPECT_GT(instructions_of(dtype, [&](const TracedTensor& x) { return x * full_like(x, 2); }), 1u);
        EXPECT_GT(instructions_of(dtype, [&](const TracedTensor& x) { return x + one(x); }), 1u);
    }
    // (inf + 0i) (1 + 0i) is inf + nan i
    EXPECT_GT(instructions_of(DType::C64, [&](const TracedTensor& x) { return x * one(x); }), 1u);

    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent});
    const Tensor a = test::tensor_of(std::vector<double>{-0., 3}, {2});
    const auto out = GraphCompiler().compile({x * one(x), one(x), x * one(x)}, {x})->run(backend(), {a});
    EXPECT_EQ(values_of(out[0]), (std::vector<double>{-0., 3}));
    EXPECT_TRUE(std::signbit(out[0](0)));
    EXPECT_EQ(values_of(out[1]), (std::vector<double>{1, 1}));
    EXPECT_TRUE(out[0].data() != a.data() && out[0].data() != out[2].data());
}

TEST(Program, CommonSubexpressionsAreComputedOnce) {
    const TracedTensor x = TracedTensor::input(DType::F64, {4});
    GraphCompiler compiler;
    const auto program = compiler.compile({exp(x) + exp(x), exp(x)}, {x});
    EXPECT_EQ(program->instructions().size(), 2u);
    const TracedTensor y = TracedTensor::input(DType::F64, {4});
    EXPECT_EQ(compiler.compile({x * y + y * x}, {x, y})->instructions().size(), 2u);
    EXPECT_EQ(compiler.compile({(x + y) * (y + x)}, {x, y})->instructions().size(), 2u);
    EXPECT_EQ(compiler.compile({(x - y) * (y - x)}, {x, y})->instructions().size(), 3u);
    const Tensor a = random_tensor({4}, 1), b = random_tensor({4}, 2);
    const auto out = compiler.compile({x * y, y * x, (x - y) * (y - x)}, {x, y})->run(backend(), {a, b});
    for (Index i = 0; i < 4; ++i) {
        EXPECT_EQ(out[0](i), a(i) * b(i));
        EXPECT_EQ(out[1](i), b(i) * a(i));
        EXPECT_EQ(out[2](i), (a(i) - b(i)) * (b(i) - a(i)));
    }
    EXPECT_NE(out[0].data(), out[1].data());
}

TEST(Program, CacheKeysAreStructural) {
    GraphCompiler compiler({}, {.entries = 2, .bytes = std::size_t{1} << 20});
    const auto compiled = [&](double factor, Index extent) {
        const TracedTensor x = TracedTensor::input(DType::F64, {extent});
        return compiler.compile({x * factor}, {x});
    };
    const auto first = compiled(2, 3);
    EXPECT_EQ(compiled(2, 3), first);
    EXPECT_NE(compiled(3, 3), first);
    EXPECT_NE(compiled(2, kAnyExtent), first);  // the third entry: the least recently used one goes
    CacheStats stats = compiler.stats();
    EXPECT_EQ(stats.hits, 1u);
    EXPECT_EQ(stats.misses, 3u);
    EXPECT_EQ(stats.entries, 2u);
    EXPECT_EQ(stats.evictions, 1u);
    EXPECT_GT(stats.bytes, 0u);
    compiler.clear();
    EXPECT_EQ(compiler.stats().entries, 0u);
    EXPECT_EQ(compiler.stats().bytes, 0u);
}

TEST(Program, CacheObeysItsBytes) {
    GraphCompiler compiler({}, {.entries = 100, .bytes = 1});
    const TracedTensor x = TracedTensor::input(DType::F64, {2});
    EXPECT_EQ(compiler.compile({x + 1.0}, {x})->output_count(), 1u);
    EXPECT_EQ(compiler.stats().entries, 0u);
}

TEST(Program, IsSharedByThreads) {
    const Model model;
    GraphCompiler compiler;
    const auto program = compiler.compile(model.outputs, std::vector<TracedTensor>{model.a, model.b});
    std::vector<std::vector<Tensor>> wanted;
    for (Index n = 1; n <= 4; ++n) {
        const Tensor a = random_tensor({n, n}, 3), b = random_tensor({n, n}, 4);
        wanted.push_back(program->run(backend(), std::vector<TensorRead>{a, b}));
    }
    std::vector<std::thread> threads;
    std::atomic<int> agreed = 0;
    for (Index n = 1; n <= 4; ++n)
        threads.emplace_back([&, n] {
            const Tensor a = random_tensor({n, n}, 3), b = random_tensor({n, n}, 4);
            for (int i = 0; i < 50; ++i) {
                const std::vector<Tensor> out = program->run(backend(), std::vector<TensorRead>{a, b});
                agreed += values_of(out[2]) == values_of(wanted[static_cast<std::size_t>(n - 1)][2]);
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(agreed, 200);
}

TEST(Program, OutputsAreTensorsOfTheirOwn) {
    const TracedTensor x = TracedTensor::input(DType::F64, {2, 3});
    const TracedTensor y = x + 1.0;
    GraphCompiler compiler;
    const auto program = compiler.compile({x, y, y, transpose(x, {1, 0})}, {x});
    const Tensor a = random_tensor({2, 3}, 5);
    const std::vector<Tensor> out = program->run(backend(), {&a.read(), 1});
    EXPECT_EQ(values_of(out[0]), values_of(a));
    EXPECT_NE(out[0].data(), a.data());
    EXPECT_NE(out[1].data(), out[2].data());
    EXPECT_EQ(values_of(out[1]), values_of(out[2]));
    EXPECT_TRUE(out[3].is_compact());
    EXPECT_EQ(values_of(out[3])[1], values_of(a)[2]);
}

TEST(Program, RefusesInputsThatDoNotFit) {
    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent, 3});
    const TracedTensor y = TracedTensor::input(DType::F64, {kAnyExtent});
    GraphCompiler compiler;
    const auto program = compiler.compile({reduce_sum(x, {1}) + y}, {x, y});
    const auto run = [&](const Tensor& a, const Tensor& b) {
        return program->run(backend(), std::vector<TensorRead>{a, b});
    };
    EXPECT_ERROR(run(random_tensor({2, 4}, 1), random_tensor({2}, 1)), ShapeMismatch,
                 "input 0 axis 1 has extent 4 but must be 3");
    EXPECT_ERROR(run(random_tensor({2}, 1), random_tensor({2}, 1)), RankMismatch,
                 "input 0 has rank 1 but was traced with rank 2");
    EXPECT_ERROR(run(random_tensor({2, 3}, 1), random_tensor({5}, 1)), ShapeMismatch,
                 "add: lhs axis 0 has extent 2 but rhs axis 0 has extent 5");
    const std::int64_t integers[2] = {1, 2};
    const Index two = 2;
    EXPECT_ERROR(run(random_tensor({2, 3}, 1), Tensor::from_data<std::int64_t>(integers, {&two, 1})),
                 DTypeMismatch, "input 1 has dtype i64 but was traced with f64");
    EXPECT_ERROR(static_cast<void>(program->run(backend(), std::vector<TensorRead>{})), InvalidArgument,
                 "0 inputs for a program of 2");
}

TEST(Program, CompileRefusesWhatIsNoProgram) {
    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent}),
                       y = TracedTensor::input(DType::F64, {kAnyExtent});
    GraphCompiler compiler;
    const auto compile = [&](std::vector<TracedTensor> outputs, std::vector<TracedTensor> inputs) {
        return compiler.compile(outputs, inputs);
    };
    EXPECT_ERROR(compile({x + y}, {x}), MissingValue, "not among the inputs");
    EXPECT_ERROR(compile({full_like(y, 1)}, {x}), MissingValue, "not among the inputs");
    EXPECT_ERROR(compile({x}, {x, x}), InvalidArgument, "inputs 0 and 1 are the same");
    EXPECT_ERROR(compile({x}, {exp(x)}), InvalidArgument, "input 0 is computed");
}

}}  // namespace tenferro
