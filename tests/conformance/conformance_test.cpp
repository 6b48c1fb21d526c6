// The conformance suite: every operation of the table, on every dtype it is defined on, on drawn operands, gives on each
// backend what the reference backend gives.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "conformance/samples.hpp"
#include "support/expect_error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro::conformance {
namespace {

constexpr int kDraws = 40;

std::vector<Sample> all_samples() {
    std::vector<Sample> samples;
    for (const auto* list :
         {&elementwise_samples(), &structural_samples(), &reduction_samples(), &indexing_samples(), &ordering_samples()})
        samples.insert(samples.end(), list->begin(), list->end());
    return samples;
}

/// Whether two elements agree: equal, both NaN, or within ulps of the larger magnitude.
template <class T>
bool close(T a, T b, double ulps) {
    if constexpr (std::is_floating_point_v<T>) {
        if (a == b || (std::isnan(a) && std::isnan(b))) return true;
        const T magnitude = std::max({std::abs(a), std::abs(b), std::numeric_limits<T>::min()});  // below it ulps stay the same
        return std::abs(a - b) <= ulps * std::numeric_limits<T>::epsilon() * magnitude;
    } else if constexpr (requires { typename T::value_type; }) {
        if (close(a.real(), b.real(), ulps) && close(a.imag(), b.imag(), ulps)) return true;
        return std::abs(a - b) <=
               ulps * std::numeric_limits<typename T::value_type>::epsilon() * std::max(std::abs(a), std::abs(b));
    } else {
        return a == b;
    }
}

void expect_same(const Tensor& actual, const Tensor& expected, double ulps) {
    ASSERT_EQ(actual.shape(), expected.shape());
    ASSERT_EQ(actual.dtype(), expected.dtype());
    ASSERT_TRUE(actual.is_compact());
    visit_dtype(expected.dtype(), [&]<class T> {
        for (Index i = 0; i < expected.size(); ++i)
            ASSERT_TRUE(close(actual.data_as<T>()[i], expected.data_as<T>()[i], ulps))
                << "element " << i << " is " << +actual.data_as<T>()[i] << " but the reference gives "
                << +expected.data_as<T>()[i];
    });
}

class Conformance : public ::testing::TestWithParam<std::tuple<CpuKind, int>> {};

TEST_P(Conformance, CpuAgreesWithReference) {
    const auto [kind, threads] = GetParam();
    if (!CpuBackend::has_kind(kind)) GTEST_SKIP() << "kind is not compiled in";
    const auto cpu = CpuBackend::with_threads_and_kind(threads, kind);
    ReferenceBackend reference;
    int cases = 0;
    for (const Sample& sample : all_samples())
        for (const DTypeInfo& dtype : kDTypes) {
            if (!info(sample.op).dtypes.contains(dtype.dtype)) continue;
            for (std::uint64_t seed = 0; seed < kDraws; ++seed, ++cases) {
                SCOPED_TRACE(text(info(sample.op).name, " ", dtype.name, " seed ", seed));
                const auto run = [&](TensorBackend& backend) {
                    Draw draw(seed);
                    return backend.with_backend_session([&](BackendSession& s) { return sample.run(draw, dtype.dtype, s); });
                };
                const std::vector<Tensor> actual = run(*cpu), expected = run(reference);
                ASSERT_EQ(actual.size(), expected.size());
                for (std::size_t i = 0; i < actual.size(); ++i) expect_same(actual[i], expected[i], sample.ulps);
            }
        }
    std::printf("%d cases agree\n", cases);
}

INSTANTIATE_TEST_SUITE_P(Backends, Conformance,
                         ::testing::Combine(::testing::Values(CpuKind::Builtin, CpuKind::Blas), ::testing::Values(1, 2)));

TEST(ConformanceSuite, EveryOperationHasSamples) {
    const std::vector<Sample> samples = all_samples();
    for (const OpInfo& op : kOps)
        EXPECT_EQ(std::count_if(samples.begin(), samples.end(), [&](const Sample& s) { return s.op == op.id; }), 1) << op.name;
}

TEST(ConformanceSuite, UndefinedDTypesAreTypedErrors) {
    ReferenceBackend reference;
    const auto cpu = CpuBackend::with_threads(1);
    for (TensorBackend* backend : {static_cast<TensorBackend*>(&reference), static_cast<TensorBackend*>(cpu.get())})
        for (const Sample& sample : all_samples())
            for (const DTypeInfo& dtype : kDTypes) {
                if (info(sample.op).dtypes.contains(dtype.dtype)) continue;
                Draw draw(1);
                EXPECT_ERROR(backend->with_backend_session([&](BackendSession& s) { (void)sample.run(draw, dtype.dtype, s); }),
                             Unsupported, text("dtype ", dtype.name, " is not supported"));
            }
}

}  // namespace
}  // namespace tenferro::conformance
