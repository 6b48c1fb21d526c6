// Functors of analytic functions. Most are the standard library's, real and complex alike; the others avoid
// overflow and cancellation that the plain formula has.
#pragma once

#include <cmath>
#include <complex>
#include <concepts>
#include <limits>

#include "tenferro/tensor/elementwise/arithmetic.hpp"
#include "tenferro/tensor/op_table.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace elementwise {

#define TENFERRO_STANDARD_FUNCTION(Name, function, ...)        \
    struct Name {                                              \
        template <class... T>                                  \
        [[nodiscard]] auto operator()(T... x) const noexcept { \
            return std::function(x...);                        \
        }                                                      \
    };
TENFERRO_STANDARD_UNARY_OPS(TENFERRO_STANDARD_FUNCTION)
TENFERRO_STANDARD_BINARY_OPS(TENFERRO_STANDARD_FUNCTION)
#undef TENFERRO_STANDARD_FUNCTION

struct Round {
    template <std::floating_point T>
    [[nodiscard]] T operator()(T x) const noexcept {
        return std::nearbyint(x);
    }
    template <class T>
    [[nodiscard]] std::complex<T> operator()(std::complex<T> z) const noexcept {
        return {std::nearbyint(z.real()), std::nearbyint(z.imag())};
    }
};
struct Rsqrt {
    template <std::floating_point T>
    [[nodiscard]] T operator()(T x) const noexcept {
        return T{1} / std::sqrt(x);
    }
    /// The reciprocal of the root by Smith's method; infinite at zero, zero at infinity.
    template <class T>
    [[nodiscard]] std::complex<T> operator()(std::complex<T> z) const noexcept {
        const std::complex<T> root = std::sqrt(z);
        const T re = root.real(), im = root.imag();
        if (re == 0 && im == 0) return {std::numeric_limits<T>::infinity(), -im};
        if (std::isinf(re) || std::isinf(im)) return {T{0}, -std::copysign(T{0}, im)};
        if (re >= std::fabs(im)) {
            const T ratio = im / re, scale = re + im * ratio;
            return {T{1} / scale, -ratio / scale};
        }
        const T ratio = re / im, scale = re * ratio + im;
        return {ratio / scale, T{-1} / scale};
    }
};
struct Expm1 {
    template <std::floating_point T>
    [[nodiscard]] T operator()(T x) const noexcept {
        return std::expm1(x);
    }
    template <class T>
    [[nodiscard]] std::complex<T> operator()(std::complex<T> z) const noexcept {
        const T x = z.real(), y = z.imag();
        if (!(std::fabs(x) < 1)) {  // |exp z| is far from 1: nothing cancels
            const std::complex<T> e = std::exp(z);
            return {e.real() - 1, e.imag()};
        }
        const T s = std::sin(y / 2);
        return {std::expm1(x) * std::cos(y) - 2 * s * s, std::exp(x) * std::sin(y)};
    }
};
struct Log1p {
    template <std::floating_point T>
    [[nodiscard]] T operator()(T x) const noexcept {
        return std::log1p(x);
    }
    template <class T>
    [[nodiscard]] std::complex<T> operator()(std::complex<T> z) const noexcept {
        const T x = z.real(), y = z.imag();
        if (!(std::fabs(x) < T(0.5) && std::fabs(y) < T(0.5))) return std::log(std::complex<T>(1 + x, y));
        return {std::log1p(x * (2 + x) + y * y) / 2, std::atan2(y, 1 + x)};
    }
};
/// log |gamma(x)|.
struct Lgamma {
    // Not std::lgamma: that writes the global variable signgam.
    [[nodiscard]] float operator()(float x) const noexcept {
        int sign = 0;
        return ::lgammaf_r(x, &sign);
    }
    [[nodiscard]] double operator()(double x) const noexcept {
        int sign = 0;
        return ::lgamma_r(x, &sign);
    }
};
/// 1 / (1 + exp(-x)), through the exponential that does not overflow.
struct Sigmoid {
    template <class T>
    [[nodiscard]] T operator()(T x) const noexcept {
        const bool negative = std::real(x) < 0;
        const T e = std::exp(negative ? x : -x);
        return (negative ? e : T(1)) / (T(1) + e);
    }
};
struct Pow {
    template <std::integral T>
    [[nodiscard]] static constexpr bool defined(T, T exponent) noexcept {
        return exponent >= 0;
    }
    template <std::floating_point T>
    [[nodiscard]] T operator()(T base, T exponent) const noexcept {
        return std::pow(base, exponent);
    }
    template <std::integral T>
    [[nodiscard]] constexpr T operator()(T base, T exponent) const noexcept {
        T power = 1;
        for (; exponent > 0; exponent /= 2, base = Mul{}(base, base))
            if (exponent % 2 != 0) power = Mul{}(power, base);
        return power;
    }
    /// As for reals, x^0 = 1 and 0^x = 0 for exponents of positive real part, where the logarithm fails.
    template <class T>
    [[nodiscard]] std::complex<T> operator()(std::complex<T> base, std::complex<T> exponent) const noexcept {
        if (exponent == T{0}) return T{1};
        if (base == T{0} && exponent.real() > 0) return T{0};
        return std::pow(base, exponent);
    }
};

}}}  // namespace tenferro::TENFERRO_ABI::elementwise
