// Contractions of values out of range: the same numbers as without a scale where these are in range, and the
// right ones, known in closed form, where they are not.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "support/expect_error.hpp"
#include "support/random_layout.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/plan.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro::tensor_network { namespace {

using test::Draw;
using test::element;
using test::for_each_index;
using test::StridedSample;

/// Equal bit for bit: scaling by powers of two is exact. The samples are integers.
template <class T>
void expect_value(const ScaledTensor& found, const Tensor& expected) {
    ASSERT_EQ(found.mantissa.shape(), expected.shape());
    for_each_index(expected.shape(), [&](const Dims& i) {
        const double factor = std::ldexp(1.0, static_cast<int>(found.exponent));
        ASSERT_EQ(element<T>(found.mantissa, i) * T(factor), element<T>(expected, i));
    });
}

template <class T>
class Scaled : public ::testing::Test {};
using Scalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(Scaled, Scalars);

TYPED_TEST(Scaled, EqualsTheOrdinaryRunAndItsDerivatives) {
    using T = TypeParam;
    const auto cpu = CpuBackend::with_threads(2);
    ReferenceBackend reference;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        Draw draw(seed);
        const Index i = draw.integer(0, 4), j = draw.integer(1, 4), k = draw.integer(1, 4);
        const bool pair = seed % 2 == 0;
        const char* const text = pair ? "ijj,jk,ki->ki" : "ij,jk,kl,li->i";
        const std::vector<Dims> shapes = pair ? std::vector<Dims>{{i, j, j}, {j, k}, {k, i}}
                                              : std::vector<Dims>{{i, j}, {j, k}, {k, 3}, {3, i}};
        const EinsumPlan plan(Subscripts::parse(text), shapes);
        std::vector<StridedSample<T>> samples;
        for (const Dims& shape : shapes) samples.emplace_back(draw, shape);
        std::vector<TensorRead> operands;
        std::vector<std::optional<TensorRead>> tangents;
        for (const auto& sample : samples) {
            operands.push_back(sample.view());
            tangents.push_back(draw.integer(0, 2) == 0 ? std::nullopt : std::optional(sample.view()));
        }
        const StridedSample<T> cotangent(draw, plan.output_shape());
        for (TensorBackend* const backend :
             {static_cast<TensorBackend*>(cpu.get()), static_cast<TensorBackend*>(&reference)})
            backend->with_backend_session([&](BackendSession& session) {
                expect_value<T>(plan.run_scaled(session, operands), plan.run(session, operands));
                expect_value<T>(plan.jvp_scaled(session, operands, tangents),
                                plan.jvp(session, operands, tangents));
                const auto found = plan.vjp_scaled(session, operands, {cotangent.view(), 0});
                const auto expected = plan.vjp(session, operands, cotangent.view());
                ASSERT_EQ(found.size(), expected.size());
                for (std::size_t n = 0; n < found.size(); ++n) expect_value<T>(found[n], expected[n]);
            });
    }
}

/// A chain of n matrices [[a, b], [b, a]] closed to a ring: (a + b)^n + (a - b)^n.
struct Ring {
    static constexpr int kBonds = 1200;
    std::vector<Dims> shapes = std::vector<Dims>(kBonds, Dims{2, 2});
    std::vector<std::vector<int>> labels;

    Ring() {
        for (int bond = 0; bond < kBonds; ++bond) labels.push_back({bond, (bond + 1) % kBonds});
    }
    [[nodiscard]] EinsumPlan plan() const {
        return EinsumPlan(Subscripts::interleaved(labels, std::vector<int>{}), shapes, PathOptions{});
    }
};

