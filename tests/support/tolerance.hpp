// How far two correct results of the same sum may differ. A sum of `terms` products of magnitude up to `scale`, in any
// order and with or without fused multiply-adds, is within terms * eps * (sum of magnitudes) of the exact value, so two of
// them are within twice that; a complex product counts four real ones.
#pragma once

#include <complex>
#include <limits>
#include <type_traits>

namespace tenferro::testing {

template <class T>
struct RealOf {
    using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
    using type = T;
};

/// Largest |x - y| for two sums of `terms` products whose factors have magnitude at most `scale`; 0 for integers.
template <class T>
double sum_tolerance(std::size_t terms, double scale = 1) {
    using Real = typename RealOf<T>::type;
    if constexpr (std::is_integral_v<Real>) return 0;
    const double products = static_cast<double>(terms + 1) * (std::is_same_v<Real, T> ? 1 : 4);
    return 2 * products * scale * scale * static_cast<double>(std::numeric_limits<Real>::epsilon());
}

}  // namespace tenferro::testing
