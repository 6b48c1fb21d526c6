// Inner products with vectors along K, compiled once per instruction set.
#include "cpu/kernels/contraction/inner_product_kernels.hpp"

#include <complex>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/contraction/inner_product_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tenferro/cpu/contraction/kernels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// kRows x kColumns sums, each in kSplit accumulators that hide the latency of the additions.
template <class T, int kRows, int kColumns, int kSplit>
void real_sums(InnerTile<T>& tile) {
    const hn::ScalableTag<T> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    using Vec = hn::Vec<decltype(d)>;
    Vec sum[kSplit * kRows * kColumns];
    TENFERRO_UNROLL
    for (int i = 0; i < kSplit * kRows * kColumns; ++i) sum[i] = hn::Zero(d);
    const T* row[kRows];
    const T* column[kColumns];
    for (int i = 0; i < kRows; ++i) row[i] = tile.rows[i];
    for (int j = 0; j < kColumns; ++j) column[j] = tile.columns[j];

    Index k = 0;
    for (; k + kSplit * kLanes <= tile.length; k += kSplit * kLanes) {
        TENFERRO_UNROLL
        for (int s = 0; s < kSplit; ++s) {
            Vec b[kColumns];
            TENFERRO_UNROLL
            for (int j = 0; j < kColumns; ++j) b[j] = hn::LoadU(d, column[j] + k + s * kLanes);
            TENFERRO_UNROLL
            for (int i = 0; i < kRows; ++i) {
                const Vec a = hn::LoadU(d, row[i] + k + s * kLanes);
                TENFERRO_UNROLL
                for (int j = 0; j < kColumns; ++j) {
                    Vec& total = sum[(s * kRows + i) * kColumns + j];
                    total = hn::MulAdd(a, b[j], total);
                }
            }
        }
    }
    const auto add_vectors = [&](auto&& load) HWY_ATTR {
        Vec b[kColumns];
        TENFERRO_UNROLL
        for (int j = 0; j < kColumns; ++j) b[j] = load(column[j] + k);
        TENFERRO_UNROLL
        for (int i = 0; i < kRows; ++i) {
            const Vec a = load(row[i] + k);
            TENFERRO_UNROLL
            for (int j = 0; j < kColumns; ++j)
                sum[i * kColumns + j] = hn::MulAdd(a, b[j], sum[i * kColumns + j]);
        }
    };
    for (; k + kLanes <= tile.length; k += kLanes)
        add_vectors([&](const T* from) HWY_ATTR { return hn::LoadU(d, from); });
    if (kMasks && k < tile.length) {
        const auto mask = hn::FirstN(d, static_cast<size_t>(tile.length - k));
        add_vectors([&](const T* from) HWY_ATTR { return hn::MaskedLoad(mask, d, from); });
        k = tile.length;
    }
    TENFERRO_UNROLL
    for (int i = 0; i < kRows; ++i) {
        TENFERRO_UNROLL
        for (int j = 0; j < kColumns; ++j) {
            Vec total = sum[i * kColumns + j];
            TENFERRO_UNROLL
            for (int s = 1; s < kSplit; ++s) total = hn::Add(total, sum[(s * kRows + i) * kColumns + j]);
            T value = hn::GetLane(hn::SumOfLanes(d, total));
            for (Index rest = k; rest < tile.length; ++rest) value += row[i][rest] * column[j][rest];
            if (i < tile.row_count && j < tile.column_count) tile.sums[i][j] += value;
        }
    }
}

