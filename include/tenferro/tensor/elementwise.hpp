// The elementwise operations: one row each. Backends look up the functor of a row; nothing else lists the operations.
#pragma once

#include <complex>
#include <string_view>
#include <type_traits>

#include "tenferro/base/export.hpp"
#include "tenferro/tensor_core/dtype.hpp"

namespace tenferro::inline TENFERRO_ABI {

enum class UnaryOp : std::uint8_t { Conj };
enum class BinaryOp : std::uint8_t { Add, Mul };

[[nodiscard]] constexpr std::string_view name(UnaryOp) noexcept { return "conj"; }
[[nodiscard]] constexpr std::string_view name(BinaryOp op) noexcept { return op == BinaryOp::Add ? "add" : "mul"; }

namespace elementwise {

/// Integers wrap in two's complement: arithmetic is done on the unsigned type.
template <class T>
using Arithmetic = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

struct Add {
    template <class T>
    [[nodiscard]] constexpr T operator()(T a, T b) const noexcept {
        return static_cast<T>(static_cast<Arithmetic<T>>(a) + static_cast<Arithmetic<T>>(b));
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

}  // namespace elementwise
}  // namespace tenferro::inline TENFERRO_ABI
