// Inner products with vectors along K, compiled once per instruction set.
#include "cpu/kernels/contraction/inner_product_kernels.hpp"

#include <complex>
#include <cstdint>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/contraction/inner_product_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tenferro/cpu/contraction/kernels-inl.hpp"
// After the templates that it uses.
#include "cpu/kernels/contraction/ordinary-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr bool kNoVectors = HWY_TARGET == HWY_SCALAR;

/// The sum of the lanes.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::TFromD<D> sum_of_lanes(D d, V v) {
    return hn::GetLane(hn::SumOfLanes(d, v));
}

/// Vectors of elements as they lie in memory, complex numbers as pairs of reals.
template <class T>
struct InnerVectors {
    using Lane = typename Ordinary<T>::Lane;
    using D = hn::ScalableTag<Lane>;
    using V = hn::Vec<D>;
    static constexpr int kParts = 1;
    static HWY_INLINE void turn(V*) {}
    static HWY_INLINE T sum(const V* parts) { return static_cast<T>(sum_of_lanes(D(), parts[0])); }
};

/// A number times another is the difference of the two products of like parts, and the sum of those of unlike
/// ones.
template <class Real>
struct InnerVectors<std::complex<Real>> {
    using Lane = Real;
    using D = hn::ScalableTag<Lane>;
    using V = hn::Vec<D>;
    static constexpr int kParts = 2;
    static HWY_INLINE void turn(V* parts) { parts[1] = hn::Reverse2(D(), parts[0]); }
    static HWY_INLINE std::complex<Real> sum(const V* parts) {
        return {sum_of_lanes(D(), hn::OddEven(hn::Neg(parts[0]), parts[0])), sum_of_lanes(D(), parts[1])};
    }
};

/// kRows x kColumns sums, those of the rows from `first` on, each in kSplit accumulators that hide the
/// latency of the additions.
template <class T, int kRows, int kColumns, int kSplit>
void sums(InnerTile<T>& tile, Index first = 0) {
    using Vectors = InnerVectors<T>;
    using Lane = typename Vectors::Lane;
    const typename Vectors::D d;
    using Vec = typename Vectors::V;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    constexpr int kParts = Vectors::kParts, kSums = kRows * kColumns * kParts;
    Vec sum[kSplit * kSums];
    TENFERRO_UNROLL
    for (int i = 0; i < kSplit * kSums; ++i) sum[i] = hn::Zero(d);
    const Lane* row[kRows];
    const Lane* column[kColumns];
    for (int i = 0; i < kRows; ++i) row[i] = reinterpret_cast<const Lane*>(tile.rows[first + i]);
    for (int j = 0; j < kColumns; ++j) column[j] = reinterpret_cast<const Lane*>(tile.columns[j]);

    const auto add_products = [&](Index at, int split, auto&& load) HWY_ATTR {
        Vec b[kColumns * kParts];
        TENFERRO_UNROLL
        for (int j = 0; j < kColumns; ++j) {
            b[j * kParts] = load(column[j] + at);
            Vectors::turn(b + j * kParts);
        }
        TENFERRO_UNROLL
        for (int i = 0; i < kRows; ++i) {
            const Vec a = load(row[i] + at);
            TENFERRO_UNROLL
            for (int j = 0; j < kColumns * kParts; ++j) {
                Vec& total = sum[split * kSums + i * kColumns * kParts + j];
                total = Ordinary<Lane>::mac(d, total, a, b[j]);
            }
        }
    };
    const auto load_all = [d](const Lane* from) HWY_ATTR { return hn::LoadU(d, from); };
    const Index length = tile.length * kParts;
    Index k = 0;
    for (; k + kSplit * kLanes <= length; k += kSplit * kLanes) {
        TENFERRO_UNROLL
        for (int s = 0; s < kSplit; ++s) add_products(k + s * kLanes, s, load_all);
    }
    for (; k + kLanes <= length; k += kLanes) add_products(k, 0, load_all);
    if (kMasks && k < length) {
        const auto mask = hn::FirstN(d, static_cast<size_t>(length - k));
        add_products(k, 0, [&](const Lane* from) HWY_ATTR { return hn::MaskedLoad(mask, d, from); });
        k = length;
    }
    TENFERRO_UNROLL
    for (int i = 0; i < kRows; ++i) {
        TENFERRO_UNROLL
        for (int j = 0; j < kColumns; ++j) {
            Vec total[kParts];
            TENFERRO_UNROLL
            for (int p = 0; p < kParts; ++p) {
                const int t = (i * kColumns + j) * kParts + p;
                total[p] = sum[t];
                TENFERRO_UNROLL
                for (int s = 1; s < kSplit; ++s) total[p] = hn::Add(total[p], sum[s * kSums + t]);
            }
            T value = Vectors::sum(total);
            for (Index rest = k / kParts; rest < tile.length; ++rest)
                value = Ordinary<T>::mac(value, tile.rows[first + i][rest], tile.columns[j][rest]);
            if (first + i < tile.row_count && j < tile.column_count)
                tile.sums[first + i][j] = Ordinary<T>::plus(tile.sums[first + i][j], value);
        }
    }
}

