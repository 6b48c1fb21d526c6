// The exponential family on vectors of floats, to 2 ulp without a wider type: x = k ln 2 + r as for double,
// with the polynomials of Fit<float>. The common arguments go one way without a branch; a vector with any
// other takes the long way too, by which no other result changes.
#if defined(TENFERRO_VECTOR_MATH_FLOAT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_FLOAT_INL
#undef TENFERRO_VECTOR_MATH_FLOAT_INL
#else
#define TENFERRO_VECTOR_MATH_FLOAT_INL
#endif

#include "cpu/kernels/vector_math/table-functions-inl.hpp"
#include "cpu/kernels/vector_math/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

/// Up to here in magnitude e^x and e^-x are normal numbers.
inline constexpr float kFloatExpReach = 87;

HWY_INLINE bool within_exp_reach(FloatVec x) {
    return HWY_LIKELY(hn::AllTrue(Floats(), hn::Lt(hn::Abs(x), single(kFloatExpReach))));
}

struct FloatReduction {
    FloatVec k;  // plus kFloatRounder
    FloatVec r;

    explicit HWY_INLINE FloatReduction(FloatVec x) {
        k = hn::MulAdd(x, single(static_cast<float>(kInverseLn2)), single(kFloatRounder));
        const FloatVec whole = hn::Sub(k, single(kFloatRounder));
        r = hn::NegMulAdd(whole, single(kFloatLn2[1]), hn::NegMulAdd(whole, single(kFloatLn2[0]), x));
    }
};

HWY_INLINE FloatVec exp_r(FloatVec r) {
    return hn::Add(single(1), hn::MulAdd(hn::Mul(r, r), horner(Fit<float>::kExp, r), r));
}

/// y 2^k for y > 0 and k plus kFloatRounder, where that is a normal number.
HWY_INLINE FloatVec shifted(FloatVec y, FloatVec k) {
    const FloatWords words;
    const auto offset = hn::ShiftLeft<23>(hn::BitCast(words, k));
    return hn::BitCast(Floats(), hn::Add(hn::BitCast(words, y), offset));
}

#ifdef TENFERRO_FLOAT_INTERVALS
/// y 2^k, rounded once, for moderate y and -200 <= k <= 100 plus kFloatRounder.
HWY_INLINE FloatVec times_small_power(FloatVec y, FloatVec k) {
#ifdef TENFERRO_REGISTER_TABLES
    return times_power(y, hn::Sub(k, single(kFloatRounder)));
#else
    // In two steps, of which the second may end at subnormals.
    const FloatVec first = hn::Max(k, single(kFloatRounder - 100));
    const FloatVec second = hn::Add(hn::Sub(k, first), single(kFloatRounder));
    return hn::Mul(hn::Mul(y, power_of_two(first)), power_of_two(second));
#endif
}
#endif

/// factor e^x for any x and factor 1 or 1/2: clamped, and scaled in two steps, the first within range, the
/// second to infinity or subnormals.
inline HWY_NOINLINE FloatVec float_exp_extreme(FloatVec x, float factor) {
    const FloatReduction p(hn::Min(hn::Max(x, single(-104)), single(90)));
    const FloatMask small = hn::Lt(x, single(0));
    const FloatVec shift = hn::IfThenElse(small, single(30), single(-4));
    const FloatVec y = hn::Mul(exp_r(p.r), power_of_two(hn::Add(p.k, shift)));
    return keep_nan(x, hn::Mul(y, hn::IfThenElse(small, single(0x1p-30F * factor), single(0x1p4F * factor))));
}

#ifdef TENFERRO_REGISTER_TABLES
using FloatExp = TableExp;
#else
struct FloatExp {
    static HWY_INLINE FloatVec apply(FloatVec x) {
        if (HWY_UNLIKELY(!within_exp_reach(x))) return float_exp_extreme(x, 1);
        const FloatReduction p(x);
        return shifted(exp_r(p.r), p.k);
    }
};
#endif

/// 2^k ((1 - 2^-k) + (e^r - 1)); what the first sum with r loses is kept.
struct FloatExpm1 {
    static HWY_INLINE FloatVec within_reach(FloatVec x) {
        const FloatReduction p(x);
        const FloatVec power = power_of_two(p.k);
        const FloatVec inverse = power_of_two(hn::Sub(single(2 * kFloatRounder), p.k));
        const FloatVec offset = hn::Sub(single(1), inverse), sum = hn::Add(offset, p.r);
        const FloatVec lost = hn::Add(hn::Sub(offset, sum), p.r);
        const FloatVec y = hn::Add(sum, hn::MulAdd(hn::Mul(p.r, p.r), horner(Fit<float>::kExp, p.r), lost));
        return hn::CopySign(hn::Mul(y, power), x);
    }
    static HWY_NOINLINE FloatVec extreme(FloatVec x) {
        const FloatVec near =
            within_reach(hn::Min(hn::Max(x, single(-kFloatExpReach)), single(kFloatExpReach)));
        return hn::IfThenElse(hn::Lt(x, single(kFloatExpReach)), near, float_exp_extreme(x, 1));
    }
    static HWY_INLINE FloatVec apply(FloatVec x) {
        return within_exp_reach(x) ? within_reach(x) : extreme(x);
    }
};

