// Comparison of tensors element by element.
#include "conformance/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "conformance/samples.hpp"

namespace tenferro::conformance {

namespace {

/// Equal, both NaN, or both finite and within ulps of the larger magnitude.
template <class T>
bool close(T a, T b, double ulps) {
    if constexpr (std::is_floating_point_v<T>) {
        if (a == b || (std::isnan(a) && std::isnan(b))) return true;
        if (!std::isfinite(a) || !std::isfinite(b)) return false;
        const T magnitude = std::max(
            {std::abs(a), std::abs(b), std::numeric_limits<T>::min()});  // below it ulps stay the same
        return std::abs(a - b) <= ulps * std::numeric_limits<T>::epsilon() * magnitude;
    } else if constexpr (requires { typename T::value_type; }) {
        if (close(a.real(), b.real(), ulps) && close(a.imag(), b.imag(), ulps)) return true;
        const auto magnitude = std::max(std::abs(a), std::abs(b));
        return std::isfinite(magnitude) &&
               std::abs(a - b) <= ulps * std::numeric_limits<typename T::value_type>::epsilon() * magnitude;
    } else {
        return a == b;
    }
}

}  // namespace

void expect_same(const Tensor& actual, const Tensor& expected, double ulps) {
    ASSERT_EQ(actual.shape(), expected.shape());
    ASSERT_EQ(actual.dtype(), expected.dtype());
    ASSERT_TRUE(actual.is_compact());
    const TensorRead& x = actual.read();
    const TensorRead& y = expected.read();
    visit_dtype(expected.dtype(), [&]<class T> {
        for (Index i = 0; i < expected.size(); ++i) {
            const T a = x.data_as<T>()[i], b = y.data_as<T>()[i];
            const bool same = ulps == kSameBits ? std::memcmp(&a, &b, sizeof(T)) == 0 : close(a, b, ulps);
            ASSERT_TRUE(same) << "element " << i << " is " << +a << " but the reference gives " << +b;
        }
    });
}

}  // namespace tenferro::conformance
