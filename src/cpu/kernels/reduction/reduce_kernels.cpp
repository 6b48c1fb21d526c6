// Reductions of lines and of rows in vectors, compiled once per instruction set. Where a NaN wins, it is
// noted apart: maxima of vectors may lose it.
#include "cpu/kernels/reduction/reduce_kernels.hpp"

#include <algorithm>

#include "cpu/kernels/movement/streaming.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"
#include "tenferro/tensor/reduction.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/reduction/reduce_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tenferro/cpu/contraction/lane_parts-inl.hpp"
#include "tenferro/cpu/contraction/unroll.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kAccumulators = 8;  // hide the latency of the operation
constexpr Index kTerms = 32;      // that one lane adds in turn
constexpr Index kRowsPerPass = 8;
constexpr Index kNarrow = 2;  // vectors: sums of shorter rows stay in registers
// Vectors of whole cache lines are read faster than processors foresee.
constexpr Index kFar = 1 << 15;   // bytes from the first line to the last, from which on memory is asked for
constexpr Index kLinesAhead = 4;  // cache lines before they are read

template <class V>
HWY_INLINE V combine(reduction::ReduceSum, V a, V b) {
    return hn::Add(a, b);
}
template <class V>
HWY_INLINE V combine(reduction::ReduceProd, V a, V b) {
    return hn::Mul(a, b);
}
template <class V>
HWY_INLINE V combine(reduction::ReduceMax, V a, V b) {
    return hn::Max(a, b);
}
template <class V>
HWY_INLINE V combine(reduction::ReduceMin, V a, V b) {
    return hn::Min(a, b);
}
template <class V>
HWY_INLINE V combine(reduction::ReduceAny, V a, V b) {
    return hn::Or(a, b);
}
template <class V>
HWY_INLINE V combine(reduction::ReduceAll, V a, V b) {
    return hn::And(a, b);
}

/// The lanes in which either is a NaN: one comparison for two vectors.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> either_is_nan(D, V a, V b) {
    [[maybe_unused]] constexpr bool kDoubles = sizeof(hn::TFromD<D>) == sizeof(double);
#if HWY_TARGET == HWY_AVX3
    if constexpr (kDoubles)
        return {_mm512_cmp_pd_mask(a.raw, b.raw, _CMP_UNORD_Q)};
    else
        return {_mm512_cmp_ps_mask(a.raw, b.raw, _CMP_UNORD_Q)};
#elif HWY_TARGET == HWY_AVX2
    if constexpr (kDoubles)
        return {_mm256_cmp_pd(a.raw, b.raw, _CMP_UNORD_Q)};
    else
        return {_mm256_cmp_ps(a.raw, b.raw, _CMP_UNORD_Q)};
#else
    return hn::Or(hn::IsNaN(a), hn::IsNaN(b));
#endif
}

/// Notes the lanes in which a NaN was seen, where the operation needs that.
template <class M, class T>
struct NanWatch {
    template <class V>
    HWY_INLINE void see(V) {}
    template <class V>
    HWY_INLINE void see(V, V) {}
    template <class V>
    HWY_INLINE V put_back(V v) const {
        return v;
    }
    HWY_INLINE bool has_seen() const { return false; }
};
template <class M, class T>
concept NanWins = std::floating_point<T> &&
    (std::same_as<M, reduction::ReduceMax> || std::same_as<M, reduction::ReduceMin>);

template <class M, class T>
requires NanWins<M, T>
struct NanWatch<M, T> {
    hn::ScalableTag<T> d;
    hn::Mask<hn::ScalableTag<T>> seen;

    HWY_INLINE NanWatch() : seen(hn::Ne(hn::Zero(d), hn::Zero(d))) {}

    template <class V>
    HWY_INLINE void see(V v) {
        seen = hn::Or(seen, hn::IsNaN(v));
    }
    template <class V>
    HWY_INLINE void see(V v, V w) {
        seen = hn::Or(seen, either_is_nan(d, v, w));
    }
    template <class V>
    HWY_INLINE V put_back(V v) const {
        return hn::IfThenElse(seen, hn::Set(d, std::numeric_limits<T>::quiet_NaN()), v);
    }
    HWY_INLINE bool has_seen() const { return !hn::AllFalse(d, seen); }
};

