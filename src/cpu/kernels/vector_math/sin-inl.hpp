// Sine and cosine: x = n pi + r, |r| <= pi / 2, one odd polynomial, and the sign of (-1)^n. For the cosine n
// is a half-integer. The reduction keeps what each subtraction loses, so that r is right to its last bit next
// to multiples of pi; arguments beyond its range, infinities and NaN go to the scalar function, lane by lane.
// Floats are reduced as such up to their own, smaller range, and go through double beyond it. The parameter T
// of the double functions is the type that results are rounded to.
#if defined(TENFERRO_VECTOR_MATH_SIN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_SIN_INL
#undef TENFERRO_VECTOR_MATH_SIN_INL
#else
#define TENFERRO_VECTOR_MATH_SIN_INL
#endif

#include "cpu/kernels/vector_math/vectors-inl.hpp"
#include "tenferro/tensor/elementwise/analytic.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

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

/// A sine, which a rounding may have led beyond 1.
template <class V>
HWY_INLINE V within_one(V sine) {
    using T = hn::TFromV<V>;
    const hn::DFromV<V> d;
    return hn::Max(hn::Min(sine, hn::Set(d, T(1))), hn::Set(d, T(-1)));
}

/// (-1)^n sin(r), n in the lowest bits.
template <class T>
HWY_INLINE Vec signed_sine(Vec r, Vec n) {
    const Vec square = hn::Mul(r, r);
    Vec series;
    if constexpr (std::is_same_v<T, float>) {
        series = hn::MulAdd(polynomial(Fit<float>::kWideSin, square), square,
                            constant(Fit<float>::kWideSinLeading));
    } else {
        series =
            hn::MulAdd(polynomial(Fit<double>::kSin, square), square, constant(Fit<double>::kSinLeading));
    }
    const Vec y = within_one(hn::MulAdd(hn::Mul(r, square), series, r));
    return hn::Xor(y, hn::BitCast(Reals(), hn::ShiftLeft<63>(hn::BitCast(Words(), n))));
}

template <class T, class F>
HWY_INLINE Vec with_large_angles(Vec x, Vec y, F scalar) {
    const Mask large = hn::Not(hn::Le(hn::Abs(x), constant(kLargestAngle)));
    return HWY_LIKELY(hn::AllFalse(Reals(), large)) ? y : repaired<T>(y, large, scalar, x);
}

struct VectorSin {
    template <class T>
    static HWY_INLINE Vec apply(Vec x) {
        const Vec n = hn::MulAdd(x, constant(kInversePi), constant(kRounder));
        const Vec y = signed_sine<T>(reduced_angle<T>(x, hn::Sub(n, constant(kRounder))), n);
        const Vec with_zeros =
            hn::IfThenElse(hn::Eq(x, constant(0)), x, y);  // the reduction loses the sign of -0
        return with_large_angles<T>(x, with_zeros, elementwise::Sin{});
    }
    static HWY_INLINE Vec apply(Vec x) { return apply<double>(x); }
};

/// cos x = (-1)^n sin(x - (n - 1/2) pi).
struct VectorCos {
    template <class T>
    static HWY_INLINE Vec apply(Vec x) {
        const Vec n = hn::Add(hn::MulAdd(x, constant(kInversePi), constant(0.5)), constant(kRounder));
        const Vec half_integer = hn::Sub(hn::Sub(n, constant(kRounder)), constant(0.5));
        const Vec y = signed_sine<T>(reduced_angle<T>(x, half_integer), n);
        return with_large_angles<T>(x, y, elementwise::Cos{});
    }
    static HWY_INLINE Vec apply(Vec x) { return apply<double>(x); }
};

/// F on the lanes of a vector of floats, in double.
template <class F>
inline HWY_NOINLINE FloatVec widened(FloatVec x) {
    const Floats d;
    HWY_ALIGN float values[hn::MaxLanes(Floats())];
    hn::Store(x, d, values);
    for (std::size_t i = 0; i < hn::Lanes(d); i += hn::Lanes(Reals()))
        store_reals(F::template apply<float>(load_reals(values + i)), values + i);
    return hn::Load(d, values);
}

/// Where instructions for fused products exist n kFloatPi[0] is subtracted without a rounding, and the sine
/// needs no double. Up to this angle n is the nearest but for a few thousandths.
inline constexpr float kLargestFloatAngle = 0x1p17F;

HWY_INLINE FloatVec signed_float_sine(FloatVec x, FloatVec multiple, FloatVec n) {
    const FloatVec first = hn::NegMulAdd(multiple, single(kFloatPi[0]), x);
    const FloatVec r =
        hn::NegMulAdd(multiple, single(kFloatPi[2]), hn::NegMulAdd(multiple, single(kFloatPi[1]), first));
    const FloatVec square = hn::Mul(r, r);
    const FloatVec y = within_one(hn::MulAdd(hn::Mul(square, horner(Fit<float>::kSin, square)), r, r));
    return hn::Xor(y, hn::BitCast(Floats(), hn::ShiftLeft<31>(hn::BitCast(FloatWords(), n))));
}

/// F without the wider type where it can do that; each element's result is its own affair, not its
/// neighbours'.
template <class F>
HWY_INLINE FloatVec with_wide_angles(FloatVec x) {
    const FloatMask near = hn::Le(hn::Abs(x), single(kLargestFloatAngle));
    if (HWY_NATIVE_FMA && HWY_LIKELY(hn::AllTrue(Floats(), near))) return F::within_reach(x);
    const FloatVec wide = widened<typename F::Wide>(x);
    return HWY_NATIVE_FMA ? hn::IfThenElse(near, F::within_reach(x), wide) : wide;
}

struct FloatSin {
    using Wide = VectorSin;
    static HWY_INLINE FloatVec within_reach(FloatVec x) {
        const FloatVec n = hn::MulAdd(x, single(static_cast<float>(kInversePi)), single(kFloatRounder));
        const FloatVec y = signed_float_sine(x, hn::Sub(n, single(kFloatRounder)), n);
        return hn::IfThenElse(hn::Eq(x, single(0)), x, y);
    }
    static HWY_INLINE FloatVec apply(FloatVec x) { return with_wide_angles<FloatSin>(x); }
};

struct FloatCos {
    using Wide = VectorCos;
    static HWY_INLINE FloatVec within_reach(FloatVec x) {
        const FloatVec n = hn::Add(hn::MulAdd(x, single(static_cast<float>(kInversePi)), single(0.5F)),
                                   single(kFloatRounder));
        return signed_float_sine(x, hn::Sub(hn::Sub(n, single(kFloatRounder)), single(0.5F)), n);
    }
    static HWY_INLINE FloatVec apply(FloatVec x) { return with_wide_angles<FloatCos>(x); }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
