// Functions by tables in registers, for vectors of 512 bits: two registers hold 16 doubles or 32 floats, so
// that arguments are reduced to shorter intervals and polynomials need half of their terms, and the
// instructions that take numbers apart know zero, subnormals, infinities and NaN, so that no argument is
// special. x = (k + j/16) ln 2 + r for exponentials; x = 2^k m, m in [3/4, 3/2), m / c = 1 + r for
// logarithms.
#if defined(TENFERRO_VECTOR_MATH_TABLE_FUNCTIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_TABLE_FUNCTIONS_INL
#undef TENFERRO_VECTOR_MATH_TABLE_FUNCTIONS_INL
#else
#define TENFERRO_VECTOR_MATH_TABLE_FUNCTIONS_INL
#endif

#include "cpu/kernels/vector_math/intervals-inl.hpp"
#include "cpu/kernels/vector_math/tables.hpp"
#include "cpu/kernels/vector_math/vectors-inl.hpp"

#ifdef TENFERRO_REGISTER_TABLES

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

/// y 2^floor(k), rounded once.
HWY_INLINE Vec times_power(Vec y, Vec k) { return Vec{_mm512_scalef_pd(y.raw, k.raw)}; }
HWY_INLINE FloatVec times_power(FloatVec y, FloatVec k) { return FloatVec{_mm512_scalef_ps(y.raw, k.raw)}; }

/// The largest integer k with 2^k <= |x|.
HWY_INLINE Vec exponent(Vec x) { return Vec{_mm512_getexp_pd(x.raw)}; }
HWY_INLINE FloatVec exponent(FloatVec x) { return FloatVec{_mm512_getexp_ps(x.raw)}; }

/// x 2^-k in [3/4, 3/2); NaN for x < 0, 1 for zero and infinity.
HWY_INLINE Vec fraction(Vec x) {
    return Vec{_mm512_getmant_pd(x.raw, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan)};
}
HWY_INLINE FloatVec fraction(FloatVec x) {
    return FloatVec{_mm512_getmant_ps(x.raw, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan)};
}

/// a / (b + rest) for 1 <= b <= 2 and rest below the last place of b: an inverse of 14 bits, once improved,
/// and what it leaves of a. A division keeps the processor from other work for twice as long.
HWY_INLINE Vec divided(Vec a, Vec b, Vec rest) {
    const Vec rough{_mm512_rcp14_pd(b.raw)};
    const Vec inverse = hn::MulAdd(rough, hn::NegMulAdd(b, rough, constant(1)), rough);
    const Vec quotient = hn::Mul(a, inverse);
    const Vec left = hn::NegMulAdd(quotient, rest, hn::NegMulAdd(quotient, b, a));
    return hn::MulAdd(left, inverse, quotient);
}

/// x + kSixteenths is rounded to sixteenths, whose number is in its lowest bits.
inline constexpr double kSixteenths = 0x1.8p48;
inline constexpr float kFloatSixteenths = 0x1.8p19F;

struct TableExp {
    static HWY_INLINE Vec apply(Vec x) {
        x = hn::Min(constant(710), hn::Max(constant(-746), x));  // NaN is the second operand
        const Vec rounded = hn::MulAdd(x, constant(kInverseLn2), constant(kSixteenths));
        const Vec k = hn::Sub(rounded, constant(kSixteenths));
        const Vec r = hn::NegMulAdd(k, constant(kLn2[1]), hn::NegMulAdd(k, constant(kLn2[0]), x));
        const auto index = hn::BitCast(Words(), rounded);
        const Vec y = hn::MulAdd(hn::Mul(r, r), horner(ExpTable::kExp, r),
                                 hn::Add(r, looked_up(ExpTable::kLost, index)));
        const Vec power = looked_up(ExpTable::kPower, index);
        return times_power(hn::MulAdd(power, y, power), k);
    }
    static HWY_INLINE FloatVec apply(FloatVec x) {
        x = hn::Min(single(90), hn::Max(single(-105), x));
        const FloatVec rounded =
            hn::MulAdd(x, single(static_cast<float>(kInverseLn2)), single(kFloatSixteenths));
        const FloatVec k = hn::Sub(rounded, single(kFloatSixteenths));
        const FloatVec r = hn::NegMulAdd(k, single(kFloatLn2[1]), hn::NegMulAdd(k, single(kFloatLn2[0]), x));
        const FloatVec y = hn::MulAdd(hn::Mul(r, r), horner(ExpTable::kFloatExp, r), r);
        const FloatVec power = looked_up(ExpTable::kFloatPower, hn::BitCast(FloatWords(), rounded));
        return times_power(hn::MulAdd(power, y, power), k);
    }
};

