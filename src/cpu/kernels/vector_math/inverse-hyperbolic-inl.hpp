// The inverse hyperbolic functions. artanh x is half the logarithm of (1 + x) / (1 - x) = 2^k (1 + t) / (1 -
// t), of which k is found by subtracting bits (J. Mitchell, "Computer multiplication and division using
// binary logarithms"), so that t is x itself next to zero:
// t = (2 x - (2^k - 1) (1 - x)) / (2 + (2^k - 1) (1 - x)). The others are logarithms of x + sqrt(x^2 +- 1),
// near 1 of 1 + z with z free of cancellation; for floats in double or, in registers that look coefficients
// up, polynomials of intervals.
#if defined(TENFERRO_VECTOR_MATH_INVERSE_HYPERBOLIC_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_INVERSE_HYPERBOLIC_INL
#undef TENFERRO_VECTOR_MATH_INVERSE_HYPERBOLIC_INL
#else
#define TENFERRO_VECTOR_MATH_INVERSE_HYPERBOLIC_INL
#endif

#include "cpu/kernels/vector_math/log-inl.hpp"
#include "cpu/kernels/vector_math/pow-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

/// 2^k for the number k of octaves from b to a, a >= b > 0, and k itself: from 3/4 of the next one on it
/// counts.
HWY_INLINE Vec octaves(Vec a, Vec b, Vec& k) {
    const Words words;
    const auto distance = hn::Sub(hn::BitCast(words, a), hn::BitCast(words, b));
    const auto number = hn::ShiftRight<52>(hn::Add(distance, hn::Set(words, std::uint64_t{1} << 50)));
    k = hn::Sub(hn::BitCast(Reals(), hn::Or(number, hn::Set(words, 0x4330000000000000u))), constant(0x1p52));
    return hn::BitCast(Reals(), hn::ShiftLeft<52>(hn::Add(number, hn::Set(words, kExponentBias))));
}
HWY_INLINE FloatVec octaves(FloatVec a, FloatVec b, FloatVec& k) {
    const FloatWords words;
    const auto distance = hn::Sub(hn::BitCast(words, a), hn::BitCast(words, b));
    const auto number = hn::ShiftRight<23>(hn::Add(distance, hn::Set(words, 1u << 21)));
    k = hn::Sub(hn::BitCast(Floats(), hn::Or(number, hn::Set(words, 0x4b000000u))), single(0x1p23F));
    return hn::BitCast(Floats(), hn::ShiftLeft<23>(hn::Add(number, hn::Set(words, 127u))));
}

struct VectorAtanh {
    template <class V>
    static HWY_INLINE V apply(V x) {
        using T = hn::TFromV<V>;
        const hn::DFromV<V> d;
        const V a = hn::Abs(x), one = hn::Set(d, T(1)), two = hn::Set(d, T(2));
        const V difference = hn::Sub(one, a);
        V k;
        const V more = hn::Sub(octaves(hn::Add(one, a), difference, k), one);  // 2^k - 1
        const V least = hn::NegMulAdd(more, difference, hn::Add(a, a));
        const V most = hn::MulAdd(more, difference, two);
        const V t = hn::Div(least, most), square = hn::Mul(t, t);
        const V small = hn::MulAdd(hn::Mul(t, square), polynomial(Fit<T>::kArtanh, square), t);
        const auto& ln2 = SplitLn2<T>::kParts;
        const V y = hn::MulAdd(k, hn::Set(d, ln2[0] / 2), hn::MulAdd(k, hn::Set(d, ln2[1] / 2), small));
        const V end = hn::IfThenElse(hn::Eq(a, one), hn::Inf(d), hn::NaN(d));
        return hn::CopySign(hn::IfThenElse(hn::Lt(a, one), y, end), x);
    }
};

/// From here on squares are not needed: log(2 x).
inline constexpr double kHuge = 0x1p500;

/// log(x + sqrt(x^2 + 1)) = log(1 + x + x^2 / (1 + sqrt(1 + x^2))).
struct VectorAsinh {
    static HWY_INLINE Vec apply(Vec x) {
        const Vec a = hn::Abs(x), square = hn::Mul(a, a), one = constant(1);
        const Mask huge = hn::Gt(a, constant(kHuge));
        const Vec rest = hn::Div(square, hn::Add(one, hn::Sqrt(hn::Add(one, square))));
        const Vec z = hn::IfThenElse(huge, a, hn::Add(a, rest));
        const Vec y = log_one_plus(z, hn::IfThenElseZero(huge, one));
        return hn::IfThenElse(hn::Lt(a, hn::Inf(Reals())), hn::CopySign(y, x), x);
    }
};

