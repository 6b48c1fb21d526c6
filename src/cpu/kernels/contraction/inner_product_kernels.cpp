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

#if HWY_TARGET == HWY_SCALAR

template <class T>
inline constexpr Index kInnerColumns = 1;

template <class T>
void inner(const InnerBand<T>& band) {
    for (Index j = 0; j < band.column_count; ++j)
        for (Index i = 0; i < band.row_count; ++i) {
            T& sum = band.sums[j * band.row_count + i];
            const T* const row = band.a + band.rows[i];
            const T* const column = band.columns[j] + (band.shifts == nullptr ? 0 : band.shifts[i]);
            for (Index k = 0; k < band.length; ++k) sum = Ordinary<T>::mac(sum, row[k], column[k]);
        }
}

template <class T>
void inner_run(const InnerRun<T>& run) {
    for (Index j = 0; j < run.column_count; ++j)
        for (Index i = 0; i < run.row_count; ++i) {
            T sum{};
            for (Index k = 0; k < run.length; ++k)
                sum = Ordinary<T>::mac(sum, run.a[i * run.step + k], run.columns[j][k]);
            run.c[j][i * run.c_step] = sum;
        }
}

#else

#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
inline constexpr bool kManyRegisters = true;
#else
inline constexpr bool kManyRegisters = false;
#endif

/// The sum of the vector's parts of kLanes lanes, in one of them.
template <size_t kLanes, class D, class V = hn::Vec<D>>
HWY_INLINE auto folded_to(D, V v) {
    if constexpr (hn::MaxLanes(D()) <= kLanes) {
        return v;
    } else {
        const hn::Half<D> half;
        return folded_to<kLanes>(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
    }
}

/// In each block of 128 bits, lanes of x and of y in turn, the upper ones added to the lower ones.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V woven_sum(D d, V x, V y) {
    return hn::Add(hn::InterleaveLower(d, x, y), hn::InterleaveUpper(d, x, y));
}

/// Four numbers, in a vector or two.
template <class Lane>
struct FourLanes {
    using D = hn::CappedTag<Lane, 4>;
    using V = hn::Vec<D>;
    static constexpr size_t kCount = hn::MaxLanes(D()) == 2 ? 2 : 1;
    V part[kCount];
};

/// The sums of the lanes of four vectors.
template <class D, class V = hn::Vec<D>>
HWY_INLINE FourLanes<hn::TFromD<D>> four_sums(D d, const V* v) {
    using Lane = hn::TFromD<D>;
    const typename FourLanes<Lane>::D four;
    const V first = woven_sum(d, v[0], v[1]), second = woven_sum(d, v[2], v[3]);
    if constexpr (sizeof(Lane) == 4) {
        const hn::RepartitionToWide<D> wide;
        const auto x = hn::BitCast(wide, first), y = hn::BitCast(wide, second);
        const V woven = hn::Add(hn::BitCast(d, hn::InterleaveLower(wide, x, y)),
                                hn::BitCast(d, hn::InterleaveUpper(wide, x, y)));
        return {{folded_to<4>(d, woven)}};
    } else if constexpr (hn::MaxLanes(D()) == 2) {
        return {{first, second}};
    } else {
        const auto x = folded_to<4>(d, first), y = folded_to<4>(d, second);
        return {{hn::Add(hn::ConcatLowerLower(four, y, x), hn::ConcatUpperUpper(four, y, x))}};
    }
}

/// Sets numbers to the sums of the lanes of kCount vectors, or adds those to them.
template <int kCount, bool kAdds, class D, class V = hn::Vec<D>>
HWY_INLINE void put_sums_of_lanes(D d, const V* v, hn::TFromD<D>* to) {
    using Lane = hn::TFromD<D>;
    using Four = FourLanes<Lane>;
    const typename Four::D four;
    TENFERRO_UNROLL
    for (int i = 0; i + 4 <= kCount; i += 4) {
        const Four sums = four_sums(d, v + i);
        TENFERRO_UNROLL
        for (size_t part = 0; part < Four::kCount; ++part) {
            Lane* const at = to + i + static_cast<int>(part * hn::MaxLanes(four));
            hn::StoreU(kAdds ? hn::Add(hn::LoadU(four, at), sums.part[part]) : sums.part[part], four, at);
        }
    }
    for (int i = kCount / 4 * 4; i < kCount; ++i) {
        const Lane sum = hn::GetLane(hn::SumOfLanes(d, v[i]));
        to[i] = kAdds ? Ordinary<Lane>::plus(to[i], sum) : sum;
    }
}

/// Vectors of elements as they lie in memory, complex numbers as pairs of reals.
template <class T>
struct InnerVectors {
    using Lane = typename Ordinary<T>::Lane;
    using D = hn::ScalableTag<Lane>;
    using V = hn::Vec<D>;
    static constexpr int kParts = 1;
    static HWY_INLINE void turn(V*) {}
    static HWY_INLINE void negate_odd(V*) {}
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
    static HWY_INLINE void negate_odd(V* parts) { parts[0] = hn::OddEven(hn::Neg(parts[0]), parts[0]); }
};

