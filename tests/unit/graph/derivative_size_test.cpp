// How large derivatives are: gradients of chains grow in proportion, keep nothing of the forward tangents,
// and nest.
#include <gtest/gtest.h>

#include <cmath>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/runtime/compiler.hpp"
#include "tenferro/testing/tolerance.hpp"

namespace tenferro { namespace {

TracedTensor scalar() { return TracedTensor::input(DType::F64, {}); }

/// The instructions of a program that needs no input but `x`.
std::size_t instructions(const TracedTensor& y, const TracedTensor& x) {
    GraphCompiler compiler;
    return compiler.compile({y}, {x})->instructions().size();
}

using Step = TracedTensor (*)(const TracedTensor&);

/// Instructions of the gradient of a chain of `count` steps.
std::size_t gradient_size(Step step, int count) {
    const TracedTensor x = scalar();
    TracedTensor y = x;
    for (int i = 0; i < count; ++i) y = step(y);
    return instructions(grad(y, x), x);
}

struct Chain {
    const char* name;
    Step step;
    std::size_t most;  ///< instructions per step of value and gradient together
};
constexpr Chain kChains[] = {
    {"sin", sin<TracedTensor>, 3},
    {"exp", exp<TracedTensor>, 2},
    {"square", [](const TracedTensor& x) { return x * x; }, 4},
    {"tanh", tanh<TracedTensor>, 5},
    {"affine", [](const TracedTensor& x) { return x * 2.0 + 1.0; }, 3},
    {"quotient", [](const TracedTensor& x) { return x / (x + 1.0); }, 9},
};

class GradientSize : public ::testing::TestWithParam<Chain> {};

TEST_P(GradientSize, IsLinearInTheChain) {
    const Chain& chain = GetParam();
    const std::size_t small = gradient_size(chain.step, 50), large = gradient_size(chain.step, 100);
    EXPECT_LE(large - small, 50 * chain.most);
    EXPECT_EQ(gradient_size(chain.step, 150) - large, large - small) << "not linear";
}
INSTANTIATE_TEST_SUITE_P(Chains, GradientSize, ::testing::ValuesIn(kChains),
                         [](const auto& parameters) { return parameters.param.name; });

TEST(DerivativeSize, ForwardModeIsLinearToo) {
    std::vector<std::size_t> sizes;
    for (const int count : {50, 100, 150}) {
        const TracedTensor x = scalar(), dx = scalar();
        TracedTensor y = x;
        for (int i = 0; i < count; ++i) y = sin(y);
        const std::optional<TracedTensor> along = dx;
        GraphCompiler compiler;
        sizes.push_back(
            compiler.compile({jvp({&y, 1}, {&x, 1}, {&along, 1}).front()}, {x, dx})->instructions().size());
    }
    EXPECT_EQ(sizes[1] - sizes[0], sizes[2] - sizes[1]);
    EXPECT_LE(sizes[1] - sizes[0], 3u * 50);
}

TEST(DerivativeSize, DeepChainsAreDifferentiated) {
    const TracedTensor x = scalar();
    TracedTensor y = x;
    for (int i = 0; i < 20'000; ++i) y = y + x;
    GraphCompiler compiler;
    const auto program = compiler.compile({grad(y, x)}, {x});
    const double value = 3;
    const Tensor at = Tensor::from_data<double>({&value, 1}, {});
    const auto backend = CpuBackend::with_threads(1);
    EXPECT_EQ(*program->run(*backend, {&at.read(), 1}).front().data_as<double>(), 20'001);
}

TEST(DerivativeSize, AbsentTangentsMakeNoNodes) {
    const TracedTensor x = scalar(), unused = scalar();
    const TracedTensor y = sin(unused) * exp(unused) + x;
    // dy/dx is the constant 1, and nothing of the other operand is left.
    EXPECT_EQ(instructions(grad(y, x), x), 1u);
    const TracedTensor constant = grad(sin(unused), x);
    EXPECT_EQ(instructions(constant, x), 1u);
}

TEST(DerivativeSize, NestedGradientsOfSine) {
    const TracedTensor x = scalar();
    TracedTensor y = sin(x);
    const double at = 0.7, expected[] = {std::cos(at), -std::sin(at), -std::cos(at), std::sin(at)};
    const Tensor value = Tensor::from_data<double>({&at, 1}, {});
    const auto backend = CpuBackend::with_threads(1);
    for (std::size_t order = 0; order < 4; ++order) {
        y = grad(y, x);
        GraphCompiler compiler;
        const auto program = compiler.compile({y}, {x});
        EXPECT_NEAR(*program->run(*backend, {&value.read(), 1}).front().data_as<double>(), expected[order],
                    testing::sum_tolerance<double>(16))
            << "order " << order + 1;
        EXPECT_LE(program->instructions().size(), std::size_t{8} << order) << "order " << order + 1;
    }
}

TEST(DerivativeSize, MixedNestingAgrees) {
    // Forward over reverse, reverse over forward and reverse over reverse are one number for x^2 y^3.
    const TracedTensor x = scalar(), y = scalar(), one = scalar();
    const TracedTensor z = x * x * (y * y * y);
    const std::optional<TracedTensor> along = one;
    const TracedTensor gradient = grad(z, x);
    const TracedTensor tangent = jvp({&z, 1}, {&x, 1}, {&along, 1}).front();
    GraphCompiler compiler;
    const auto program = compiler.compile(
        {jvp({&gradient, 1}, {&y, 1}, {&along, 1}).front(), grad(tangent, y), grad(gradient, y)},
        {x, y, one});
    const double values[] = {3, 2, 1};
    std::vector<Tensor> tensors;
    std::vector<TensorRead> views;
    for (const double& value : values) tensors.push_back(Tensor::from_data<double>({&value, 1}, {}));
    for (const Tensor& tensor : tensors) views.push_back(tensor.read());
    const auto backend = CpuBackend::with_threads(1);
    for (const Tensor& result : program->run(*backend, views)) EXPECT_EQ(*result.data_as<double>(), 72);
}

}}  // namespace tenferro