/// 1 / (1 + e^-x), 1 + e^-x = (2^k + 1) + 2^k (e^r - 1), rounded once where 2^k + 1 is exact;
/// for larger k the largest term is added last. Beyond reach e^x or 1.
struct FloatSigmoid {
    static HWY_NOINLINE FloatVec extreme(FloatVec x) {
        const FloatVec near =
            within_reach(hn::Min(hn::Max(x, single(-kFloatExpReach)), single(kFloatExpReach)));
        const FloatVec far = float_exp_extreme(hn::Min(x, single(0)), 1);
        return keep_nan(x, hn::IfThenElse(hn::Lt(hn::Abs(x), single(kFloatExpReach)), near, far));
    }
    static HWY_INLINE FloatVec within_reach(FloatVec x) {
        const FloatReduction p(hn::Neg(x));
        const FloatVec power = power_of_two(p.k);
        const FloatVec series = hn::MulAdd(hn::Mul(p.r, p.r), horner(Fit<float>::kExp, p.r), p.r);
        const FloatVec one = single(1);
        const FloatMask large = hn::Gt(power, single(0x1p20F));
        const FloatVec first = hn::IfThenElse(large, one, hn::Add(power, one));
        return hn::Div(one, hn::Add(hn::MulAdd(power, series, first), hn::IfThenElseZero(large, power)));
    }
    static HWY_INLINE FloatVec apply(FloatVec x) {
        return within_exp_reach(x) ? within_reach(x) : extreme(x);
    }
};

/// As the double form: sinh x = (p - q) cosh r + (p + q) sinh r with p = 2^(k-1), q = 2^-(k+1), and cosh
/// alike.
struct FloatHyperbolics {
    FloatVec difference, sum;  // p - q and p + q
    FloatVec r, odd, even;     // sinh r - r, cosh r - 1

    explicit HWY_INLINE FloatHyperbolics(FloatVec a) {
        const FloatReduction reduction(a);
        const FloatVec p = power_of_two(hn::Sub(reduction.k, single(1)));
        const FloatVec q = power_of_two(hn::Sub(hn::Sub(single(2 * kFloatRounder), reduction.k), single(1)));
        difference = hn::Sub(p, q);
        sum = hn::Add(p, q);
        r = reduction.r;
        const FloatVec square = hn::Mul(r, r);
        even = hn::Mul(square, horner(Fit<float>::kCosh, square));
        odd = hn::Mul(hn::Mul(r, square), horner(Fit<float>::kSinh, square));
    }
};

/// F::of(parts) within reach; beyond, where e^-|x| does not count, e^|x| / 2.
template <class F>
inline HWY_NOINLINE FloatVec hyperbolic_extreme(FloatVec x, FloatVec a) {
    const FloatVec near = F::of(FloatHyperbolics(hn::Min(a, single(kFloatExpReach))));
    const FloatVec y = hn::IfThenElse(hn::Lt(a, single(kFloatExpReach)), near, float_exp_extreme(a, 0.5F));
    return keep_nan(x, y);
}

struct FloatSinh {
    static HWY_INLINE FloatVec of(const FloatHyperbolics& h) {
        const FloatVec rest = hn::MulAdd(h.sum, h.odd, hn::Mul(h.difference, h.even));
        return hn::Add(h.difference, hn::MulAdd(h.sum, h.r, rest));
    }
    static HWY_INLINE FloatVec apply(FloatVec x) {
        const FloatVec a = hn::Abs(x);
        return hn::CopySign(
            within_exp_reach(x) ? of(FloatHyperbolics(a)) : hyperbolic_extreme<FloatSinh>(x, a), x);
    }
};

struct FloatCosh {
    static HWY_INLINE FloatVec of(const FloatHyperbolics& h) {
        const FloatVec rest = hn::Mul(h.difference, hn::Add(h.r, h.odd));
        return hn::Add(h.sum, hn::MulAdd(h.sum, h.even, rest));
    }
    static HWY_INLINE FloatVec apply(FloatVec x) {
        const FloatVec a = hn::Abs(x);
        return within_exp_reach(x) ? of(FloatHyperbolics(a)) : hyperbolic_extreme<FloatCosh>(x, a);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