/// The lanes of the last vector of a line that are its own.
template <class T>
HWY_INLINE auto last_lanes(Index length) {
    const typename InnerVectors<T>::D d;
    const Index lanes = length * InnerVectors<T>::kParts;
    return hn::FirstN(d, static_cast<size_t>(lanes % static_cast<Index>(hn::MaxLanes(d))));
}

/// kRows x kColumns sums, those of the rows from `first` on, each in kSplit accumulators that hide the
/// latency of the additions; to[column] is where they go. In pairs each row has columns of its own.
template <class T, int kRows, int kColumns, int kSplit, bool kPairs, bool kAdds, class Mask>
HWY_INLINE void sums(const InnerBand<T>& band, Index first, Mask last, T* const* to) {
    using Vectors = InnerVectors<T>;
    using Lane = typename Vectors::Lane;
    const typename Vectors::D d;
    using Vec = typename Vectors::V;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    constexpr int kParts = Vectors::kParts, kSums = kColumns * kRows * kParts;
    Vec sum[kSplit * kSums];  // [split][column][row][part]
    TENFERRO_UNROLL
    for (int i = 0; i < kSplit * kSums; ++i) sum[i] = hn::Zero(d);
    constexpr int kLines = kPairs ? kRows * kColumns : kColumns;  // of B: [row][column], or all rows' columns
    const T* row[kRows];
    const T* line[kLines];
    for (int i = 0; i < kRows; ++i) row[i] = band.a + band.rows[first + i];
    for (int l = 0; l < kLines; ++l)
        line[l] = band.columns[l % kColumns] + (kPairs ? band.shifts[first + l / kColumns] : 0);

    const auto add_products = [&](Index at, int split, auto&& load) HWY_ATTR {
        Vec b[kLines * kParts];
        TENFERRO_UNROLL
        for (int l = 0; l < kLines; ++l) {
            b[l * kParts] = load(reinterpret_cast<const Lane*>(line[l]) + at);
            Vectors::turn(b + l * kParts);
        }
        TENFERRO_UNROLL
        for (int i = 0; i < kRows; ++i) {
            const Vec a = load(reinterpret_cast<const Lane*>(row[i]) + at);
            if (kFillLines && band.ahead != 0)
                fetch(reinterpret_cast<const char*>(reinterpret_cast<const Lane*>(row[i]) + at) + band.ahead);
            TENFERRO_UNROLL
            for (int j = 0; j < kColumns * kParts; ++j) {
                Vec& total = sum[split * kSums + (j / kParts * kRows + i) * kParts + j % kParts];
                total = Ordinary<Lane>::mac(d, total, a, b[(kPairs ? i * kColumns * kParts : 0) + j]);
            }
        }
    };
    const auto load_all = [d](const Lane* from) HWY_ATTR { return hn::LoadU(d, from); };
    const Index length = band.length * kParts;
    Index k = 0;
    for (; k + kSplit * kLanes <= length; k += kSplit * kLanes) {
        TENFERRO_UNROLL
        for (int s = 0; s < kSplit; ++s) add_products(k + s * kLanes, s, load_all);
    }
    for (; k + kLanes <= length; k += kLanes) add_products(k, 0, load_all);
    if (kMasks && k < length) {
        add_products(k, 0, [&](const Lane* from) HWY_ATTR { return hn::MaskedLoad(last, d, from); });
        k = length;
    }
    TENFERRO_UNROLL
    for (int i = 0; i < kSums; ++i) {
        TENFERRO_UNROLL
        for (int s = 1; s < kSplit; ++s) sum[i] = hn::Add(sum[i], sum[s * kSums + i]);
        if (i % kParts == 0) Vectors::negate_odd(sum + i);
    }
    TENFERRO_UNROLL
    for (int j = 0; j < kColumns; ++j) {
        put_sums_of_lanes<kRows * kParts, kAdds>(d, sum + j * kRows * kParts, reinterpret_cast<Lane*>(to[j]));
        for (Index rest = k / kParts; rest < band.length; ++rest)
            for (int i = 0; i < kRows; ++i)
                to[j][i] =
                    Ordinary<T>::mac(to[j][i], row[i][rest], line[(kPairs ? i * kColumns : 0) + j][rest]);
    }
}

template <class T, int kRows, int kColumns, int kSplit, bool kPairs = false>
void all_sums(const InnerBand<T>& given) {
    const InnerBand<T> band = given;  // which would be read again after each store
    const auto last = last_lanes<T>(band.length);
    for (Index row = 0; row < band.row_count; row += kRows) {
        T* to[kColumns];
        for (int j = 0; j < kColumns; ++j) to[j] = band.sums + j * band.row_count + row;
        sums<T, kRows, kColumns, kSplit, kPairs, true>(band, row, last, to);
    }
}

