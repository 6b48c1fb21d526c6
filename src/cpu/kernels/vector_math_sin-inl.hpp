// Sine and cosine: x = n pi + r, |r| <= pi / 2, one odd polynomial, and the sign of (-1)^n. For the cosine n is a half-integer.
// The reduction keeps what each subtraction loses, so that r is right to its last bit next to multiples of pi; arguments
// beyond its range, infinities and NaN go to the scalar function, lane by lane.
#if defined(TENFERRO_VECTOR_MATH_SIN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_SIN_INL
#undef TENFERRO_VECTOR_MATH_SIN_INL
#else
#define TENFERRO_VECTOR_MATH_SIN_INL
#endif

#include "cpu/kernels/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE {

/// Half-integers n up to this / pi times the parts of kPi are exact: 22 + 31 bits.
inline constexpr double kLargestAngle = 0x1p22;

/// x - n pi.
template <class T>
HWY_INLINE Vec reduced_angle(Vec x, Vec n) {
    const Vec first = hn::NegMulAdd(n, constant(kPi[0]), x);
    if constexpr (std::is_same_v<T, float>) return hn::NegMulAdd(n, constant(kPiRest), first);
    const Vec second = hn::NegMulAdd(n, constant(kPi[1]), first);
    const Vec lost_second = hn::NegMulAdd(n, constant(kPi[1]), hn::Sub(first, second));
    const Vec third = hn::NegMulAdd(n, constant(kPi[2]), second);
    const Vec lost_third = hn::NegMulAdd(n, constant(kPi[2]), hn::Sub(second, third));
    return hn::Add(third, hn::NegMulAdd(n, constant(kPi[3]), hn::Add(lost_second, lost_third)));
}

/// (-1)^n sin(r), n in the lowest bits.
template <class T>
HWY_INLINE Vec signed_sine(Vec r, Vec n) {
    const Vec square = hn::Mul(r, r);
    const Vec series = hn::MulAdd(polynomial(Fit<T>::kSin, square), square, constant(Fit<T>::kSinLeading));
    const Vec y = hn::MulAdd(hn::Mul(r, square), series, r);
    return hn::Xor(y, hn::BitCast(Reals(), hn::ShiftLeft<63>(hn::BitCast(Words(), n))));
}

template <class T, class F>
HWY_INLINE Vec with_large_angles(Vec x, Vec y, F scalar) {
    const Mask large = hn::Not(hn::Le(hn::Abs(x), constant(kLargestAngle)));
    return HWY_LIKELY(hn::AllFalse(Reals(), large)) ? y : repaired<T>(x, y, large, scalar);
}

struct VectorSin {
    template <class T>
    static HWY_INLINE Vec apply(Vec x) {
        const Vec n = hn::MulAdd(x, constant(kInversePi), constant(kRounder));
        const Vec y = signed_sine<T>(reduced_angle<T>(x, hn::Sub(n, constant(kRounder))), n);
        const Vec with_zeros = hn::IfThenElse(hn::Eq(x, constant(0)), x, y);  // the reduction loses the sign of -0
        return with_large_angles<T>(x, with_zeros, [](T v) { return std::sin(v); });
    }
};

/// cos x = (-1)^n sin(x - (n - 1/2) pi).
struct VectorCos {
    template <class T>
    static HWY_INLINE Vec apply(Vec x) {
        const Vec n = hn::Add(hn::MulAdd(x, constant(kInversePi), constant(0.5)), constant(kRounder));
        const Vec half_integer = hn::Sub(hn::Sub(n, constant(kRounder)), constant(0.5));
        const Vec y = signed_sine<T>(reduced_angle<T>(x, half_integer), n);
        return with_large_angles<T>(x, y, [](T v) { return std::cos(v); });
    }
};

}  // namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
