// Common parts of the vector math: vectors of doubles and of floats, numbers in all lanes, polynomials,
// powers of two.
#if defined(TENFERRO_VECTOR_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_INL
#undef TENFERRO_VECTOR_MATH_INL
#else
#define TENFERRO_VECTOR_MATH_INL
#endif

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
inline constexpr std::uint64_t kExponentBias = 1023;
inline constexpr double kSmallestNormal = std::numeric_limits<double>::min();

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
template <std::size_t N, class V>
HWY_INLINE V horner(const float (&c)[N], V x) {
    V y = hn::Set(Floats(), c[N - 1]);
    TENFERRO_UNROLL
    for (std::size_t i = N - 1; i > 0; --i) y = hn::MulAdd(y, x, hn::Set(Floats(), c[i - 1]));
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

/// y, with scalar(x) in the lanes of `exceptions`.
template <class T, class F>
inline HWY_NOINLINE Vec repaired(Vec x, Vec y, Mask exceptions, F scalar) {
    const Reals d;
    HWY_ALIGN double arguments[hn::MaxLanes(Reals())], values[hn::MaxLanes(Reals())];
    hn::Store(hn::IfThenElseZero(exceptions, x), d, arguments);
    hn::Store(y, d, values);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i)
        if (arguments[i] != 0) values[i] = static_cast<double>(scalar(static_cast<T>(arguments[i])));
    return hn::Load(d, values);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
