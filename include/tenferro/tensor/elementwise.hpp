// The scalar functors of the elementwise operations, shared by every backend; op_table.hpp has their rows.
#pragma once

#include <complex>
#include <type_traits>

#include "tenferro/base/export.hpp"
#include "tenferro/tensor/op_table.hpp"

namespace tenferro::inline TENFERRO_ABI {

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

namespace detail {
/// Calls f<T>(functor) with the element type of `dtype`, if the operation is defined on it.
template <OpId Op, class Functor, class F>
void visit_row(DType dtype, F& f) {
    visit_dtype(dtype, [&]<class T> {
        if constexpr (info(Op).dtypes.contains(storage_dtype<T>)) f.template operator()<T>(Functor{});
    });
}
}  // namespace detail

/// Calls f<T>(functor) for the unary operation `op` and the element type T of `dtype`; nothing when it is not defined there.
template <class F>
void visit_unary(OpId op, DType dtype, F&& f) {
    switch (op) {
#define TENFERRO_ROW(Name, method, dtypes) \
    case OpId::Name: return detail::visit_row<OpId::Name, Name>(dtype, f);
        TENFERRO_UNARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
        default: __builtin_unreachable();
    }
}

/// The same for a binary operation.
template <class F>
void visit_binary(OpId op, DType dtype, F&& f) {
    switch (op) {
#define TENFERRO_ROW(Name, method, dtypes) \
    case OpId::Name: return detail::visit_row<OpId::Name, Name>(dtype, f);
        TENFERRO_BINARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
        default: __builtin_unreachable();
    }
}

/// The dtype of an operation's result: that of the functor's result.
[[nodiscard]] inline DType unary_result(OpId op, DType dtype) {
    DType result = dtype;
    visit_unary(op, dtype, [&]<class T>(auto f) { result = storage_dtype<decltype(f(T{}))>; });
    return result;
}
[[nodiscard]] inline DType binary_result(OpId op, DType dtype) {
    DType result = dtype;
    visit_binary(op, dtype, [&]<class T>(auto f) { result = storage_dtype<decltype(f(T{}, T{}))>; });
    return result;
}

}  // namespace elementwise
}  // namespace tenferro::inline TENFERRO_ABI
