// The micro-kernels of the ordinary algebra on complex numbers, compiled once per instruction set. Complex
// numbers are two real tiles, so that every operation is a plain fused multiply-add.
#if defined(TENFERRO_COMPLEX_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_COMPLEX_TILE_INL
#undef TENFERRO_COMPLEX_TILE_INL
#else
#define TENFERRO_COMPLEX_TILE_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Numbers, and halves of them for a single column.
#if HWY_TARGET == HWY_SCALAR
inline constexpr int kComplexVectors = 1, kComplexWideVectors = 2;
#elif HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
inline constexpr int kComplexVectors = 2, kComplexWideVectors = 8;
#else
inline constexpr int kComplexVectors = 1, kComplexWideVectors = 6;
#endif
inline constexpr int kComplexColumns = 6;
/// Where registers are few and no loads take numbers apart, tiles of up to so many columns read numbers as
/// they lie. More columns read the rows once for each three; of doubles they do so only where the caches keep
/// the rows (MicroTile::a_near).
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3 && HWY_TARGET != HWY_SCALAR
template <class Real>
inline constexpr int kLyingColumns = sizeof(Real) == 4 ? kComplexColumns : 3;
#else
template <class Real>
inline constexpr int kLyingColumns = 0;
#endif

/// The parts of complex numbers in memory, all of them or the first `count`.
template <bool kAll, class D, class V = hn::Vec<D>>
HWY_INLINE void load_parts(D d, const hn::TFromD<D>* HWY_RESTRICT from, [[maybe_unused]] Index count, V& re,
                           V& im) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (!kAll && kMasks) {
        constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D()));
        const auto in_low = static_cast<size_t>(std::min(2 * count, kLanes));
        const V low = hn::MaskedLoad(hn::FirstN(d, in_low), d, from),
                high =
                    hn::MaskedLoad(hn::FirstN(d, static_cast<size_t>(2 * count) - in_low), d, from + kLanes);
        re = hn::ConcatEven(d, high, low);
        im = hn::ConcatOdd(d, high, low);
        return;
    }
#endif
    hn::LoadInterleaved2(d, from, re, im);
}

template <class Real, int kVectors, int kColumns, Panels kPanels>
void complex_tile(const MicroTile& tile) {
    using Algebra = Ordinary<std::complex<Real>>;
    const hn::ScalableTag<Real> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    constexpr Index kPlane = kComplexVectors * kLanes;  // from real to imaginary parts in a packed panel
    using Vec = hn::Vec<decltype(d)>;
    // Of one column the products are added apart, as lying_tile does.
    constexpr int kTile = kVectors * kColumns, kApart = kColumns == 1 ? kTile : 0;
    Vec re[kTile + kApart], im[kTile + kApart];
    Index column[kColumns];
    const Index last_rows = tile.rows - (kVectors - 1) * kLanes;
    TENFERRO_UNROLL
    for (int i = 0; i < kTile + kApart; ++i) re[i] = im[i] = hn::Zero(d);
    TENFERRO_UNROLL
    for (int j = 0; j < kColumns; ++j) column[j] = 2 * tile.b_columns[j];

    const Index a_step = 2 * tile.a_step, b_step = 2 * tile.b_step;
    for (Index s = 0; s < tile.segment_count; ++s) {
        const Real* HWY_RESTRICT a = static_cast<const Real*>(tile.a) + 2 * tile.segments[s].a;
        const Real* HWY_RESTRICT b = static_cast<const Real*>(tile.b) + 2 * tile.segments[s].b;
        for (Index k = tile.segments[s].length; k != 0; --k, a += a_step, b += b_step) {
            Vec a_re[kVectors], a_im[kVectors];
            TENFERRO_UNROLL
            for (int i = 0; i < kVectors; ++i) {
                if constexpr (kPanels == Panels::Packed) {
                    a_re[i] = hn::LoadU(d, a + i * kLanes);
                    a_im[i] = hn::LoadU(d, a + kPlane + i * kLanes);
                } else if (kPanels == Panels::Direct || i < kVectors - 1) {
                    load_parts<true>(d, a + 2 * i * kLanes, kLanes, a_re[i], a_im[i]);
                } else {
                    load_parts<false>(d, a + 2 * i * kLanes, last_rows, a_re[i], a_im[i]);
                }
            }
            TENFERRO_UNROLL
            for (int j = 0; j < kColumns; ++j) {
                const Vec b_re = hn::Set(d, b[column[j]]);
                const Vec b_im = hn::Set(d, b[column[j] + 1]);
                TENFERRO_UNROLL
                for (int i = 0; i < kVectors; ++i) {
                    const int t = j * kVectors + i;
                    re[t] = hn::MulAdd(a_re[i], b_re, re[t]);
                    im[t] = hn::MulAdd(a_im[i], b_re, im[t]);
                    re[t + kApart] = hn::NegMulAdd(a_im[i], b_im, re[t + kApart]);
                    im[t + kApart] = hn::MulAdd(a_re[i], b_im, im[t + kApart]);
                }
            }
        }
    }
    TENFERRO_UNROLL
    for (int t = 0; t < kApart; ++t) {
        re[t] = hn::Add(re[t], re[t + kApart]);
        im[t] = hn::Add(im[t], im[t + kApart]);
    }

    if (tile.c_rows == nullptr && tile.rows == kVectors * kLanes) {
        TENFERRO_UNROLL
        for (int j = 0; j < kColumns; ++j) {
            if (j >= tile.columns) break;
            Real* HWY_RESTRICT c = static_cast<Real*>(tile.c) + 2 * tile.c_columns[j];
            TENFERRO_UNROLL
            for (int i = 0; i < kVectors; ++i) {
                const int t = j * kVectors + i;
                Real* HWY_RESTRICT to = c + 2 * i * kLanes;
                Vec value_re = re[t], value_im = im[t];
                if (tile.accumulate) {
                    Vec c_re, c_im;
                    hn::LoadInterleaved2(d, to, c_re, c_im);
                    value_re = hn::Add(c_re, value_re);
                    value_im = hn::Add(c_im, value_im);
                }
                hn::StoreInterleaved2(value_re, value_im, d, to);
            }
        }
        return;
    }
    HWY_ALIGN Real values[2 * kVectors * kColumns * kLanes];
    TENFERRO_UNROLL
    for (int i = 0; i < kTile; ++i) hn::StoreInterleaved2(re[i], im[i], d, values + 2 * i * kLanes);
    scatter_tile<Algebra>(tile, reinterpret_cast<const std::complex<Real>*>(values), kVectors * kLanes);
}