/// log(x + sqrt(x^2 - 1)) = log(1 + t + sqrt(2 t + t^2)), t = x - 1.
struct VectorAcosh {
    static HWY_INLINE Vec apply(Vec x) {
        const Vec one = constant(1), t = hn::Sub(x, one);
        const Mask huge = hn::Gt(x, constant(kHuge));
        const Vec root = hn::Sqrt(hn::MulAdd(t, t, hn::Add(t, t)));
        // What both sums lose is kept.
        const Vec sum = hn::Add(t, root), rest = hn::IfThenZeroElse(huge, two_sum_rest(t, root, sum));
        const Vec z = hn::IfThenElse(huge, x, sum), u = hn::Add(one, z);
        const Vec lost = hn::Add(two_sum_rest(z, one, u), rest);
        const Vec log = log_of_sum(u, lost, hn::IfThenElseZero(huge, one));
        const Vec y = hn::IfThenElse(hn::Lt(x, hn::Inf(Reals())), log, x);
        return hn::IfThenElse(hn::Lt(x, one), hn::NaN(Reals()), y);
    }
};

#ifdef TENFERRO_FLOAT_INTERVALS
/// log(2 a) + r/4 - 3 r^2/32 + 5 r^3/96, r = sign / a^2: the inverse hyperbolic sine (sign = 1) or cosine
/// (-1) of large a.
inline HWY_NOINLINE FloatVec far_inverse(FloatVec a, float sign) {
    constexpr float kFirst[] = {0.25F, -3 / 32.0F, 5 / 96.0F};
    const FloatVec r = hn::Div(single(sign), hn::Mul(a, a));
    const FloatVec rest = hn::MulAdd(r, horner(kFirst, r), single(static_cast<float>(kLn2[0] + kLn2[1])));
    return hn::Add(FloatLog::apply(a), rest);
}

struct FloatAsinh {
    static HWY_INLINE FloatVec apply(FloatVec x) {
        using Table = FloatAsinhTable<kFloatIntervals>;
        const FloatVec a = hn::Abs(x);
        const Interval<Table> i(a);
        FloatVec y = of_interval(Table::kSeries, i.t, i.index);
        const FloatMask near = hn::Lt(a, single(7.5F));
        if (HWY_UNLIKELY(!hn::AllTrue(Floats(), near))) y = hn::IfThenElse(near, y, far_inverse(a, 1));
        return hn::CopySign(y, x);
    }
};

/// Next to 1 the root of x - 1 times a polynomial, of which the leading term alone is rounded.
struct FloatAcosh {
    static HWY_INLINE FloatVec apply(FloatVec x) {
        using Table = FloatAcoshTable<kFloatIntervals>;
        const FloatVec one = single(1), a = hn::Sub(x, one), root = hn::Sqrt(a);
        const Interval<Table> i(a, x);
        const FloatVec first = looked_up(Table::kSeries[0], i.index), leading = hn::Mul(root, first);
        const FloatVec rest = hn::MulAdd(root, hn::Mul(i.t, slope(Table::kSeries, i.t, i.index)),
                                         product_rest(root, first, leading));
        const FloatVec y = hn::Add(leading, rest);
        const FloatMask near = hn::And(hn::Ge(x, one), hn::Lt(x, single(16)));
        if (HWY_LIKELY(hn::AllTrue(Floats(), near))) return y;
        const FloatVec far = hn::IfThenElse(hn::Lt(x, one), hn::NaN(Floats()), far_inverse(x, -1));
        return hn::IfThenElse(near, y, far);
    }
};
#else
struct WideAsinh {
    static HWY_INLINE Vec apply(Vec x) {
        const Vec a = hn::Abs(x), square = hn::Mul(a, a);
        const Vec far = short_log(hn::Add(a, hn::Sqrt(hn::Add(constant(1), square))));
        const Vec near = hn::NegMulAdd(hn::Mul(a, square), constant(1 / 6.0), a);
        const Vec y = hn::IfThenElse(hn::Lt(a, constant(0x1p-9)), near, far);
        return hn::IfThenElse(hn::Lt(a, hn::Inf(Reals())), hn::CopySign(y, x), x);
    }
};

struct WideAcosh {
    static HWY_INLINE Vec apply(Vec x) {
        const Vec one = constant(1), t = hn::Sub(x, one);
        const Vec far = short_log(hn::Add(x, hn::Sqrt(hn::Mul(t, hn::Add(x, one)))));
        const Vec y = hn::IfThenElse(hn::Lt(x, hn::Inf(Reals())), far, x);
        return hn::IfThenElse(hn::Lt(x, one), hn::NaN(Reals()), y);
    }
};
#endif

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
