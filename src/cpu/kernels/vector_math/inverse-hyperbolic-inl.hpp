// The inverse hyperbolic functions. artanh x is half the logarithm of (1 + x) / (1 - x) = 2^k (1 + t) / (1 -
// t), of which k is found by subtracting bits (J. Mitchell, "Computer multiplication and division using
// binary logarithms"), so that t is x itself next to zero:
// t = (2 x - (2^k - 1) (1 - x)) / (2 + (2^k - 1) (1 - x)). The others are logarithms of x + sqrt(x^2 +- 1),
// near 1 of 1 + z with z free of cancellation; for floats, in double.
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
template <class T>
struct VectorAsinh {
    static HWY_INLINE Vec apply(Vec x) {
        const Vec a = hn::Abs(x), square = hn::Mul(a, a), one = constant(1);
        Vec y;
        if constexpr (std::is_same_v<T, float>) {
            const Vec far = short_log(hn::Add(a, hn::Sqrt(hn::Add(one, square))));
            const Vec near = hn::NegMulAdd(hn::Mul(a, square), constant(1 / 6.0), a);
            y = hn::IfThenElse(hn::Lt(a, constant(0x1p-9)), near, far);
        } else {
            const Mask huge = hn::Gt(a, constant(kHuge));
            const Vec rest = hn::Div(square, hn::Add(one, hn::Sqrt(hn::Add(one, square))));
            const Vec z = hn::IfThenElse(huge, a, hn::Add(a, rest));
            y = log_one_plus(z, hn::IfThenElseZero(huge, one));
        }
        return hn::IfThenElse(hn::Lt(a, hn::Inf(Reals())), hn::CopySign(y, x), x);
    }
};

/// log(x + sqrt(x^2 - 1)) = log(1 + t + sqrt(2 t + t^2)), t = x - 1.
template <class T>
struct VectorAcosh {
    static HWY_INLINE Vec apply(Vec x) {
        const Vec one = constant(1), t = hn::Sub(x, one);
        Vec y;
        if constexpr (std::is_same_v<T, float>) {
            y = short_log(hn::Add(x, hn::Sqrt(hn::Mul(t, hn::Add(x, one)))));
        } else {
            const Mask huge = hn::Gt(x, constant(kHuge));
            const Vec root = hn::Sqrt(hn::MulAdd(t, t, hn::Add(t, t)));
            y = log_one_plus(hn::IfThenElse(huge, x, hn::Add(t, root)), hn::IfThenElseZero(huge, one));
        }
        y = hn::IfThenElse(hn::Lt(x, hn::Inf(Reals())), y, x);
        return hn::IfThenElse(hn::Lt(x, one), hn::NaN(Reals()), y);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