/// Rows that are read in place: numbers stay as they lie, and are multiplied by either part of a column's.
/// Only the last of kVectors vectors may be partial.
template <class Real, int kVectors, int kColumns>
void lying_tile(const MicroTile& tile) {
    const hn::ScalableTag<Real> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    constexpr int kTile = kVectors * kColumns;
    using Vec = hn::Vec<decltype(d)>;
    const auto mask = hn::FirstN(d, static_cast<size_t>(2 * tile.rows - (kVectors - 1) * kLanes));
    Vec by_re[kTile], by_im[kTile];
    Index column[kColumns];
    TENFERRO_UNROLL
    for (int t = 0; t < kTile; ++t) by_re[t] = by_im[t] = hn::Zero(d);
    TENFERRO_UNROLL
    for (int j = 0; j < kColumns; ++j) column[j] = 2 * tile.b_columns[j];
    for (Index s = 0; s < tile.segment_count; ++s) {
        const Real* HWY_RESTRICT a = static_cast<const Real*>(tile.a) + 2 * tile.segments[s].a;
        const Real* HWY_RESTRICT b = static_cast<const Real*>(tile.b) + 2 * tile.segments[s].b;
        for (Index k = tile.segments[s].length; k != 0; --k, a += 2 * tile.a_step, b += 2 * tile.b_step) {
            Vec row[kVectors];
            TENFERRO_UNROLL
            for (int i = 0; i < kVectors; ++i)
                row[i] = !kMasks || i < kVectors - 1 ? hn::LoadU(d, a + i * kLanes)
                                                     : hn::MaskedLoad(mask, d, a + i * kLanes);
            TENFERRO_UNROLL
            for (int j = 0; j < kColumns; ++j) {
                const Vec b_re = hn::Set(d, b[column[j]]), b_im = hn::Set(d, b[column[j] + 1]);
                TENFERRO_UNROLL
                for (int i = 0; i < kVectors; ++i) {
                    const int t = j * kVectors + i;
                    by_re[t] = hn::MulAdd(row[i], b_re, by_re[t]);
                    by_im[t] = hn::MulAdd(row[i], b_im, by_im[t]);
                }
            }
        }
    }
    TENFERRO_UNROLL
    for (int t = 0; t < kTile; ++t) {
        const Vec turned = hn::Reverse2(d, by_im[t]);
        by_re[t] = hn::OddEven(hn::Add(by_re[t], turned), hn::Sub(by_re[t], turned));
    }
    if (tile.c_rows == nullptr && 2 * tile.rows == kVectors * kLanes) {
        TENFERRO_UNROLL
        for (int j = 0; j < kColumns; ++j) {
            Real* HWY_RESTRICT c = static_cast<Real*>(tile.c) + 2 * tile.c_columns[j];
            TENFERRO_UNROLL
            for (int i = 0; i < kVectors; ++i) {
                Vec value = by_re[j * kVectors + i];
                if (tile.accumulate) value = hn::Add(hn::LoadU(d, c + i * kLanes), value);
                hn::StoreU(value, d, c + i * kLanes);
            }
        }
        return;
    }
    HWY_ALIGN Real values[kTile * kLanes];
    TENFERRO_UNROLL
    for (int t = 0; t < kTile; ++t) hn::Store(by_re[t], d, values + t * kLanes);
    scatter_tile<Ordinary<std::complex<Real>>>(tile, reinterpret_cast<const std::complex<Real>*>(values),
                                               kVectors * kLanes / 2);
}

