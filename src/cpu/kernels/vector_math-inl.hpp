// Common parts of the vector math. All of it computes on vectors of doubles: results for float are rounded once at the end, so
// they are right to 0.52 ulp with short polynomials, and their overflow, subnormals and infinities need no care. The parameter
// T says to which type the result will be rounded.
#if defined(TENFERRO_VECTOR_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_INL
#undef TENFERRO_VECTOR_MATH_INL
#else
#define TENFERRO_VECTOR_MATH_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Reals = hn::ScalableTag<double>;
using Words = hn::RebindToUnsigned<Reals>;
using Vec = hn::Vec<Reals>;
using Mask = hn::Mask<Reals>;

/// A double at least this large in magnitude is an integer, and its lowest bits are those of the integer in two's complement:
/// x + kRounder holds round(x) in its lowest bits, (x + kRounder) - kRounder is round(x).
inline constexpr double kRounder = 0x1.8p52;
inline constexpr std::uint64_t kExponentBias = 1023;
inline constexpr double kSmallestNormal = std::numeric_limits<double>::min();

HWY_INLINE Vec constant(double value) { return hn::Set(Reals(), value); }

/// part[0] + part[1] x + part[2] x^2 + ..., by halves (Estrin's scheme): the loops are bound by latency, not by operations.
template <std::size_t N>
HWY_INLINE Vec joined(const Vec (&part)[N], Vec x) {
    if constexpr (N == 1) {
        return part[0];
    } else {
        Vec pair[(N + 1) / 2];
        TENFERRO_UNROLL
        for (std::size_t i = 0; i < N / 2; ++i) pair[i] = hn::MulAdd(part[2 * i + 1], x, part[2 * i]);
        if constexpr (N % 2 == 1) pair[N / 2] = part[N - 1];
        return joined(pair, hn::Mul(x, x));
    }
}

/// c[0] + c[1] x + c[2] x^2 + ...
template <std::size_t N>
HWY_INLINE Vec polynomial(const double (&c)[N], Vec x) {
    Vec part[N];
    TENFERRO_UNROLL
    for (std::size_t i = 0; i < N; ++i) part[i] = constant(c[i]);
    return joined(part, x);
}

/// 2^k for integers -1022 <= k <= 1023 given as k + kRounder.
HWY_INLINE Vec power_of_two(Vec rounder_plus_k) {
    const Words words;
    const auto biased = hn::Add(hn::BitCast(words, rounder_plus_k), hn::Set(words, kExponentBias));
    return hn::BitCast(Reals(), hn::ShiftLeft<52>(biased));
}

/// y, or x where that is NaN.
HWY_INLINE Vec keep_nan(Vec x, Vec y) { return hn::IfThenElse(hn::IsNaN(x), x, y); }

/// y, with scalar(x) in the lanes of `exceptions`.
template <class T, class F>
HWY_NOINLINE Vec repaired(Vec x, Vec y, Mask exceptions, F scalar) {
    const Reals d;
    HWY_ALIGN double arguments[hn::MaxLanes(Reals())], values[hn::MaxLanes(Reals())];
    hn::Store(hn::IfThenElseZero(exceptions, x), d, arguments);
    hn::Store(y, d, values);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i)
        if (arguments[i] != 0) values[i] = static_cast<double>(scalar(static_cast<T>(arguments[i])));
    return hn::Load(d, values);
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