/// Half a vector with the other, until kParts lanes are left.
template <class M, int kParts, class D, class V = hn::Vec<D>>
HWY_INLINE void store_total(D d, V v, hn::TFromD<D>* total) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (hn::MaxLanes(d) > kParts) {
        const hn::Half<D> half;
        return store_total<M, kParts>(half, combine(M{}, hn::LowerHalf(half, v), hn::UpperHalf(half, v)),
                                      total);
    }
#endif
    hn::StoreU(v, d, total);
}

/// The last `count` elements of a line, of less than a vector, and what its vectors have in common.
template <class M, int kParts, class D, class Watch, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE void finish_line(D d, V sum, Watch nan, const T* from, Index count, T* results) {
    if (count > 0) {
        const auto rest = hn::FirstN(d, static_cast<std::size_t>(count));
        const V x = load_part(d, from, count);
        sum = combine(M{}, sum, hn::IfThenElse(rest, x, hn::Set(d, M::template identity<T>())));
        nan.see(x);
    }
    if (nan.has_seen())
        *results = std::numeric_limits<T>::quiet_NaN();
    else
        store_total<M, kParts>(d, sum, results);
}

/// Reduces kLines lines at once. Elements are kParts neighbouring lanes each, of which every line has
/// `count`.
template <class M, class T, int kParts, int kLines>
HWY_INLINE void reduce_lines(T* results, const T* const* from, Index count) {
    const hn::ScalableTag<T> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    constexpr int kOfEach = kAccumulators / kLines;
    constexpr bool kWholeLines = kLanes * static_cast<Index>(sizeof(T)) == kCacheLine;
    const auto identity = hn::Set(d, M::template identity<T>());
    hn::Vec<decltype(d)> sum[kAccumulators], blocks[kAccumulators];  // number k of a line: k * kLines + line
    TENFERRO_UNROLL
    for (int a = 0; a < kAccumulators; ++a) sum[a] = blocks[a] = identity;
    NanWatch<M, T> nan[kLines];
    const bool is_far =
        kWholeLines && kLines > 1 && (from[kLines - 1] - from[0]) * static_cast<Index>(sizeof(T)) > kFar;

    Index i = 0;
    while (i + kOfEach * kLanes <= count) {
        const Index end = std::min(i + kTerms * kOfEach * kLanes, count) - kOfEach * kLanes;
        for (; i <= end; i += kOfEach * kLanes) {
            hn::Vec<decltype(d)> x[kAccumulators];
            TENFERRO_UNROLL
            for (int a = 0; a < kAccumulators; ++a) {
                const Index at = i + a / kLines * kLanes;
                if (is_far) __builtin_prefetch(from[a % kLines] + at + kLinesAhead * kLanes);
                x[a] = hn::LoadU(d, from[a % kLines] + at);
                sum[a] = combine(M{}, sum[a], x[a]);
            }
            TENFERRO_UNROLL
            for (int a = 0; a < kAccumulators / 2; ++a) nan[a % kLines].see(x[a], x[a + kAccumulators / 2]);
        }
        TENFERRO_UNROLL
        for (int a = 0; a < kAccumulators; ++a) {
            blocks[a] = combine(M{}, blocks[a], sum[a]);
            sum[a] = identity;
        }
    }
    TENFERRO_UNROLL
    for (int k = 0; k < kOfEach - 1; ++k) {
        if (i + kLanes > count) break;
        TENFERRO_UNROLL
        for (int line = 0; line < kLines; ++line) {
            const auto x = hn::LoadU(d, from[line] + i);
            sum[k * kLines + line] = combine(M{}, sum[k * kLines + line], x);
            nan[line].see(x);
        }
        i += kLanes;
    }
    TENFERRO_UNROLL
    for (int a = 0; a < kAccumulators; ++a) sum[a] = combine(M{}, sum[a], blocks[a]);
    TENFERRO_UNROLL
    for (int width = kAccumulators / 2; width >= kLines; width /= 2) {
        TENFERRO_UNROLL
        for (int a = 0; a < width; ++a) sum[a] = combine(M{}, sum[a], sum[a + width]);
    }
    TENFERRO_UNROLL
    for (int line = 0; line < kLines; ++line)
        finish_line<M, kParts>(d, sum[line], nan[line], from[line] + i, count - i, results + line * kParts);
}

/// The same for lines of less than two vectors.
template <class M, class T, int kParts>
HWY_INLINE void reduce_short_line(T* results, const T* from, Index count) {
    const hn::ScalableTag<T> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    NanWatch<M, T> nan;
    auto sum = hn::Set(d, M::template identity<T>());
    if (count < kLanes) return finish_line<M, kParts>(d, sum, nan, from, count, results);
    const auto x = hn::LoadU(d, from);
    sum = combine(M{}, sum, x);  // of negative zeros, too, the sum is zero
    nan.see(x);
    finish_line<M, kParts>(d, sum, nan, from + kLanes, count - kLanes, results);
}

