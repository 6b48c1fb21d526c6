// Functors that compare and choose. Comparisons give bool, false where an operand is NaN (not_equal: true);
// maximum and minimum give NaN when an operand is NaN.
#pragma once

#include <functional>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace elementwise {

using Equal = std::equal_to<>;
using NotEqual = std::not_equal_to<>;
using Less = std::less<>;
using LessEqual = std::less_equal<>;
using Greater = std::greater<>;
using GreaterEqual = std::greater_equal<>;

struct Maximum {
    template <class T>
    [[nodiscard]] constexpr T operator()(T a, T b) const noexcept {
        return ((a > b) | (a != a)) ? a : b;  // no branch, so that loops become vectors
    }
};
struct Minimum {
    template <class T>
    [[nodiscard]] constexpr T operator()(T a, T b) const noexcept {
        return ((a < b) | (a != a)) ? a : b;
    }
};
struct Clamp {
    template <class T>
    [[nodiscard]] constexpr T operator()(T low, T x, T high) const noexcept {
        return Minimum{}(Maximum{}(x, low), high);
    }
};
struct Select {
    template <class T>
    [[nodiscard]] constexpr T operator()(bool predicate, T on_true, T on_false) const noexcept {
        return predicate ? on_true : on_false;
    }
};

}}}  // namespace tenferro::TENFERRO_ABI::elementwise
