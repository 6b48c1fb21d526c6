// Words that the kernels share for real and complex numbers; `inline`, since what is little optimised inlines
// nothing else, and a program of tests would take the copy of a file of its own, which is not optimised.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>
#include <utility>

#include "tenferro/tensor_core/dtype.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

template <class T>
struct ScalarParts {
    using Real = T;
    static constexpr bool kComplex = false;
};
template <class T>
struct ScalarParts<std::complex<T>> {
    using Real = T;
    static constexpr bool kComplex = true;
};
template <class T>
using RealOf = typename ScalarParts<T>::Real;
template <class T>
using ComplexOf = std::complex<RealOf<T>>;
template <class T>
inline constexpr bool is_complex = ScalarParts<T>::kComplex;

template <class T>
inline T conjugate(T x) noexcept {
    if constexpr (is_complex<T>)
        return std::conj(x);
    else
        return x;
}
template <class T>
inline RealOf<T> real_part(T x) noexcept {
    return std::real(x);
}
/// The square of the modulus.
template <class T>
inline RealOf<T> squared(T x) noexcept {
    if constexpr (is_complex<T>)
        return x.real() * x.real() + x.imag() * x.imag();
    else
        return x * x;
}
/// The larger modulus of real and imaginary part: a modulus within a factor of 1.42 that never overflows.
template <class T>
inline RealOf<T> magnitude(T x) noexcept {
    if constexpr (is_complex<T>)
        return std::max(std::abs(x.real()), std::abs(x.imag()));
    else
        return std::abs(x);
}
/// |re| + |im|: a modulus within a factor of 1.42 that does not underflow.
template <class T>
inline RealOf<T> sum_of_moduli(T x) noexcept {
    if constexpr (is_complex<T>)
        return std::abs(x.real()) + std::abs(x.imag());
    else
        return std::abs(x);
}
/// x / |x|, and 1 for 0.
template <class T>
inline T phase(T x) noexcept {
    if (x == T(0)) return T(1);
    if constexpr (is_complex<T>)
        return x / std::abs(x);
    else
        return T(std::copysign(T(1), x));
}
template <class T>
inline T times_power_of_two(T x, int exponent) noexcept {
    if constexpr (is_complex<T>)
        return {std::scalbn(x.real(), exponent), std::scalbn(x.imag(), exponent)};
    else
        return std::scalbn(x, exponent);
}
/// sum of conj(x_i) y_i.
template <class T>
inline T dot(Index n, const T* x, const T* y) noexcept {
    T sum = 0;
    for (Index i = 0; i < n; ++i) sum += conjugate(x[i]) * y[i];
    return sum;
}
/// The Euclidean norm, without overflow or underflow between.
template <class T>
inline RealOf<T> norm(Index n, const T* x) noexcept {
    using R = RealOf<T>;
    R largest = 0;
    for (Index i = 0; i < n; ++i) largest = std::max(largest, magnitude(x[i]));
    if (largest == 0) return 0;
    const int exponent = std::ilogb(largest);
    const bool plain = std::abs(exponent) < std::numeric_limits<R>::max_exponent / 4;
    R sum = 0;
    for (Index i = 0; i < n; ++i) sum += squared(plain ? x[i] : times_power_of_two(x[i], -exponent));
    return plain ? std::sqrt(sum) : std::scalbn(std::sqrt(sum), exponent);
}

template <class T>
inline constexpr RealOf<T> kEps = std::numeric_limits<RealOf<T>>::epsilon();

}}}  // namespace tenferro::TENFERRO_ABI::linalg
