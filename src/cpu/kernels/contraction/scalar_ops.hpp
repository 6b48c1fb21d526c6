// Multiplication and addition of the engines that are not written for a particular instruction set.
#pragma once

#include "tenferro/tensor/elementwise/arithmetic.hpp"
#include "tenferro/tensor_core/dtype.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

template <class T>
[[nodiscard]] inline T product(T a, T b) noexcept {
    return elementwise::Mul{}(a, b);
}

template <class T>
[[nodiscard]] inline T sum(T a, T b) noexcept {
    return elementwise::Add{}(a, b);
}

/// Calls f.template operator()<T>() for the element types that can be contracted.
template <class F>
void visit_numeric(DType dtype, F&& f) {
    visit_dtype(dtype, [&f]<class T>() {
        if constexpr (!std::is_same_v<T, bool>) f.template operator()<T>();
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