template <class Real, int kRows, int kColumns, int kSplit>
void complex_sums(InnerTile<std::complex<Real>>& tile) {
    const hn::ScalableTag<Real> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    using Vec = hn::Vec<decltype(d)>;
    Vec re[kSplit * kRows * kColumns], im[kSplit * kRows * kColumns];
    TENFERRO_UNROLL
    for (int i = 0; i < kSplit * kRows * kColumns; ++i) re[i] = im[i] = hn::Zero(d);
    const Real* row[kRows];
    const Real* column[kColumns];
    for (int i = 0; i < kRows; ++i) row[i] = reinterpret_cast<const Real*>(tile.rows[i]);
    for (int j = 0; j < kColumns; ++j) column[j] = reinterpret_cast<const Real*>(tile.columns[j]);

    Index k = 0;
    for (; k + kSplit * kLanes <= tile.length; k += kSplit * kLanes) {
        TENFERRO_UNROLL
        for (int s = 0; s < kSplit; ++s) {
            Vec b_re[kColumns], b_im[kColumns];
            TENFERRO_UNROLL
            for (int j = 0; j < kColumns; ++j)
                hn::LoadInterleaved2(d, column[j] + 2 * (k + s * kLanes), b_re[j], b_im[j]);
            TENFERRO_UNROLL
            for (int i = 0; i < kRows; ++i) {
                Vec a_re, a_im;
                hn::LoadInterleaved2(d, row[i] + 2 * (k + s * kLanes), a_re, a_im);
                TENFERRO_UNROLL
                for (int j = 0; j < kColumns; ++j) {
                    const int t = (s * kRows + i) * kColumns + j;
                    re[t] = hn::NegMulAdd(a_im, b_im[j], hn::MulAdd(a_re, b_re[j], re[t]));
                    im[t] = hn::MulAdd(a_im, b_re[j], hn::MulAdd(a_re, b_im[j], im[t]));
                }
            }
        }
    }
    TENFERRO_UNROLL
    for (int i = 0; i < kRows; ++i) {
        TENFERRO_UNROLL
        for (int j = 0; j < kColumns; ++j) {
            Vec total_re = re[i * kColumns + j], total_im = im[i * kColumns + j];
            TENFERRO_UNROLL
            for (int s = 1; s < kSplit; ++s) {
                total_re = hn::Add(total_re, re[(s * kRows + i) * kColumns + j]);
                total_im = hn::Add(total_im, im[(s * kRows + i) * kColumns + j]);
            }
            Real sum_re = hn::GetLane(hn::SumOfLanes(d, total_re)),
                 sum_im = hn::GetLane(hn::SumOfLanes(d, total_im));
            for (Index rest = 2 * k; rest < 2 * tile.length; rest += 2) {
                const Real a_re = row[i][rest], a_im = row[i][rest + 1], b_re = column[j][rest],
                           b_im = column[j][rest + 1];
                sum_re += a_re * b_re - a_im * b_im;
                sum_im += a_re * b_im + a_im * b_re;
            }
            if (i < tile.row_count && j < tile.column_count) {
                auto* to = reinterpret_cast<Real*>(&tile.sums[i][j]);
                to[0] += sum_re;
                to[1] += sum_im;
            }
        }
    }
}

template <class T>
void real_inner(InnerTile<T>& tile) {
    if (tile.row_count == 1)
        return tile.column_count > 1 ? real_sums<T, 1, 4, 2>(tile) : real_sums<T, 1, 1, 8>(tile);
    switch (tile.column_count) {
        case 1: return real_sums<T, 4, 1, 2>(tile);
        case 2: return real_sums<T, 4, 2, 1>(tile);
        case 3: return real_sums<T, 4, 3, 1>(tile);
        default: return real_sums<T, 4, 4, 1>(tile);
    }
}

template <class Real>
void complex_inner(InnerTile<std::complex<Real>>& tile) {
    if (tile.row_count > 1)
        tile.column_count > 1 ? complex_sums<Real, 4, 4, 1>(tile) : complex_sums<Real, 4, 1, 1>(tile);
    else
        tile.column_count > 1 ? complex_sums<Real, 1, 4, 1>(tile) : complex_sums<Real, 1, 1, 4>(tile);
}

InnerKernel<float> inner_f32() { return real_inner<float>; }
InnerKernel<double> inner_f64() { return real_inner<double>; }
InnerKernel<std::complex<float>> inner_c32() { return complex_inner<float>; }
InnerKernel<std::complex<double>> inner_c64() { return complex_inner<double>; }

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(inner_f32);
HWY_EXPORT(inner_f64);
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
InnerKernel<std::complex<float>> inner_kernel() {
    return HWY_DYNAMIC_DISPATCH(inner_c32)();
}
template <>
InnerKernel<std::complex<double>> inner_kernel() {
    return HWY_DYNAMIC_DISPATCH(inner_c64)();
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