/// k ln 2 + log c is exact in its leading part, of which next to 1 nothing is left.
struct TableLog {
    template <class V, std::size_t N, class T = hn::TFromV<V>>
    static HWY_INLINE V logarithm(V x, const T (&ln2)[2], const T (&coefficients)[N]) {
        using Table = LogTable<T>;
        const hn::DFromV<V> d;
        const V m = fraction(x), k = hn::Sub(exponent(x), exponent(m));
        const auto index =
            hn::ShiftRight<Table::kIndexBit>(hn::BitCast(hn::RebindToUnsigned<decltype(d)>(), m));
        const V r = hn::MulSub(m, looked_up(Table::kInverse, index), hn::Set(d, T(1)));
        const V leading = hn::MulAdd(k, hn::Set(d, ln2[0]), looked_up(Table::kLog, index));
        const V rest = hn::MulAdd(k, hn::Set(d, ln2[1]), r);
        return hn::Add(leading, hn::MulAdd(hn::Mul(r, r), horner(coefficients, r), rest));
    }
    static HWY_INLINE Vec apply(Vec x) { return logarithm(x, kLn2, LogTable<double>::kSeries); }
    static HWY_INLINE FloatVec apply(FloatVec x) { return logarithm(x, kFloatLn2, LogTable<float>::kSeries); }
};

/// With e = e^-2a: (1 - e) / (1 + e), and 1 - 2 e / (1 + e) from 0.55 on, where what the quotient's parts
/// lost is worth less than half of the last place. e = s + s y, s = 2^(k + j/16), y = e^r - 1, and e - 1 =
/// (s - 1) + s y. What is lost by s - 1 is added to the second term.
struct TableTanh {
    static HWY_INLINE Vec apply(Vec x) {
        const Words words;
        const Vec a = hn::Max(constant(-22), hn::Or(x, constant(-0.0)));  // -|x|
        const Vec rounded = hn::MulAdd(a, constant(2 * kInverseLn2), constant(kSixteenths));
        const Vec k = hn::Sub(rounded, constant(kSixteenths));
        const Vec half = hn::NegMulAdd(k, constant(kLn2[1] / 2), hn::NegMulAdd(k, constant(kLn2[0] / 2), a));
        const auto index = hn::BitCast(words, rounded);
        const Vec s =
            hn::BitCast(Reals(), hn::Add(looked_up(ExpTable::kBits, index), hn::ShiftLeft<48>(index)));
        const Vec r = hn::Add(half, half);
        const Vec y = hn::MulAdd(hn::Mul(r, r), horner(ExpTable::kExpm1, r),
                                 hn::Add(r, looked_up(ExpTable::kLost, index)));
        const Mask large = hn::Lt(a, constant(-0.55));
        const Vec one = constant(1), two = constant(2), less = hn::IfThenZeroElse(large, one);
        const Vec first = hn::Sub(s, less), first_lost = hn::Sub(s, hn::Add(first, less));
        const Vec parts = hn::Add(first, hn::MulAdd(s, y, first_lost));  // e or e - 1
        const Vec offset = hn::IfThenElse(large, one, two), sum = hn::Add(parts, offset);
        const Vec sum_lost = hn::Sub(parts, hn::Sub(sum, offset));
        const Vec numerator = hn::IfThenElse(large, hn::Add(parts, parts), parts);
        const Vec quotient = divided(numerator, sum, sum_lost);
        return hn::CopySign(hn::IfThenElse(large, hn::Sub(one, quotient), quotient), x);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // 512 bits
#endif  // per-target include guard