TEST(ScaledRing, PartitionFunctionAndEnergyBeyondTheRangeOfDoubles) {
    const Ring ring;
    const EinsumPlan plan = ring.plan();
    const double coupling = 0.8, a = std::exp(coupling), b = std::exp(-coupling);
    const auto backend = CpuBackend::with_threads(1);
    const Tensor bond = Tensor::from_data<double>({a, b, b, a}, {2, 2});
    const std::vector<TensorRead> operands(Ring::kBonds, bond.read());
    backend->with_backend_session([&](BackendSession& session) {
        EXPECT_TRUE(std::isinf(*plan.run(session, operands).template data_as<double>()));
        const ScaledTensor z = plan.run_scaled(session, operands);
        const double mantissa = *z.mantissa.data_as<double>();
        EXPECT_GE(mantissa, 0.5);
        EXPECT_LT(mantissa, 1);
        // ln z = n ln(2 cosh K) + ln(1 + tanh(K)^n)
        const double expected = Ring::kBonds * std::log(2 * std::cosh(coupling)) +
                                std::log1p(std::pow(std::tanh(coupling), Ring::kBonds));
        const double found = std::log(mantissa) + static_cast<double>(z.exponent) * std::log(2.0);
        EXPECT_NEAR(found, expected, 1e-12 * expected);
        // d ln z / d(bond) . d(bond)/dK = tanh K (1 + tanh(K)^(n-2)) / (1 + tanh(K)^n), here tanh K.
        const Tensor one_over = Tensor::from_data<double>({1 / mantissa}, {});
        const auto gradients = plan.vjp_scaled(session, operands, {one_over.read(), -z.exponent});
        const ScaledTensor& g = gradients[17];
        const double scale = std::ldexp(1.0, static_cast<int>(g.exponent));
        const double* const d = g.mantissa.data_as<double>();
        EXPECT_NEAR(scale * (d[0] * a - d[1] * b - d[2] * b + d[3] * a), std::tanh(coupling), 1e-11);
    });
}

TEST(ScaledRing, SmallValuesAreNotLostEither) {
    const Ring ring;
    const EinsumPlan plan = ring.plan();
    const auto backend = CpuBackend::with_threads(1);
    const Tensor bond = Tensor::from_data<float>({0.25f, 0, 0, 0.25f}, {2, 2});
    const std::vector<TensorRead> operands(Ring::kBonds, bond.read());
    backend->with_backend_session([&](BackendSession& session) {
        const ScaledTensor z = plan.run_scaled(session, operands);  // 2 * 4^-1200 = 0.5 * 2^-2398
        EXPECT_EQ(*z.mantissa.data_as<float>(), 0.5f);
        EXPECT_EQ(z.exponent, 2 - 2 * Ring::kBonds);
    });
}

TEST(ScaledTensors, ZerosInfinitiesAndWhatHasNoScale) {
    const auto backend = CpuBackend::with_threads(1);
    const EinsumPlan plan(Subscripts::parse("i,i->i"), std::vector<Dims>{{2}, {2}});
    const Tensor zeros = Tensor::zeros(DType::F64, {2});
    const Tensor large = Tensor::from_data<double>({1e308, std::numeric_limits<double>::infinity()}, {2});
    const Tensor integers = Tensor::zeros(DType::I64, {2});
    backend->with_backend_session([&](BackendSession& session) {
        const ScaledTensor nothing = plan.run_scaled(session, std::vector{zeros.read(), zeros.read()});
        EXPECT_EQ(nothing.exponent, 0);
        EXPECT_EQ(nothing.mantissa.data_as<double>()[1], 0);
        const ScaledTensor infinite = plan.run_scaled(session, std::vector{large.read(), large.read()});
        EXPECT_TRUE(std::isinf(infinite.mantissa.data_as<double>()[1]));
        EXPECT_ERROR((void)plan.run_scaled(session, std::vector{integers.read(), integers.read()}),
                     Unsupported, "einsum: operand 0 has dtype i64, which cannot be scaled");
    });
    const EinsumPlan sliced(Subscripts::parse("ij,jk,kl->il"), std::vector<Dims>{{2, 64}, {64, 64}, {64, 2}},
                            PathOptions{.memory_limit_bytes = 256});
    const Tensor x = Tensor::zeros(DType::F64, {2, 64}), y = Tensor::zeros(DType::F64, {64, 64}),
                 w = Tensor::zeros(DType::F64, {64, 2});
    backend->with_backend_session([&](BackendSession& session) {
        EXPECT_ERROR((void)sliced.run_scaled(session, std::vector{x.read(), y.read(), w.read()}), Unsupported,
                     "einsum: the plan runs in slices, of ");
    });
}

}}  // namespace tenferro::tensor_network