/// kRows rows at once: the results are read and written once for all of them.
template <class M, class T, int kRows>
HWY_INLINE void reduce_rows(T* results, Index width, const T* from, Index stride) {
    const hn::ScalableTag<T> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    Index i = 0;
    for (; i + kLanes <= width; i += kLanes) {
        auto sum = hn::LoadU(d, results + i);
        NanWatch<M, T> nan;
        nan.see(sum);
        hn::Vec<decltype(d)> x[kRows];
        TENFERRO_UNROLL
        for (int r = 0; r < kRows; ++r) {
            x[r] = hn::LoadU(d, from + r * stride + i);
            sum = combine(M{}, sum, x[r]);
        }
        TENFERRO_UNROLL
        for (int r = 0; r < kRows; r += 2) nan.see(x[r], x[std::min(r + 1, kRows - 1)]);
        hn::StoreU(nan.put_back(sum), d, results + i);
    }
    if (i == width) return;
    auto sum = load_part(d, results + i, width - i);
    NanWatch<M, T> nan;
    nan.see(sum);
    TENFERRO_UNROLL
    for (int r = 0; r < kRows; ++r) {
        const auto x = load_part(d, from + r * stride + i, width - i);
        sum = combine(M{}, sum, x);
        nan.see(x);
    }
    store_part(d, nan.put_back(sum), results + i, width - i);
}

template <class M, class T, int kParts>
void line_kernel(void* result, const void* from, Index count) {
    const T* const line = static_cast<const T*>(from);
    reduce_lines<M, T, kParts, 1>(static_cast<T*>(result), &line, count * kParts);
}

template <class M, class T, int kParts>
void lines_kernel(void* results, const std::array<const void*, kLinesAtOnce>& from, Index count) {
    const T* lines[kLinesAtOnce];
    for (int line = 0; line < kLinesAtOnce; ++line) lines[line] = static_cast<const T*>(from[line]);
    T* const to = static_cast<T*>(results);
    if (count * kParts >= 2 * static_cast<Index>(hn::MaxLanes(hn::ScalableTag<T>())))
        return reduce_lines<M, T, kParts, kLinesAtOnce>(to, lines, count * kParts);
    for (int line = 0; line < kLinesAtOnce; ++line)
        reduce_short_line<M, T, kParts>(to + line * kParts, lines[line], count * kParts);
}

/// Rows of at most a vector.
template <class M, class T>
HWY_INLINE void reduce_narrow_rows(T* results, Index width, const T* from, Index count, Index stride) {
    const hn::ScalableTag<T> d;
    constexpr Index kTogether = 4;
    const auto identity = hn::Set(d, M::template identity<T>());
    hn::Vec<decltype(d)> sum[kTogether] = {load_part(d, results, width), identity, identity, identity};
    NanWatch<M, T> nan;
    nan.see(sum[0]);
    Index r = 0;
    for (; r + kTogether <= count; r += kTogether) {
        hn::Vec<decltype(d)> x[kTogether];
        TENFERRO_UNROLL
        for (Index k = 0; k < kTogether; ++k) {
            x[k] = load_part(d, from + (r + k) * stride, width);
            sum[k] = combine(M{}, sum[k], x[k]);
        }
        nan.see(x[0], x[1]);
        nan.see(x[2], x[3]);
    }
    for (; r < count; ++r) {
        const auto x = load_part(d, from + r * stride, width);
        sum[0] = combine(M{}, sum[0], x);
        nan.see(x);
    }
    sum[0] = combine(M{}, combine(M{}, sum[0], sum[1]), combine(M{}, sum[2], sum[3]));
    store_part(d, nan.put_back(sum[0]), results, width);
}

/// Rows one after the other, of which a vector holds several.
template <class M, class T>
HWY_INLINE void reduce_rows_of_vectors(T* results, Index width, const T* from, Index count) {
    constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<T>()));
    const Index together = kLanes / width, wide = together * width, vectors = count / together;
    if (vectors > 1) {
        HWY_ALIGN T sums[kLanes];
        hn::Store(hn::Set(hn::ScalableTag<T>(), M::template identity<T>()), hn::ScalableTag<T>(), sums);
        reduce_narrow_rows<M>(sums, wide, from, vectors, wide);
        for (Index row = 0; row < together; ++row)
            for (Index i = 0; i < width; ++i) results[i] = M{}(results[i], sums[row * width + i]);
        from += vectors * wide;
        count -= vectors * together;
    }
    reduce_narrow_rows<M>(results, width, from, count, width);
}

