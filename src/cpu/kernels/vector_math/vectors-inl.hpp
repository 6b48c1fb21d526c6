// Common parts of the vector math: vectors of doubles and of floats, numbers in all lanes, polynomials,
// powers of two.
#if defined(TENFERRO_VECTOR_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_INL
#undef TENFERRO_VECTOR_MATH_INL
#else
#define TENFERRO_VECTOR_MATH_INL
#endif

#include "cpu/kernels/vector_math/numbers.hpp"
#include "tenferro/cpu/contraction/unroll.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Reals = hn::ScalableTag<double>;
using Words = hn::RebindToUnsigned<Reals>;
using Vec = hn::Vec<Reals>;
using Mask = hn::Mask<Reals>;

using Floats = hn::ScalableTag<float>;
using FloatWords = hn::RebindToUnsigned<Floats>;
using FloatVec = hn::Vec<Floats>;
using FloatMask = hn::Mask<Floats>;

/// A double at least this large in magnitude is an integer, and its lowest bits are those of the integer in
/// two's complement: x + kRounder holds round(x) in its lowest bits, (x + kRounder) - kRounder is round(x).
inline constexpr double kRounder = 0x1.8p52;
inline constexpr float kFloatRounder = 0x1.8p23F;
template <class T>
inline constexpr T kRounderOf = std::is_same_v<T, float> ? T(kFloatRounder) : T(kRounder);
inline constexpr std::uint64_t kExponentBias = 1023;
inline constexpr double kSmallestNormal = std::numeric_limits<double>::min();

/// Complex numbers.
template <class V>
struct Parts {
    V re, im;
};

/// The textbook product. Written out: gcc 12 fuses the functor's into multiply-adds where it vectorises it,
/// whatever -ffp-contract says, and engines would differ; files that use this are compiled without
/// contraction.
template <class V>
HWY_INLINE Parts<V> times(const Parts<V>& a, const Parts<V>& b) {
    return {hn::Sub(hn::Mul(a.re, b.re), hn::Mul(a.im, b.im)),
            hn::Add(hn::Mul(a.re, b.im), hn::Mul(a.im, b.re))};
}

HWY_INLINE Vec constant(double value) { return hn::Set(Reals(), value); }
HWY_INLINE FloatVec single(float value) { return hn::Set(Floats(), value); }

/// part[0] + part[1] x + part[2] x^2 + ..., by halves (Estrin's scheme): the loops are bound by latency, not
/// by operations.
template <std::size_t N, class V>
HWY_INLINE V joined(const V (&part)[N], V x) {
    if constexpr (N == 1) {
        return part[0];
    } else {
        V pair[(N + 1) / 2];
        TENFERRO_UNROLL
        for (std::size_t i = 0; i < N / 2; ++i) pair[i] = hn::MulAdd(part[2 * i + 1], x, part[2 * i]);
        if constexpr (N % 2 == 1) pair[N / 2] = part[N - 1];
        return joined(pair, hn::Mul(x, x));
    }
}

/// c[0] + c[1] x + c[2] x^2 + ...
template <std::size_t N, class T, class V>
HWY_INLINE V polynomial(const T (&c)[N], V x) {
    V part[N];
    TENFERRO_UNROLL
    for (std::size_t i = 0; i < N; ++i) part[i] = hn::Set(hn::ScalableTag<T>(), c[i]);
    return joined(part, x);
}

/// The same with the fewest operations.
template <std::size_t N, class T, class V>
HWY_INLINE V horner(const T (&c)[N], V x) {
    const hn::DFromV<V> d;
    V y = hn::Set(d, c[N - 1]);
    TENFERRO_UNROLL
    for (std::size_t i = N - 1; i > 0; --i) y = hn::MulAdd(y, x, hn::Set(d, c[i - 1]));
    return y;
}

/// 2^k for integers -1022 <= k <= 1023 given as k + kRounder.
HWY_INLINE Vec power_of_two(Vec rounder_plus_k) {
    const Words words;
    const auto biased = hn::Add(hn::BitCast(words, rounder_plus_k), hn::Set(words, kExponentBias));
    return hn::BitCast(Reals(), hn::ShiftLeft<52>(biased));
}

/// 2^k for integers -127 <= k <= 127 given as k + kFloatRounder; 0 for the first.
HWY_INLINE FloatVec power_of_two(FloatVec rounder_plus_k) {
    const FloatWords words;
    const auto shifted = hn::ShiftLeft<23>(hn::BitCast(words, rounder_plus_k));
    return hn::BitCast(Floats(), hn::Add(shifted, hn::BitCast(words, single(1))));
}

/// y, or x where that is NaN.
template <class V>
HWY_INLINE V keep_nan(V x, V y) {
    return hn::IfThenElse(hn::IsNaN(x), x, y);
}