/// The same where there are no vectors.
template <class T>
void scalar_sums(InnerTile<T>& tile) {
    for (Index i = 0; i < tile.row_count; ++i)
        for (Index j = 0; j < tile.column_count; ++j)
            for (Index k = 0; k < tile.length; ++k)
                tile.sums[i][j] = Ordinary<T>::mac(tile.sums[i][j], tile.rows[i][k], tile.columns[j][k]);
}

template <class T>
void real_inner(InnerTile<T>& tile) {
    if constexpr (kNoVectors) return scalar_sums<T>(tile);
    if (tile.row_count == 1) return tile.column_count > 1 ? sums<T, 1, 4, 2>(tile) : sums<T, 1, 1, 8>(tile);
    switch (tile.column_count) {
        case 1: return sums<T, 4, 1, 2>(tile);
        case 2: return sums<T, 4, 2, 1>(tile);
        case 3: return sums<T, 4, 3, 1>(tile);
        default: return sums<T, 4, 4, 1>(tile);
    }
}

template <class Real>
void complex_inner(InnerTile<std::complex<Real>>& tile) {
    using T = std::complex<Real>;
    if constexpr (kNoVectors) return scalar_sums<T>(tile);
    if (tile.row_count == 1) return tile.column_count > 1 ? sums<T, 1, 4, 1>(tile) : sums<T, 1, 1, 4>(tile);
    switch (tile.column_count) {
        case 1: return sums<T, 4, 1, 1>(tile);
        case 2: return sums<T, 4, 2, 1>(tile);
        default: break;
    }
    sums<T, 2, 4, 1>(tile);
    if (tile.row_count > 2) sums<T, 2, 4, 1>(tile, 2);
}

InnerKernel<float> inner_f32() { return real_inner<float>; }
InnerKernel<double> inner_f64() { return real_inner<double>; }
InnerKernel<std::int32_t> inner_i32() { return real_inner<std::int32_t>; }
InnerKernel<std::int64_t> inner_i64() { return real_inner<std::int64_t>; }
InnerKernel<std::complex<float>> inner_c32() { return complex_inner<float>; }
InnerKernel<std::complex<double>> inner_c64() { return complex_inner<double>; }

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(inner_f32);
HWY_EXPORT(inner_f64);
HWY_EXPORT(inner_i32);
HWY_EXPORT(inner_i64);
HWY_EXPORT(inner_c32);
HWY_EXPORT(inner_c64);

template <>
InnerKernel<float> inner_kernel() {
    return HWY_DYNAMIC_DISPATCH(inner_f32)();
}
template <>
InnerKernel<double> inner_kernel() {
    return HWY_DYNAMIC_DISPATCH(inner_f64)();
}
template <>
InnerKernel<std::int32_t> inner_kernel() {
    return HWY_DYNAMIC_DISPATCH(inner_i32)();
}
template <>
InnerKernel<std::int64_t> inner_kernel() {
    return HWY_DYNAMIC_DISPATCH(inner_i64)();
}
template <>
InnerKernel<std::complex<float>> inner_kernel() {
    return HWY_DYNAMIC_DISPATCH(inner_c32)();
}
template <>
InnerKernel<std::complex<double>> inner_kernel() {
    return HWY_DYNAMIC_DISPATCH(inner_c64)();
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