template <class T, int kSplit>
void sums_of_pairs(InnerBand<T> band) {
    for (Index j = 0; j < band.column_count; ++j, band.sums += band.row_count) {
        band.columns[0] = band.columns[j];
        all_sums<T, 4, 1, kSplit, true>(band);
    }
}

/// kRows rows of a run from `first` on, `apart` rows from one to the next.
template <class T, int kRows, int kColumns, int kSplit, class Mask>
HWY_INLINE void set_sums(const InnerRun<T>& run, Index first, Index apart, Mask last) {
    const Index step = apart * run.step, c_step = apart * run.c_step;
    const Index rows[] = {0, step, 2 * step, 3 * step};
    InnerBand<T> band{.a = run.a + first * run.step, .rows = rows, .length = run.length, .ahead = run.ahead};
    T sum[kColumns * kRows];
    T* to[kColumns];
    TENFERRO_UNROLL
    for (int j = 0; j < kColumns; ++j) {
        band.columns[j] = run.columns[j];
        to[j] = c_step == 1 ? run.c[j] + first : sum + j * kRows;
    }
    sums<T, kRows, kColumns, kSplit, false, false>(band, 0, last, to);
    if (c_step == 1) return;
    for (int j = 0; j < kColumns; ++j)
        for (int i = 0; i < kRows; ++i) run.c[j][first * run.c_step + i * c_step] = sum[j * kRows + i];
}

/// Memory is read in four places side by side: rows of a tile lie a quarter of the run apart, or tiles of the
/// four quarters take turns.
template <class T, int kRows, int kColumns, int kSplit = 1>
void set_all_sums(const InnerRun<T>& given) {
    const InnerRun<T> run = given;  // which would be read again after each store
    const auto last = last_lanes<T>(run.length);
    const Index tiles = run.row_count / kRows;
    Index row = 0;
    if (run.tiles_spread) {
        for (; row < tiles; ++row) set_sums<T, kRows, kColumns, kSplit>(run, row, tiles, last);
        row = tiles * kRows;
    } else {
        const Index quarter = tiles / 4 * kRows;
        for (; row < quarter; row += kRows)
            for (Index place = row; place < 4 * quarter; place += quarter)
                set_sums<T, kRows, kColumns, kSplit>(run, place, 1, last);
        for (row = 4 * quarter; row < tiles * kRows; row += kRows)
            set_sums<T, kRows, kColumns, kSplit>(run, row, 1, last);
    }
    for (; row < run.row_count; ++row) set_sums<T, 1, kColumns, kSplit>(run, row, 1, last);
}

/// Accumulators in 12 to 24 registers.
template <class T>
inline constexpr Index kInnerColumns = (InnerVectors<T>::kParts == 1 ? 3 : 2) + (kManyRegisters ? 1 : 0);

template <class T>
void inner(const InnerBand<T>& band) {
    constexpr bool kReal = InnerVectors<T>::kParts == 1;
    if (band.shifts != nullptr) return sums_of_pairs < T, kReal ? 2 : 1 > (band);
    if (band.row_count == 1) return all_sums < T, 1, 1, kReal ? 8 : 4 > (band);
    if (band.column_count == 1) return all_sums < T, 4, 1, kReal ? 2 : 1 > (band);
    if (band.column_count == 2) return all_sums < T, kReal || kManyRegisters ? 4 : 2, 2, 1 > (band);
    if constexpr (kInnerColumns<T> >= 3)
        if (band.column_count == 3) return all_sums<T, 4, 3, 1>(band);
    if constexpr (kInnerColumns<T> >= 4) all_sums<T, 4, 4, 1>(band);
}

template <class T>
void inner_run(const InnerRun<T>& run) {
    constexpr bool kReal = InnerVectors<T>::kParts == 1;
    constexpr Index kSplitLength = 192 / static_cast<Index>(sizeof(T));
    if (run.column_count == 1) {
        if (run.length < kSplitLength) return set_all_sums<T, 4, 1>(run);
        return set_all_sums < T, 4, 1, kReal ? 2 : 1 > (run);
    }
    if (run.column_count == 2) return set_all_sums < T, kReal || kManyRegisters ? 4 : 2, 2 > (run);
    if constexpr (kInnerColumns<T> >= 3)
        if (run.column_count == 3) return set_all_sums<T, 4, 3>(run);
    if constexpr (kInnerColumns<T> >= 4) set_all_sums<T, 4, 4>(run);
}

#endif

template <class T>
InnerKernel<T> kernel() {
    return {inner<T>, inner_run<T>, kInnerColumns<T>};
}

InnerKernel<float> inner_f32() { return kernel<float>(); }
InnerKernel<double> inner_f64() { return kernel<double>(); }
InnerKernel<std::int32_t> inner_i32() { return kernel<std::int32_t>(); }
InnerKernel<std::int64_t> inner_i64() { return kernel<std::int64_t>(); }
InnerKernel<std::complex<float>> inner_c32() { return kernel<std::complex<float>>(); }
InnerKernel<std::complex<double>> inner_c64() { return kernel<std::complex<double>>(); }

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
