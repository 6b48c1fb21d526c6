// Conversion between element types: which are promotions, and the functor that does all of them, lossy ones
// too.
#pragma once

#include <array>
#include <complex>
#include <limits>
#include <type_traits>

#include "tenferro/tensor/op_table.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace elementwise {

/// The dtypes that hold the values of `from`: the lattice Bool -> I32 -> I64 -> F64 -> C64, F32 -> F64, F32
/// -> C32 -> C64.
[[nodiscard]] constexpr DTypes promotions(DType from) noexcept {
    using D = DType;
    switch (from) {
        case D::F32: return {D::F32, D::F64, D::C32, D::C64};
        case D::F64: return {D::F64, D::C64};
        case D::C32: return {D::C32, D::C64};
        case D::C64: return {D::C64};
        case D::I32: return {D::I32, D::I64, D::F64, D::C64};
        case D::I64: return {D::I64, D::F64, D::C64};
        case D::Bool: return {D::Bool, D::I32, D::I64, D::F64, D::C64};
    }
    __builtin_unreachable();
}

/// The conversion to To. Lossy ones: complex to real drops the imaginary part, float to integer truncates and
/// saturates (NaN gives 0), integers wrap, anything to Bool is whether it differs from zero.
template <class To>
struct Convert {
    template <class From>
    [[nodiscard]] constexpr To operator()(From x) const noexcept {
        if constexpr (std::is_same_v<To, bool>)
            return x != From{};
        else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>)
            return saturated(x);
        else
            return static_cast<To>(x);
    }
    template <class From>
    [[nodiscard]] constexpr To operator()(std::complex<From> x) const noexcept {
        if constexpr (std::is_same_v<To, bool>)
            return x != From{};
        else if constexpr (std::is_arithmetic_v<To>)
            return (*this)(x.real());
        else
            return static_cast<To>(x);
    }

private:
    template <class From>
    static constexpr To saturated(From x) noexcept {
        constexpr To lowest = std::numeric_limits<To>::min();  // a power of two: exact in every float type
        if (x >= -static_cast<From>(lowest)) return std::numeric_limits<To>::max();
        if (x < static_cast<From>(lowest)) return lowest;
        return x == x ? static_cast<To>(x) : To{0};
    }
};

/// Calls f<From>(functor) for a conversion between different dtypes.
template <class F>
void visit_conversion(DType from, DType to, F&& f) {
    visit_dtype(to, [&]<class To> {
        visit_dtype(from, [&]<class From> {
            if constexpr (!std::is_same_v<From, To>) f.template operator()<From>(Convert<To>{});
        });
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::elementwise