/// The smaller one; NaN where that is x.
template <class V>
HWY_INLINE V at_most(hn::TFromV<V> limit, V x) {
    const V most = hn::Set(hn::DFromV<V>(), limit);
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
    return hn::Min(most, x);  // the second operand where either is NaN
#else
    return hn::IfThenElse(hn::Gt(x, most), most, x);
#endif
}

/// Doubles, or floats as doubles.
HWY_INLINE Vec load_reals(const double* from) { return hn::LoadU(Reals(), from); }
HWY_INLINE Vec load_reals(const float* from) {
    return hn::PromoteTo(Reals(), hn::LoadU(hn::Rebind<float, Reals>(), from));
}
HWY_INLINE void store_reals(Vec v, double* to) { hn::StoreU(v, Reals(), to); }
HWY_INLINE void store_reals(Vec v, float* to) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
    HWY_ALIGN double values[hn::MaxLanes(Reals())];  // the emulated DemoteTo saturates at the largest number
    hn::Store(v, Reals(), values);
    for (const double value : values) *to++ = static_cast<float>(value);
#else
    const hn::Rebind<float, Reals> d;
    hn::StoreU(hn::DemoteTo(d, v), d, to);
#endif
}

/// a b - product, exact where that is no subnormal number; product is a b rounded.
template <class V>
HWY_INLINE V product_rest(V a, V b, V product) {
#if HWY_NATIVE_FMA
    return hn::MulSub(a, b, product);
#else  // halves of the numbers (T. Dekker, "A floating-point technique for extending the available
       // precision")
    const auto high = [](V x) {
        using T = hn::TFromV<V>;
        const V scaled =
            hn::Mul(x, hn::Set(hn::DFromV<V>(), T((1 << (std::numeric_limits<T>::digits + 1) / 2) + 1)));
        return hn::Sub(scaled, hn::Sub(scaled, x));
    };
    const V a_high = high(a), b_high = high(b), a_low = hn::Sub(a, a_high), b_low = hn::Sub(b, b_high);
    const V first = hn::Sub(hn::Mul(a_high, b_high), product);
    const V middle = hn::Add(hn::Add(first, hn::Mul(a_high, b_low)), hn::Mul(a_low, b_high));
    return hn::Add(middle, hn::Mul(a_low, b_low));
#endif
}

/// a - b quotient, exact if that is a / b rounded.
template <class V>
HWY_INLINE V left_by(V a, V quotient, V b) {
#if HWY_NATIVE_FMA
    return hn::NegMulAdd(quotient, b, a);
#else
    const V product = hn::Mul(quotient, b);
    return hn::Sub(hn::Sub(a, product), product_rest(quotient, b, product));
#endif
}

/// a + b - sum, exactly; sum is a + b rounded (D. Knuth's TwoSum).
template <class V>
HWY_INLINE V two_sum_rest(V a, V b, V sum) {
    const V part = hn::Sub(sum, a);
    return hn::Add(hn::Sub(a, hn::Sub(sum, part)), hn::Sub(b, part));
}

/// Whether the larger part of a pair is moderate, and neither is NaN.
template <class V>
HWY_INLINE hn::Mask<hn::DFromV<V>> is_moderate(V x, V y) {
    using M = Moderate<hn::TFromV<V>>;
    const hn::DFromV<V> d;
    const V a = hn::Abs(x), b = hn::Abs(y), largest = hn::Set(d, M::kLargest);
    return hn::And(hn::Ge(hn::Max(a, b), hn::Set(d, M::kSmallest)),
                   hn::And(hn::Le(a, largest), hn::Le(b, largest)));
}

/// y, with scalar(T(x)...) in the lanes of `exceptions`.
template <class T, class F, class V, class... Vs>
inline HWY_NOINLINE V repaired(V y, hn::Mask<hn::DFromV<V>> exceptions, F scalar, Vs... x) {
    const hn::DFromV<V> d;
    using Lane = hn::TFromV<V>;
    constexpr std::size_t kLanes = hn::MaxLanes(hn::DFromV<V>());
    HWY_ALIGN Lane values[kLanes], chosen[kLanes], arguments[sizeof...(Vs)][kLanes];
    hn::Store(hn::IfThenElseZero(exceptions, hn::Set(d, Lane(1))), d, chosen);
    hn::Store(y, d, values);
    std::size_t k = 0;
    (hn::Store(x, d, arguments[k++]), ...);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i)
        if (chosen[i] != 0) values[i] = [&]<std::size_t... I>(std::index_sequence<I...>) {
                return static_cast<Lane>(scalar(static_cast<T>(arguments[I][i])...));
            }
    (std::index_sequence_for<Vs...>());
    return hn::Load(d, values);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