template <class M, class T, int kParts>
void rows_kernel(void* results, Index width, const void* from, Index count, Index stride) {
    T* const to = static_cast<T*>(results);
    const T* row = static_cast<const T*>(from);
    width *= kParts;
    stride *= kParts;
    constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<T>()));
    if (2 * width <= kLanes && stride == width) return reduce_rows_of_vectors<M>(to, width, row, count);
    if (width < kNarrow * kLanes) {
        for (Index i = 0; i < width; i += kLanes)
            reduce_narrow_rows<M>(to + i, std::min(kLanes, width - i), row + i, count, stride);
        return;
    }
    for (; count >= kRowsPerPass; count -= kRowsPerPass, row += kRowsPerPass * stride)
        reduce_rows<M, T, kRowsPerPass>(to, width, row, stride);
    for (; count >= 2; count -= 2, row += 2 * stride) reduce_rows<M, T, 2>(to, width, row, stride);
    if (count == 1) reduce_rows<M, T, 1>(to, width, row, stride);
}

template <class M, class T, int kCount>
HWY_INLINE void reduce_interleaved(T* results, Index width, const T* from) {
    const hn::ScalableTag<T> d;
    constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(d));
    Index i = 0;
    for (; i + kLanes <= width; i += kLanes) {
        hn::Vec<decltype(d)> x[kMostInterleaved];
        if constexpr (kCount == 2)
            hn::LoadInterleaved2(d, from + i * kCount, x[0], x[1]);
        else if constexpr (kCount == 3)
            hn::LoadInterleaved3(d, from + i * kCount, x[0], x[1], x[2]);
        else
            hn::LoadInterleaved4(d, from + i * kCount, x[0], x[1], x[2], x[3]);
        auto sum = hn::LoadU(d, results + i);
        NanWatch<M, T> nan;
        nan.see(sum);
        TENFERRO_UNROLL
        for (int k = 0; k < kCount; ++k) {
            sum = combine(M{}, sum, x[k]);
            nan.see(x[k]);
        }
        hn::StoreU(nan.put_back(sum), d, results + i);
    }
    for (; i < width; ++i)
        for (int k = 0; k < kCount; ++k) results[i] = M{}(results[i], from[i * kCount + k]);
}

template <class M, class T>
void interleaved_kernel(void* results, Index width, const void* from, Index count) {
    T* const to = static_cast<T*>(results);
    const T* const of = static_cast<const T*>(from);
    if (count == 2) return reduce_interleaved<M, T, 2>(to, width, of);
    if (count == 3) return reduce_interleaved<M, T, 3>(to, width, of);
    reduce_interleaved<M, T, 4>(to, width, of);
}

template <class M, class T, int kParts = 1>
FoldKernels kernels_of() {
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<T>()));
    FoldKernels kernels{line_kernel<M, T, kParts>, lines_kernel<M, T, kParts>, rows_kernel<M, T, kParts>,
                        nullptr, kTerms * kAccumulators * kLanes / kParts};
    if constexpr (kParts == 1) kernels.interleaved = interleaved_kernel<M, T>;
    return kernels;
}

FoldKernels find_kernels(OpId op, DType dtype) {
    FoldKernels found;
    constexpr bool kOneLane = hn::MaxLanes(hn::ScalableTag<double>()) == 1;  // holds no complex number
    reduction::visit(op, dtype, [&]<class T>(auto functor) {
        using M = decltype(functor);
        constexpr bool kProduct = std::is_same_v<M, reduction::ReduceProd>;
        if constexpr (std::is_same_v<T, bool>)
            found = kernels_of<M, std::uint8_t>();
        else if constexpr (kOrdered.contains(storage_dtype<T>) &&
                           !(kProduct && std::is_same_v<T, std::int64_t>))
            found = kernels_of<M, T>();
        else if constexpr (std::is_same_v<M, reduction::ReduceSum> && !kOneLane)
            found = kernels_of<M, typename T::value_type, 2>();
    });
    return found;
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(find_kernels);
FoldKernels fold_kernels(OpId op, DType dtype) { return HWY_DYNAMIC_DISPATCH(find_kernels)(op, dtype); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
