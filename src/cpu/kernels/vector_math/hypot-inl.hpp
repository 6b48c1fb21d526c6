// The length of a pair: the root of the sum of squares, of parts that were brought to moderate size by a
// power of two where the larger is not.
#if defined(TENFERRO_VECTOR_MATH_HYPOT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_HYPOT_INL
#undef TENFERRO_VECTOR_MATH_HYPOT_INL
#else
#define TENFERRO_VECTOR_MATH_HYPOT_INL
#endif

#include "cpu/kernels/vector_math/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

template <class V>
HWY_INLINE V moderate_hypot(V x, V y) {
    return hn::Sqrt(hn::Add(hn::Mul(x, x), hn::Mul(y, y)));  // the same with the parts exchanged
}

/// Of any parts.
template <class V>
inline HWY_NOINLINE V scaled_hypot(V a, V b) {
    using T = hn::TFromV<V>;
    using M = Moderate<T>;
    const hn::DFromV<V> d;
    const V most = hn::Max(a, b), one = hn::Set(d, T(1));
    const auto large = hn::Gt(most, hn::Set(d, M::kLargest)), small = hn::Lt(most, hn::Set(d, M::kSmallest));
    const V scale =
        hn::IfThenElse(large, hn::Set(d, M::kDown), hn::IfThenElse(small, hn::Set(d, M::kUp), one));
    const V back =
        hn::IfThenElse(large, hn::Set(d, 1 / M::kDown), hn::IfThenElse(small, hn::Set(d, 1 / M::kUp), one));
    const V length = hn::Mul(moderate_hypot(hn::Mul(a, scale), hn::Mul(b, scale)), back);
    const V infinity = hn::Inf(d);  // beside NaN too
    return hn::IfThenElse(hn::Or(hn::Eq(a, infinity), hn::Eq(b, infinity)), infinity, length);
}

struct VectorHypot {
    template <class V>
    static HWY_INLINE V apply(V x, V y) {
        using M = Moderate<hn::TFromV<V>>;
        const hn::DFromV<V> d;
        const V a = hn::Abs(x), b = hn::Abs(y), most = hn::Max(a, b);
        const auto large_enough = hn::Or(hn::Ge(most, hn::Set(d, M::kSmallest)), hn::Eq(most, hn::Zero(d)));
        const auto ordinary = hn::And(large_enough, hn::Le(most, hn::Set(d, M::kLargest)));
        // One NaN may be ordinary, beside a moderate part.
        return HWY_LIKELY(hn::AllTrue(d, ordinary)) ? moderate_hypot(x, y) : scaled_hypot(a, b);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
