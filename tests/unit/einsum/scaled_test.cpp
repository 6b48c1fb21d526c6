// Contractions of values out of range: the same numbers as without a scale where these are in range, and the
// right ones, known in closed form, where they are not.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "support/expect_error.hpp"
#include "support/random_layout.hpp"
#include "support/shared_data.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/plan.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro::tensor_network { namespace {

using test::Draw;
using test::element;
using test::for_each_index;
using test::StridedSample;

/// Equal bit for bit: scaling by powers of two is exact. The samples are integers. The largest part is in
/// [1/2, 1), and zeros have no scale.
template <class T>
void expect_value(const ScaledTensor& found, const Tensor& expected) {
    ASSERT_EQ(found.mantissa.shape(), expected.shape());
    double largest = 0;
    for_each_index(expected.shape(), [&](const Dims& i) {
        const T x = element<T>(found.mantissa, i);
        const double factor = std::ldexp(1.0, static_cast<int>(found.exponent));
        ASSERT_EQ(x * T(factor), element<T>(expected, i));
        largest = std::max({largest, std::abs(std::real(x)), std::abs(std::imag(x))});
    });
    if (largest == 0)
        EXPECT_EQ(found.exponent, 0);
    else
        EXPECT_TRUE(largest >= 0.5 && largest < 1) << largest;
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
}

TEST(ScaledTensors, AnInfinitePartLeavesTheOtherAsItIs) {
    using Complex = std::complex<double>;
    const auto backend = CpuBackend::with_threads(1);
    const EinsumPlan plan(Subscripts::parse("i,i->i"), std::vector<Dims>{{2}, {2}});
    const Tensor infinite = Tensor::from_data<Complex>({{HUGE_VAL, 1}, {3, -HUGE_VAL}}, {2}),
                 large = Tensor::from_data<Complex>({{1e10, 0}, {1e10, 0}}, {2}),
                 small = Tensor::from_data<Complex>({{1e-5, 0}, {0, 1e-5}}, {2});
    const std::vector primals{infinite.read(), large.read()};
    const std::vector<std::optional<TensorRead>> tangents{large.read(), small.read()};
    const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
    backend->with_backend_session([&](BackendSession& session) {
        const ScaledTensor scaled = plan.jvp_scaled(session, primals, tangents);
        const Tensor plain = plan.jvp(session, primals, tangents);
        for (Index i = 0; i < 2; ++i) {
            const Complex found = scaled.mantissa.at<Complex>(i), expected = plain.at<Complex>(i);
            EXPECT_TRUE(same(found.real(), expected.real()) && same(found.imag(), expected.imag()))
                << found << " but " << expected;
        }
    });
}

TEST(ScaledTensors, EmptyGradientsHaveExponentZero) {
    const auto backend = CpuBackend::with_threads(1);
    const EinsumPlan plan(Subscripts::parse("c,e->e"), std::vector<Dims>{{0}, {2}});
    const Tensor none = Tensor::zeros(DType::F64, {0}), four = Tensor::from_data<double>({4, 4}, {2});
    backend->with_backend_session([&](BackendSession& session) {
        for (const ScaledTensor& gradient :
             plan.vjp_scaled(session, std::vector{none.read(), four.read()}, {four.read(), 0}))
            EXPECT_EQ(gradient.exponent, 0);
    });
}

TEST(ScaledTensors, OfARepeatedLabelOnlyTheDiagonalCounts) {
    const auto cpu = CpuBackend::with_threads(1);
    const auto run = [&](const char* text, const std::vector<Tensor>& tensors) {
        std::vector<Dims> shapes;
        std::vector<TensorRead> operands;
        for (const Tensor& tensor : tensors) {
            shapes.push_back(tensor.shape());
            operands.push_back(tensor.read());
        }
        const EinsumPlan plan(Subscripts::parse(text), shapes);
        return cpu->with_backend_session(
            [&](BackendSession& session) { return plan.run_scaled(session, operands); });
    };
    const auto value = [](const ScaledTensor& x, Index i) {
        return std::ldexp(x.mantissa.data_as<double>()[i], static_cast<int>(x.exponent));
    };
    std::vector<Tensor> wide, hollow;
    wide.push_back(Tensor::from_data<double>({1e-300, 1e300, 1e300, 2e-300}, {2, 2}));
    wide.push_back(Tensor::from_data<double>({1.0, 1.0}, {2}));
    hollow.push_back(Tensor::from_data<double>({0, 3, 3, 0}, {2, 2}));
    EXPECT_EQ(value(run("ii,i->i", wide), 1), 2e-300);
    wide.pop_back();
    EXPECT_EQ(value(run("ii->i", wide), 0), 1e-300);
    EXPECT_DOUBLE_EQ(value(run("ii->", wide), 0), 3e-300);
    EXPECT_EQ(run("ii->i", hollow).exponent, 0);
    const ScaledTensor larger = run("ij->ij", hollow);
    EXPECT_EQ(larger.exponent, 2);
    EXPECT_EQ(value(larger, 1), 3);
}

