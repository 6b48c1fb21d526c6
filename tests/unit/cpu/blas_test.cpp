// Products large enough for the BLAS provider against our own engine, in the layouts that BLAS takes in
// place.
#include <gtest/gtest.h>

#include <complex>
#include <random>
#include <vector>

#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/testing/tolerance.hpp"

namespace tenferro::testing { namespace {

template <class T>
Tensor random_tensor(const Dims& shape) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> draw(-0.5, 0.5);
    std::vector<T> values(static_cast<std::size_t>(element_count(shape, "random_tensor")));
    for (T& value : values) {
        using Real = typename RealOf<T>::type;
        if constexpr (std::is_same_v<Real, T>)
            value = static_cast<T>(draw(random));
        else
            value = {static_cast<Real>(draw(random)), static_cast<Real>(draw(random))};
    }
    return Tensor::from_data<T>(values, shape);
}

template <class T>
class Blas : public ::testing::Test {};
using ElementTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Blas, ElementTypes);

TYPED_TEST(Blas, AgreesWithOurEngineOnLargeProducts) {
    using T = TypeParam;
    if (!CpuBackend::has_kind(CpuKind::Blas)) GTEST_SKIP() << "kind blas is not compiled in";
    constexpr Index m = 513, n = 530, k = 520;
    for (const bool lhs_transposed : {false, true})
        for (const bool rhs_transposed : {false, true}) {
            SCOPED_TRACE(text("transposed ", lhs_transposed, " ", rhs_transposed));
            const Tensor lhs = random_tensor<T>(lhs_transposed ? Dims{k, m} : Dims{m, k});
            const Tensor rhs = random_tensor<T>(rhs_transposed ? Dims{n, k} : Dims{k, n});
            DotGeneralConfig config;
            config.lhs_contract = {lhs_transposed ? 0 : 1};
            config.rhs_contract = {rhs_transposed ? 1 : 0};
            const Tensor expected =
                CpuBackend::with_threads_and_kind(2, CpuKind::Builtin)->dot_general_read(lhs, rhs, config);
            for (const int threads : {1, 2}) {
                const Tensor actual = CpuBackend::with_threads_and_kind(threads, CpuKind::Blas)
                                          ->dot_general_read(lhs, rhs, config);
                ASSERT_EQ(actual.shape(), expected.shape());
                const double tolerance = sum_tolerance<T>(k);
                for (Index i = 0; i < actual.size(); ++i)
                    ASSERT_LE(std::abs(actual.data_as<T>()[i] - expected.data_as<T>()[i]), tolerance)
                        << "element " << i;
            }
        }
}

}}  // namespace tenferro::testing
