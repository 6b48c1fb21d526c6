// What a step of a strip does to a vector of elements.
#if defined(TENFERRO_STRIP_STEPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_STRIP_STEPS_INL
#undef TENFERRO_STRIP_STEPS_INL
#else
#define TENFERRO_STRIP_STEPS_INL
#endif

#include "cpu/kernels/elementwise/strips.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
/// One vector of products of complex numbers.
template <class V>
HWY_INLINE V multiply_complex(V a, V b) {
    const V by_real = hn::Mul(hn::DupEven(a), b);
    const V by_imaginary = hn::Mul(hn::DupOdd(a), hn::Reverse2(hn::DFromV<V>(), b));
    return hn::OddEven(hn::Add(by_real, by_imaginary), hn::Sub(by_real, by_imaginary));
}
#endif

/// The functor Maximum on vectors: the second operand where they are equal, or it is NaN.
template <class V>
HWY_INLINE V larger(V a, V b) {
    return hn::IfThenElse(hn::Or(hn::Gt(a, b), hn::IsNaN(a)), a, b);
}
template <class V>
HWY_INLINE V smaller(V a, V b) {
    return hn::IfThenElse(hn::Or(hn::Lt(a, b), hn::IsNaN(a)), a, b);
}

/// x after a step, but for stores, on an element y of its line.
template <StripOp op, bool kComplex, class V>
HWY_INLINE V step_result(V x, V y) {
    if constexpr (op == StripOp::Load) return y;
    if constexpr (op == StripOp::Add) return hn::Add(x, y);
    if constexpr (op == StripOp::Sub) return hn::Sub(x, y);
    if constexpr (op == StripOp::ReverseSub) return hn::Sub(y, x);
    if constexpr (op == StripOp::Neg) return hn::Neg(x);
    if constexpr (op == StripOp::Mul && kComplex) return multiply_complex(x, y);
    if constexpr (!kComplex) {
        if constexpr (op == StripOp::Mul) return hn::Mul(x, y);
        if constexpr (op == StripOp::Div) return hn::Div(x, y);
        if constexpr (op == StripOp::ReverseDiv) return hn::Div(y, x);
        if constexpr (op == StripOp::Maximum) return larger(x, y);
        if constexpr (op == StripOp::ReverseMaximum) return larger(y, x);
        if constexpr (op == StripOp::Minimum) return smaller(x, y);
        if constexpr (op == StripOp::ReverseMinimum) return smaller(y, x);
        if constexpr (op == StripOp::Abs) return hn::Abs(x);
        if constexpr (op == StripOp::Sqrt) return hn::Sqrt(x);
    }
    return x;
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