TEST(ScaledTensors, ExponentsOfCotangentsEndWhereSumsWouldLeaveTheirRange) {
    const auto backend = CpuBackend::with_threads(1);
    const EinsumPlan plan(Subscripts::parse("i,i->i"), std::vector<Dims>{{1}, {1}});
    const Tensor two = Tensor::from_data<double>({2}, {1});
    const std::vector operands{two.read(), two.read()};
    backend->with_backend_session([&](BackendSession& session) {
        for (const std::int64_t most : {std::int64_t{1} << 62, -(std::int64_t{1} << 62)}) {
            EXPECT_EQ(plan.vjp_scaled(session, operands, {two.read(), most})[0].exponent, most + 3);
            const std::int64_t beyond = most > 0 ? most + 1 : most - 1;
            EXPECT_ERROR((void)plan.vjp_scaled(session, operands, {two.read(), beyond}), InvalidArgument,
                         "einsum: the cotangent's exponent is " + std::to_string(beyond) +
                             " but must be -4611686018427387904 to 4611686018427387904");
        }
    });
}

TEST(ScaledTensors, ZerosHaveNoSayInTheExponentOfASum) {
    // The tangent of the first factor is zero in numbers, that of the second one far below 1.
    const auto backend = CpuBackend::with_threads(1);
    std::string text = "a";
    for (int i = 1; i < 12; ++i) text += std::string(",") + static_cast<char>('a' + i);
    const EinsumPlan plan(Subscripts::parse(text + "->"), std::vector<Dims>(12, Dims{1}));
    const Tensor small = Tensor::from_data<double>({0x1p-600}, {1}), zero = Tensor::zeros(DType::F64, {1});
    const std::vector<TensorRead> primals(12, small.read());
    std::vector<std::optional<TensorRead>> tangents(12);
    tangents[0] = zero.read();
    tangents[11] = small.read();
    backend->with_backend_session([&](BackendSession& session) {
        const ScaledTensor found = plan.jvp_scaled(session, primals, tangents);
        EXPECT_EQ(*found.mantissa.data_as<double>(), 0.5);
        EXPECT_EQ(found.exponent, 1 - 12 * 600);
    });
}

/// A chain whose middle is too large for the limit: kept and summed labels are sliced, parts are computed
/// once.
TYPED_TEST(Scaled, SlicesEqualTheOrdinaryRun) {
    using T = TypeParam;
    const auto backend = CpuBackend::with_threads(2);
    struct Case {
        const char* text;
        std::vector<Dims> shapes;
        std::int64_t limit;
    };
    const Index n = 12;
    const std::vector<Case> cases{
        {"ij,jk,kl->il", {{n, n}, {n, n}, {n, n}}, 1400},
        {"ij,jk,kl,lm,mi->", std::vector<Dims>(5, Dims{n, n}), 1200},
        {"ij,jk,kl,lm,mn,nop->iop", {{2, n}, {n, n}, {n, n}, {n, n}, {n, n}, {n, 3, 5}}, 700}};
    int sliced = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const auto& [text, shapes, limit] = cases[seed % cases.size()];
        SCOPED_TRACE(testing::Message() << text << ", seed " << seed);
        Draw draw(seed);
        const auto bytes = limit * static_cast<std::int64_t>(sizeof(T) / 8);
        const EinsumPlan plan(Subscripts::parse(text), shapes,
                              {.seed = seed, .dtype = storage_dtype<T>, .memory_limit_bytes = bytes});
        sliced += plan.cost().slices > 1 ? 1 : 0;
        std::vector<StridedSample<T>> samples;
        for (const Dims& shape : shapes) samples.emplace_back(draw, shape);
        std::vector<TensorRead> operands;
        std::vector<std::optional<TensorRead>> tangents;
        for (const auto& sample : samples) {
            operands.push_back(sample.view());
            tangents.push_back(draw.integer(0, 2) == 0 ? std::nullopt : std::optional(sample.view()));
        }
        const StridedSample<T> cotangent(draw, plan.output_shape());
        backend->with_backend_session([&](BackendSession& session) {
            expect_value<T>(plan.run_scaled(session, operands), plan.run(session, operands));
            expect_value<T>(plan.jvp_scaled(session, operands, tangents),
                            plan.jvp(session, operands, tangents));
            const auto found = plan.vjp_scaled(session, operands, {cotangent.view(), 0});
            const auto expected = plan.vjp(session, operands, cotangent.view());
            for (std::size_t i = 0; i < found.size(); ++i) expect_value<T>(found[i], expected[i]);
        });
    }
    EXPECT_GT(sliced, 6);
}

