// Angles: the inverse circular functions, of doubles and floats alike. An angle of the first octant is atan t
// for a quotient t up to 0.55, or pi/4 + atan((t - 1) / (t + 1)), of which the difference is exact (W. Cody
// and W. Waite, "Software Manual for the Elementary Functions"); the others follow by reflection, as numbers
// of quarters of pi, of which the first part is short.
#if defined(TENFERRO_VECTOR_MATH_ANGLE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_ANGLE_INL
#undef TENFERRO_VECTOR_MATH_ANGLE_INL
#else
#define TENFERRO_VECTOR_MATH_ANGLE_INL
#endif

#include "cpu/kernels/vector_math/vectors-inl.hpp"
#include "tenferro/tensor/elementwise/analytic.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

/// n pi/4 + r for small integers n.
template <class V>
HWY_INLINE V with_quarters(V n, V r) {
    using T = hn::TFromV<V>;
    const hn::DFromV<V> d;
    return hn::MulAdd(n, hn::Set(d, QuarterPi<T>::kFirst), hn::MulAdd(n, hn::Set(d, QuarterPi<T>::kRest), r));
}

/// n pi/4 + sign atan(least / most), 0 <= least <= most.
template <class V>
HWY_INLINE V first_octant(V least, V most, V n, V sign) {
    using T = hn::TFromV<V>;
    const hn::DFromV<V> d;
    const auto far = hn::Gt(least, hn::Mul(most, hn::Set(d, T(0.55))));
    const V t = hn::Div(hn::IfThenElse(far, hn::Sub(least, most), least),
                        hn::IfThenElse(far, hn::Add(least, most), most));
    const V square = hn::Mul(t, t);
    const V angle = hn::MulAdd(hn::Mul(t, square), polynomial(Fit<T>::kAtan, square), t);
    return with_quarters(hn::MulAdd(sign, hn::IfThenElseZero(far, hn::Set(d, T(1))), n),
                         hn::Mul(sign, angle));
}

struct VectorAtan {
    template <class V>
    static HWY_INLINE V apply(V x) {
        using T = hn::TFromV<V>;
        const hn::DFromV<V> d;
        const V a = hn::Abs(x), one = hn::Set(d, T(1));
        const auto steep = hn::Gt(a, one);
        const V y =
            first_octant(hn::Min(a, one), hn::Max(a, one), hn::IfThenElseZero(steep, hn::Set(d, T(2))),
                         hn::IfThenElse(steep, hn::Neg(one), one));
        return keep_nan(x, hn::CopySign(y, x));
    }
};

/// Where the larger part is moderate, since its sum with the other is finite and 0.55 of it is normal;
/// elsewhere the scalar function.
struct VectorAtan2 {
    template <class V>
    static HWY_INLINE V apply(V y, V x) {
        using T = hn::TFromV<V>;
        const hn::DFromV<V> d;
        const V a = hn::Abs(y), b = hn::Abs(x), one = hn::Set(d, T(1)), least = hn::Min(a, b),
                most = hn::Max(a, b);
        const auto steep = hn::Gt(a, b), behind = hn::Lt(x, hn::Zero(d));
        const V n = hn::IfThenElse(behind, hn::Set(d, T(4)), hn::Zero(d));
        const V sign = hn::IfThenElse(behind, hn::Neg(one), one), two = hn::Set(d, T(2));
        const V angle = first_octant(least, most, hn::IfThenElse(steep, two, n),
                                     hn::IfThenElse(steep, hn::Neg(sign), sign));
        const V result = hn::CopySign(angle, y);
        const auto ordinary = is_moderate(y, x);
        if (HWY_LIKELY(hn::AllTrue(d, ordinary))) return result;
        return repaired<T>(result, hn::Not(ordinary), elementwise::Atan2{}, y, x);
    }
};

/// asin s for 0 <= s <= 1/2: s and what is added to it.
template <class V>
HWY_INLINE V asin_rest(V s, V square) {
    return hn::Mul(hn::Mul(s, square), polynomial(Fit<hn::TFromV<V>>::kAsin, square));
}

/// asin a = pi/2 - 2 asin sqrt((1 - a) / 2) from 1/2 on.
template <class V>
struct AsinParts {
    hn::Mask<hn::DFromV<V>> large;
    V s, rest;

    explicit HWY_INLINE AsinParts(V a) {
        using T = hn::TFromV<V>;
        const hn::DFromV<V> d;
        const V half = hn::Set(d, T(0.5));
        large = hn::Gt(a, half);
        const V square = hn::IfThenElse(large, hn::NegMulAdd(a, half, half), hn::Mul(a, a));
        s = hn::IfThenElse(large, hn::Sqrt(square), a);
        rest = asin_rest(s, square);
    }
};

struct VectorAsin {
    template <class V>
    static HWY_INLINE V apply(V x) {
        using T = hn::TFromV<V>;
        const hn::DFromV<V> d;
        const AsinParts<V> p(hn::Abs(x));
        const V sum = hn::Add(p.s, p.rest), quarter = hn::Set(d, T(QuarterPi<T>::kFirst));
        // pi/4 - 2 s is exact below sqrt(3) / 2.
        const V near = hn::NegMulAdd(p.s, hn::Set(d, T(2)), quarter);
        const V small = hn::NegMulAdd(p.rest, hn::Set(d, T(2)), hn::Set(d, T(2 * QuarterPi<T>::kRest)));
        const V far = hn::Add(quarter, hn::Add(near, small));
        return hn::CopySign(hn::IfThenElse(p.large, far, sum), x);
    }
};

/// pi/2 - asin x; 2 asin(s) for large x, pi less that below zero.
struct VectorAcos {
    template <class V>
    static HWY_INLINE V apply(V x) {
        using T = hn::TFromV<V>;
        const hn::DFromV<V> d;
        const AsinParts<V> p(hn::Abs(x));
        const V s = hn::CopySign(p.s, x), sum = hn::Add(s, hn::CopySign(p.rest, x)), two = hn::Set(d, T(2));
        const V n = hn::IfThenElse(
            p.large, hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Set(d, T(4)), hn::Zero(d)), two);
        const V factor = hn::IfThenElse(p.large, two, hn::Set(d, T(-1)));
        return with_quarters(n, hn::Mul(factor, sum));
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
