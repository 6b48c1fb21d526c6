// The functors of the reductions over axes, shared by every backend; op_table.hpp has their rows. Each has an
// identity and combines two values, which may themselves be partial results.
#pragma once

#include <limits>

#include "tenferro/tensor/elementwise.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace reduction {

struct ReduceSum : elementwise::Add {
    template <class T>
    [[nodiscard]] static constexpr T identity() noexcept {
        return T{};
    }
};
struct ReduceProd : elementwise::Mul {
    template <class T>
    [[nodiscard]] static constexpr T identity() noexcept {
        return T{1};
    }
};
struct ReduceMax : elementwise::Maximum {
    template <class T>
    [[nodiscard]] static constexpr T identity() noexcept {
        using Limits = std::numeric_limits<T>;
        return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    }
};
struct ReduceMin : elementwise::Minimum {
    template <class T>
    [[nodiscard]] static constexpr T identity() noexcept {
        using Limits = std::numeric_limits<T>;
        return Limits::has_infinity ? Limits::infinity() : Limits::max();
    }
};
struct ReduceAny {
    template <class T>
    [[nodiscard]] constexpr T operator()(T a, T b) const noexcept {
        return static_cast<T>(a | b);
    }
    template <class T>
    [[nodiscard]] static constexpr T identity() noexcept {
        return T{0};
    }
};
struct ReduceAll {
    template <class T>
    [[nodiscard]] constexpr T operator()(T a, T b) const noexcept {
        return static_cast<T>(a & b);
    }
    template <class T>
    [[nodiscard]] static constexpr T identity() noexcept {
        return T{1};
    }
};

/// Calls f<T>(functor) for the reduction `op` and the element type T of `dtype`; nothing when it is not
/// defined there.
template <class F>
void visit(OpId op, DType dtype, F&& f) {
    switch (op) {
#define TENFERRO_ROW(Name, method, dtypes, meaning) \
    case OpId::Name: return elementwise::tfe_detail::visit_row<OpId::Name, Name>(dtype, f);
        TENFERRO_REDUCE_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
        default: __builtin_unreachable();
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::reduction