/// Ising models on tori, each bond times 10^30, against the exact logarithms: whole and in slices, whose
/// values differ by many powers of two where the field of a slice is that of up or down.
TEST(ScaledIsing, PartitionFunctionsAndEnergiesOfTheReferenceData) {
    const auto data = test::shared_json("models/models_exact_small.json");
    TENFERRO_REQUIRE_DATA(data, "models/models_exact_small.json");
    const double factor = 1e30;
    const auto backend = CpuBackend::with_threads(2);
    int beyond = 0;
    for (const auto& model : data->at("ising2d")) {
        if (model.at("boundary") != "torus") continue;
        const int rows = model.at("L")[0], columns = model.at("L")[1];
        const double coupling = model.at("K"), expected = std::stod(model.at("lnZ").get<std::string>());
        std::vector<std::vector<int>> labels;
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < columns; ++c) {
                labels.push_back({r * columns + c, r * columns + (c + 1) % columns});
                labels.push_back({r * columns + c, (r + 1) % rows * columns + c});
            }
        const auto bonds = static_cast<double>(labels.size());
        const double aligned = factor * std::exp(coupling), opposed = factor * std::exp(-coupling);
        const Tensor bond = Tensor::from_data<double>({aligned, opposed, opposed, aligned}, {2, 2});
        const std::vector<TensorRead> operands(labels.size(), bond.read());
        for (const std::int64_t limit : {0, 256}) {
            SCOPED_TRACE(testing::Message()
                         << rows << " x " << columns << ", K " << coupling << ", limit " << limit);
            const EinsumPlan plan(Subscripts::interleaved(labels, std::vector<int>{}),
                                  std::vector<Dims>(labels.size(), Dims{2, 2}),
                                  {.memory_limit_bytes = limit});
            backend->with_backend_session([&](BackendSession& session) {
                const ScaledTensor z = plan.run_scaled(session, operands);
                const double found = std::log(*z.mantissa.data_as<double>()) +
                                     static_cast<double>(z.exponent) * std::log(2.0) -
                                     bonds * std::log(factor);
                beyond += z.exponent > 1024 ? 1 : 0;
                const double bound = 100 * bonds * std::numeric_limits<double>::epsilon() *
                                     std::max(bonds * std::log(factor), 1.0);
                EXPECT_NEAR(found, expected, bound);
                // Z is of first order in each bond: <bond, d ln Z / d bond> is 1.
                const Tensor slope = Tensor::from_data<double>({1 / *z.mantissa.data_as<double>()}, {});
                const auto gradients = plan.vjp_scaled(session, operands, {slope.read(), -z.exponent});
                for (const ScaledTensor& g : gradients) {
                    const double* const d = g.mantissa.data_as<double>();
                    const double inner = (d[0] + d[3]) * aligned + (d[1] + d[2]) * opposed;
                    EXPECT_NEAR(inner * std::ldexp(1.0, static_cast<int>(g.exponent)), 1,
                                100 * bonds * std::numeric_limits<double>::epsilon());
                }
                std::vector<std::optional<TensorRead>> tangents(labels.size());
                tangents[1] = bond.read();
                const ScaledTensor t = plan.jvp_scaled(session, operands, tangents);
                EXPECT_EQ(t.exponent, z.exponent);
                EXPECT_NEAR(*t.mantissa.data_as<double>(), *z.mantissa.data_as<double>(),
                            100 * bonds * std::numeric_limits<double>::epsilon());
            });
        }
    }
    EXPECT_GT(beyond, 10);
}

}}  // namespace tenferro::tensor_network
