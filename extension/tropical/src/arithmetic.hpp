// The products of the algebras on single numbers, for passes outside the engine. They are the engine's, bit
// for bit.
#pragma once

#include <limits>

#include "tenferro_ext_tropical/algebra.hpp"

namespace tropical {

template <Algebra kAlgebra, class T>
[[nodiscard]] inline T product(T a, T b) noexcept {
    if constexpr (kAlgebra == Algebra::MaxMul) {
        return a * b;
    } else if constexpr (std::is_floating_point_v<T>) {
        return a + b;
    } else {
        constexpr T kZero = zero_of<T>(kAlgebra);
        if (a == kZero || b == kZero) return kZero;
        T sum;
        if (__builtin_add_overflow(a, b, &sum))
            return a < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
        return sum;
    }
}

/// Calls f.operator()<T, kAlgebra>() for an algebra on a dtype that it is defined on.
template <class F>
decltype(auto) visit(Algebra algebra, tenferro::DType dtype, F&& f) {
    using enum tenferro::DType;
    const auto sums = [&]<Algebra kAlgebra>() {
        switch (dtype) {
            case F32: return f.template operator()<float, kAlgebra>();
            case I32: return f.template operator()<std::int32_t, kAlgebra>();
            case I64: return f.template operator()<std::int64_t, kAlgebra>();
            default: return f.template operator()<double, kAlgebra>();
        }
    };
    switch (algebra) {
        case Algebra::MaxPlus: return sums.template operator()<Algebra::MaxPlus>();
        case Algebra::MinPlus: return sums.template operator()<Algebra::MinPlus>();
        default: break;
    }
    if (dtype == F32) return f.template operator()<float, Algebra::MaxMul>();
    return f.template operator()<double, Algebra::MaxMul>();
}

}  // namespace tropical