template <class Real, int kVectors, int kColumns>
void lying_rows(const MicroTile& tile) {
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<Real>()));
    if constexpr (kVectors > 1)
        if (2 * tile.rows <= (kVectors - 1) * kLanes) return lying_rows<Real, kVectors - 1, kColumns>(tile);
    lying_tile<Real, kVectors, kColumns>(tile);
}

/// A few columns, where taking numbers apart takes the place of products.
template <class Real>
void lying_columns(const MicroTile& tile) {
    constexpr int kVectors = 2 * kComplexVectors;
    if (tile.columns == 1) return lying_rows<Real, kVectors, 1>(tile);
    if (tile.columns == 2) return lying_rows<Real, kVectors, 2>(tile);
    if (tile.columns == 3) return lying_rows<Real, kVectors, 3>(tile);
    MicroTile part = tile;
    for (Index left = tile.columns; left > 0; left -= part.columns) {
        part.columns = left == 4 ? 2 : std::min<Index>(left, 3);
        if (part.columns == 3)
            lying_rows<Real, kVectors, 3>(part);
        else
            lying_rows<Real, kVectors, 2>(part);
        part.b_columns += part.columns;
        part.c_columns += part.columns;
    }
}

template <class Real, int kVectors, Panels kPanels>
void complex_columns(const MicroTile& tile) {
    // Partial rows are the last of a run, and few: one form serves all widths.
    if constexpr (kPanels == Panels::Partial)
        return complex_tile<Real, kVectors, kComplexColumns, kPanels>(tile);
    if (tile.columns > 4)
        complex_tile<Real, kVectors, kComplexColumns, kPanels>(tile);
    else if (tile.columns > 2)
        complex_tile<Real, kVectors, 4, kPanels>(tile);
    else if (tile.columns > 1)
        complex_tile<Real, kVectors, 2, kPanels>(tile);
    else if constexpr (kPanels == Panels::Packed || HWY_TARGET == HWY_SCALAR)
        complex_tile<Real, kVectors, 1, kPanels>(tile);
}

template <class Real, Panels kPanels>
void complex_rows(const MicroTile& tile) {
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<Real>()));
    if (tile.rows <= kLanes) return complex_columns<Real, 1, kPanels>(tile);
    complex_columns<Real, kComplexVectors, kPanels>(tile);
}

/// Whether K is so short that putting numbers in order at its end takes longer than taking them apart; rows
/// that fill no tile are better read as they lie whatever K is.
template <class Real>
HWY_INLINE bool is_short(const MicroTile& tile) {
    constexpr Index kShort = 14,
                    kRows = kComplexVectors * static_cast<Index>(hn::MaxLanes(hn::ScalableTag<Real>()));
    return tile.segment_count == 1 && tile.segments[0].length < kShort && tile.rows == kRows;
}

template <class Real>
void multiply_complex(const MicroTile& tile) {
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<Real>()));
    if (tile.a_packed) return complex_rows<Real, Panels::Packed>(tile);
    if constexpr (HWY_TARGET != HWY_SCALAR)
        if (tile.columns == 1) return lying_rows<Real, kComplexWideVectors, 1>(tile);
    if constexpr (kLyingColumns<Real> != 0)
        if (tile.a_near || tile.columns <= (is_short<Real>(tile) ? 3 : kLyingColumns<Real>))
            return lying_columns<Real>(tile);
    if constexpr (kMasks)
        if (tile.rows % kLanes != 0) return complex_rows<Real, Panels::Partial>(tile);
    complex_rows<Real, Panels::Direct>(tile);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
