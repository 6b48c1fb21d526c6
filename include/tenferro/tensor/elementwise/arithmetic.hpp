// Functors of field arithmetic: integers wrap in two's complement and divide towards zero, floats follow
// IEEE. A functor with a member `defined` has no result for some integer operands; backends look for those
// before they write anything.
#pragma once

#include <cmath>
#include <complex>
#include <concepts>
#include <type_traits>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace elementwise {

/// Integers wrap in two's complement: arithmetic is done on the unsigned type.
template <class T>
using Arithmetic =
    typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

struct Add {
    template <class T>
    [[nodiscard]] constexpr T operator()(T a, T b) const noexcept {
        return static_cast<T>(static_cast<Arithmetic<T>>(a) + static_cast<Arithmetic<T>>(b));
    }
};
struct Sub {
    template <class T>
    [[nodiscard]] constexpr T operator()(T a, T b) const noexcept {
        return static_cast<T>(static_cast<Arithmetic<T>>(a) - static_cast<Arithmetic<T>>(b));
    }
};
struct Mul {
    template <class T>
    [[nodiscard]] constexpr T operator()(T a, T b) const noexcept {
        return static_cast<T>(static_cast<Arithmetic<T>>(a) * static_cast<Arithmetic<T>>(b));
    }
    /// The textbook product: no infinity recovery, so that every engine agrees.
    template <class T>
    [[nodiscard]] constexpr std::complex<T> operator()(std::complex<T> a, std::complex<T> b) const noexcept {
        return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
    }
};
struct Neg {
    template <class T>
    [[nodiscard]] constexpr T operator()(T a) const noexcept {
        return -a;
    }
    template <std::integral T>
    [[nodiscard]] constexpr T operator()(T a) const noexcept {
        return Sub{}(T{0}, a);
    }
};
struct Div {
    template <std::integral T>
    [[nodiscard]] static constexpr bool defined(T, T b) noexcept {
        return b != 0;
    }
    template <class T>
    [[nodiscard]] constexpr T operator()(T a, T b) const noexcept {
        return a / b;
    }
    template <std::integral T>
    [[nodiscard]] constexpr T operator()(T a, T b) const noexcept {
        return b == -1 ? Neg{}(a) : a / b;  // MIN / -1 wraps to MIN
    }
};
/// The remainder has the dividend's sign.
struct Rem {
    template <std::integral T>
    [[nodiscard]] static constexpr bool defined(T, T b) noexcept {
        return b != 0;
    }
    template <std::floating_point T>
    [[nodiscard]] T operator()(T a, T b) const noexcept {
        return std::fmod(a, b);
    }
    template <std::integral T>
    [[nodiscard]] constexpr T operator()(T a, T b) const noexcept {
        return b == -1 ? 0 : a % b;
    }
};
struct Conj {
    template <class T>
    [[nodiscard]] constexpr T operator()(T a) const noexcept {
        return a;
    }
    template <class T>
    [[nodiscard]] constexpr std::complex<T> operator()(std::complex<T> a) const noexcept {
        return {a.real(), -a.imag()};
    }
};
struct Real {
    template <class T>
    [[nodiscard]] constexpr T operator()(T a) const noexcept {
        return a;
    }
    template <class T>
    [[nodiscard]] constexpr T operator()(std::complex<T> a) const noexcept {
        return a.real();
    }
};
struct Imag {
    template <class T>
    [[nodiscard]] constexpr T operator()(T) const noexcept {
        return T{0};
    }
    template <class T>
    [[nodiscard]] constexpr T operator()(std::complex<T> a) const noexcept {
        return a.imag();
    }
};
/// The numbers as they are: an infinite part does not touch the other.
struct Complex {
    template <std::floating_point T>
    [[nodiscard]] constexpr std::complex<T> operator()(T a, T b) const noexcept {
        return {a, b};
    }
};
struct StopGradient {
    template <class T>
    [[nodiscard]] constexpr T operator()(T a) const noexcept {
        return a;
    }
};
struct Abs {
    template <std::floating_point T>
    [[nodiscard]] T operator()(T a) const noexcept {
        return std::fabs(a);
    }
    template <std::integral T>
    [[nodiscard]] constexpr T operator()(T a) const noexcept {
        return a < 0 ? Neg{}(a) : a;
    }
    template <class T>
    [[nodiscard]] T operator()(std::complex<T> a) const noexcept {
        return std::hypot(a.real(), a.imag());
    }
};
/// -1, 0 or 1, keeping NaN and the sign of zero; for complex the direction z / |z|, 0 at 0.
struct Sign {
    template <std::integral T>
    [[nodiscard]] constexpr T operator()(T a) const noexcept {
        return static_cast<T>((a > 0) - (a < 0));
    }
    template <std::floating_point T>
    [[nodiscard]] T operator()(T a) const noexcept {
        return a > 0 ? T{1} : a < 0 ? T{-1} : a;
    }
    template <class T>
    [[nodiscard]] std::complex<T> operator()(std::complex<T> a) const noexcept {
        T re = a.real(), im = a.imag();
        if (std::isnan(re) || std::isnan(im)) return {re + im, re + im};
        if (std::isinf(re) || std::isinf(im)) {  // an infinite part outweighs a finite one
            re = std::copysign(static_cast<T>(std::isinf(re)), re);
            im = std::copysign(static_cast<T>(std::isinf(im)), im);
        }
        const T largest = std::fmax(std::fabs(re), std::fabs(im));
        if (largest == 0) return a;
        re /= largest;  // or the modulus of huge parts would overflow
        im /= largest;
        const T modulus = std::hypot(re, im);
        return {re / modulus, im / modulus};
    }
};

}}}  // namespace tenferro::TENFERRO_ABI::elementwise
