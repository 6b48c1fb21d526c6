// How far two correct results of the same sum may differ. A sum of `terms` products of magnitude up to
// `scale`, in any order and with or without fused multiply-adds, is within terms * eps * (sum of magnitudes)
// of the exact value, so two of them are within twice that; a complex product counts four real ones.
#pragma once

#include <cmath>
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

/// Largest |x - y| for two sums of `terms` products whose factors have magnitude at most `scale`; 0 for
/// integers.
template <class T>
double sum_tolerance(std::size_t terms, double scale = 1) {
    using Real = typename RealOf<T>::type;
    if constexpr (std::is_integral_v<Real>) return 0;
    const double products = static_cast<double>(terms + 1) * (std::is_same_v<Real, T> ? 1 : 4);
    return 2 * products * scale * scale * static_cast<double>(std::numeric_limits<Real>::epsilon());
}

/// The step of the fourth-order central difference (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h in F64: it
/// makes the error of the formula, h^4 times a fifth derivative, as small as that of rounding, eps / h.
inline double difference_step() { return std::pow(std::numeric_limits<double>::epsilon(), 0.2); }

/// How far that difference may be from the derivative, where values and derivatives up to the fifth are of
/// magnitude `scale`.
inline double difference_tolerance(double scale) {
    constexpr double kFifthDerivatives = 1e4;  // over 30, and for elements a few tenths from a pole
    return kFifthDerivatives * scale * std::pow(difference_step(), 4);
}

}  // namespace tenferro::testing
