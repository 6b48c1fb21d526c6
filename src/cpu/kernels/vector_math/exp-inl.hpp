// The exponential family on vectors of doubles: x = k ln 2 + r, |r| <= ln(2) / 2, and e^r = cosh r + sinh r
// with a polynomial for each, so that differences of e^x and e^-x are formed before anything is rounded:
//   2 sinh x = (2^k - 2^-k) cosh r + (2^k + 2^-k) sinh r.
#if defined(TENFERRO_VECTOR_MATH_EXP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_EXP_INL
#undef TENFERRO_VECTOR_MATH_EXP_INL
#else
#define TENFERRO_VECTOR_MATH_EXP_INL
#endif

#include "cpu/kernels/vector_math/table-functions-inl.hpp"
#include "cpu/kernels/vector_math/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

struct ExpParts {
    Vec k;     // plus kRounder
    Vec r;     // rounded
    Vec odd;   // sinh r - r, and what the rounding of r lost
    Vec even;  // cosh r - 1
};

HWY_INLINE ExpParts exp_parts(Vec x) {
    // Not member by member: on Arm, g++ cannot inline what an implicit default constructor calls.
    const Vec rounded = hn::MulAdd(x, constant(kInverseLn2), constant(kRounder));
    const Vec k = hn::Sub(rounded, constant(kRounder));
    const Vec high = hn::NegMulAdd(k, constant(kLn2[0]), x);
    const Vec r = hn::NegMulAdd(k, constant(kLn2[1]), high);
    const Vec square = hn::Mul(r, r);
    const Vec even = hn::Mul(square, polynomial(Fit<double>::kCosh, square));
    const Vec cubic = hn::Mul(hn::Mul(r, square), polynomial(Fit<double>::kSinh, square));
    const Vec odd = hn::Add(cubic, hn::NegMulAdd(k, constant(kLn2[1]), hn::Sub(high, r)));
    return {rounded, r, odd, even};
}

HWY_INLINE Vec exp_r(const ExpParts& p) { return hn::Add(constant(1), hn::Add(p.r, hn::Add(p.odd, p.even))); }

/// y 2^k, k >= -1022 with kRounder, rounded once.
HWY_INLINE Vec scaled(Vec y, Vec k) {
#ifdef TENFERRO_REGISTER_TABLES
    return times_power(y, hn::Sub(k, constant(kRounder)));
#else
    // In two steps, of which the first is within range and the second may overflow.
    const Vec first = hn::Min(k, constant(kRounder + 1000));
    const Vec second = hn::Add(hn::Sub(k, first), constant(kRounder));
    return hn::Mul(hn::Mul(y, power_of_two(first)), power_of_two(second));
#endif
}

#ifdef TENFERRO_REGISTER_TABLES
using VectorExp = TableExp;
#else
struct VectorExp {
    /// Where e^x is a normal number.
    static HWY_INLINE Vec within_reach(Vec x) {
        const Vec k = hn::MulAdd(x, constant(kInverseLn2), constant(kRounder)),
                  whole = hn::Sub(k, constant(kRounder));
        const Vec r = hn::NegMulAdd(whole, constant(kLn2[1]), hn::NegMulAdd(whole, constant(kLn2[0]), x));
        const Vec y = hn::MulAdd(hn::Mul(r, r), polynomial(Fit<double>::kExp, r), r);
        const Vec power = power_of_two(k);
        return hn::MulAdd(y, power, power);
    }
    /// Elsewhere with clamped arguments, and powers of two in two steps: the first within range, the second
    /// to infinity or subnormals. An element's result does not depend on its neighbours.
    static HWY_NOINLINE Vec extreme(Vec x, Mask ordinary) {
        const ExpParts p = exp_parts(hn::Min(hn::Max(x, constant(-746)), constant(710)));
        const Mask small = hn::Lt(x, constant(0));
        const Vec shift = hn::IfThenElse(small, constant(100), constant(-4));
        const Vec y = hn::Mul(exp_r(p), power_of_two(hn::Add(p.k, shift)));
        const Vec far = hn::Mul(y, hn::IfThenElse(small, constant(0x1p-100), constant(0x1p4)));
        return hn::IfThenElse(ordinary, within_reach(x), keep_nan(x, far));
    }
    static HWY_INLINE Vec apply(Vec x) {
        const Mask ordinary = hn::Lt(hn::Abs(x), constant(708));
        return HWY_LIKELY(hn::AllTrue(Reals(), ordinary)) ? within_reach(x) : extreme(x, ordinary);
    }
};
#endif

