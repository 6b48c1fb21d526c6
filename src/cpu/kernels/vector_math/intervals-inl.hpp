// Polynomials of intervals, whose coefficients are looked up in registers: floats in 8 intervals where those
// have 256 bits, in 32 where they have 512, doubles in 16 there.
#if defined(TENFERRO_VECTOR_MATH_INTERVALS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_INTERVALS_INL
#undef TENFERRO_VECTOR_MATH_INTERVALS_INL
#else
#define TENFERRO_VECTOR_MATH_INTERVALS_INL
#endif

#include "cpu/kernels/vector_math/eight_interval_tables.hpp"
#include "cpu/kernels/vector_math/interval_tables.hpp"
#include "cpu/kernels/vector_math/vectors-inl.hpp"

#undef TENFERRO_REGISTER_TABLES
#undef TENFERRO_FLOAT_INTERVALS
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
#define TENFERRO_FLOAT_INTERVALS 1
#if HWY_TARGET <= HWY_AVX3
#define TENFERRO_REGISTER_TABLES 1
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

#ifdef TENFERRO_REGISTER_TABLES
inline constexpr int kFloatIntervals = 32, kIntervalBit = 20;  // of an index: eighths of octaves

/// table[index modulo its length].
HWY_INLINE Vec looked_up(const double (&table)[16], hn::Vec<Words> index) {
    return Vec{_mm512_permutex2var_pd(_mm512_loadu_pd(table), index.raw, _mm512_loadu_pd(table + 8))};
}
HWY_INLINE hn::Vec<Words> looked_up(const std::uint64_t (&table)[16], hn::Vec<Words> index) {
    return hn::Vec<Words>{
        _mm512_permutex2var_epi64(_mm512_loadu_si512(table), index.raw, _mm512_loadu_si512(table + 8))};
}
HWY_INLINE Vec looked_up(const double (&table)[32], hn::Vec<Words> index) {
    const __mmask8 upper = _mm512_test_epi64_mask(index.raw, _mm512_set1_epi64(16));
    const __m512d low = _mm512_permutex2var_pd(_mm512_loadu_pd(table), index.raw, _mm512_loadu_pd(table + 8));
    const __m512d high =
        _mm512_permutex2var_pd(_mm512_loadu_pd(table + 16), index.raw, _mm512_loadu_pd(table + 24));
    return Vec{_mm512_mask_blend_pd(upper, low, high)};
}
HWY_INLINE FloatVec looked_up(const float (&table)[16], hn::Vec<FloatWords> index) {
    return FloatVec{_mm512_permutexvar_ps(index.raw, _mm512_loadu_ps(table))};
}
HWY_INLINE FloatVec looked_up(const float (&table)[32], hn::Vec<FloatWords> index) {
    return FloatVec{_mm512_permutex2var_ps(_mm512_loadu_ps(table), index.raw, _mm512_loadu_ps(table + 16))};
}
#else
inline constexpr int kFloatIntervals = 8, kIntervalBit = 22;  // of an index: half octaves

/// table[index modulo 8].
HWY_INLINE FloatVec looked_up(const float (&table)[8], hn::Vec<FloatWords> index) {
    return FloatVec{_mm256_permutevar8x32_ps(_mm256_load_ps(table), index.raw)};
}
#endif

/// c[1][index] + c[2][index] x + ..., without the first coefficient.
template <std::size_t N, std::size_t S, class T, class V, class Index>
HWY_INLINE V slope(const T (&c)[N][S], V x, Index index) {
    V y = looked_up(c[N - 1], index);
    TENFERRO_UNROLL
    for (std::size_t i = N - 1; i > 1; --i) y = hn::MulAdd(y, x, looked_up(c[i - 1], index));
    return y;
}

/// c[0][index] + c[1][index] x + ...
template <std::size_t N, std::size_t S, class T, class V, class Index>
HWY_INLINE V of_interval(const T (&c)[N][S], V x, Index index) {
    return hn::MulAdd(slope(c, x, index), x, looked_up(c[0], index));
}

/// The interval of a, and the distance from its middle.
template <class Table>
struct Interval {
    hn::Vec<FloatWords> index;
    FloatVec t;

    explicit HWY_INLINE Interval(FloatVec a) : Interval(a, hn::Add(a, single(Table::kOffset))) {}
    HWY_INLINE Interval(FloatVec a, FloatVec a_and_offset)
        : index(hn::ShiftRight<kIntervalBit>(hn::BitCast(FloatWords(), a_and_offset))),
          t(hn::Sub(a, looked_up(Table::kMiddle, index))) {}
};

#ifdef TENFERRO_REGISTER_TABLES
/// The same in quarters of octaves of a itself, below 1/8 in one interval.
template <class Table>
struct Quarter {
    hn::Vec<FloatWords> index;
    FloatVec t;

    explicit HWY_INLINE Quarter(FloatVec a) {
        const FloatWords words;
        index = hn::ShiftRight<21>(hn::Max(hn::BitCast(words, a), hn::Set(words, 0x3dffffffu)));
        t = hn::Sub(a, looked_up(Table::kMiddle, index));
    }
};
#endif

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // 256 bits
#endif  // per-target include guard