/// 2^k ((1 - 2^-k) + (e^r - 1)); the first sum with r is exact in all but its rounding, which is kept.
struct VectorExpm1 {
    static HWY_INLINE Vec apply(Vec x) {
        const ExpParts p = exp_parts(hn::Min(hn::Max(x, constant(-60)), constant(710)));
        const Vec inverse =
            power_of_two(hn::Sub(constant(2 * kRounder), hn::Min(p.k, constant(kRounder + 64))));
        const Vec offset = hn::Sub(constant(1), inverse), sum = hn::Add(offset, p.r);
        const Vec lost = hn::Add(hn::Sub(offset, sum), p.r);
        const Vec y = hn::Add(sum, hn::Add(lost, hn::Add(p.odd, p.even)));
        return keep_nan(x, hn::CopySign(scaled(y, p.k), x));
    }
};

/// The hyperbolic functions of a, 0 <= a <= 712, times 2^(1 - k).
struct Hyperbolics {
    Vec k, sinh, cosh;

    explicit HWY_INLINE Hyperbolics(Vec a) {
        const ExpParts p = exp_parts(a);
        k = p.k;
        const Words words;
        const auto small_k =
            hn::BitCast(words, hn::Min(k, constant(kRounder + 64)));  // beyond that 2^-2k rounds away
        const Vec inverse =
            hn::BitCast(Reals(), hn::Sub(hn::Set(words, kExponentBias << 52), hn::ShiftLeft<53>(small_k)));
        const Vec one = constant(1), difference = hn::Sub(one, inverse), sum = hn::Add(one, inverse);
        const Vec rest = hn::MulAdd(sum, p.odd, hn::Mul(difference, p.even));
        sinh = hn::Add(difference, hn::MulAdd(sum, p.r, rest));
        cosh = hn::Add(sum, hn::MulAdd(sum, p.even, hn::Mul(difference, hn::Add(p.r, p.odd))));
    }
};

struct VectorSinh {
    static HWY_INLINE Vec apply(Vec x) {
        const Hyperbolics h(hn::Min(hn::Abs(x), constant(712)));
        return keep_nan(x, hn::CopySign(scaled(h.sinh, hn::Sub(h.k, constant(1))), x));
    }
};

struct VectorCosh {
    static HWY_INLINE Vec apply(Vec x) {
        const Hyperbolics h(hn::Min(hn::Abs(x), constant(712)));
        return keep_nan(x, scaled(h.cosh, hn::Sub(h.k, constant(1))));
    }
};

/// 1 / (1 + e^-x), through the exponential that does not overflow; corrected for the rounding of the
/// denominator, whose inverse is the quotient or 1 minus it.
struct VectorSigmoid {
    static HWY_INLINE Vec apply(Vec x) {
        const Vec e = VectorExp::apply(hn::Neg(hn::Abs(x)));
        const Mask negative = hn::Lt(x, constant(0));
        const Vec one = constant(1), sum = hn::Add(one, e), lost = hn::Add(hn::Sub(one, sum), e);
        const Vec quotient = hn::Div(hn::IfThenElse(negative, e, one), sum);
        const Vec inverse = hn::IfThenElse(negative, hn::Sub(one, quotient), quotient);
        return hn::NegMulAdd(hn::Mul(quotient, lost), inverse, quotient);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
