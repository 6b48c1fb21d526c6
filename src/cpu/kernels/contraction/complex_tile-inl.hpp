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

template <class Real, int kVectors, int kColumns, Panels kPanels>
void complex_tile(const MicroTile& tile) {
    const hn::ScalableTag<Real> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    constexpr Index kPlane = kComplexVectors * kLanes;  // from real to imaginary parts in a packed panel
    using Vec = hn::Vec<decltype(d)>;
    // Products of few sums are added apart, as lying_tile does: one operation need not wait for the other.
    // Where an address may decide whether rows are packed, only those of one column, as they are in place.
    constexpr int kTile = kVectors * kColumns, kMost = kLyingColumns<Real> != 0 ? 3 : kVectors;
    constexpr int kApart = kTile <= kMost ? kTile : 0;
    Vec re[kTile + kApart], im[kTile + kApart];
    Index column[kColumns];
    constexpr Index kRowBytes = 2 * kVectors * kLanes * sizeof(Real);
    const Index a_ahead = kPanels == Panels::Packed ? 0 : tile.asks_below ? kRowBytes : tile.a_ahead;
    const Index b_ahead = tile.b_ahead, b_pace = tile.b_pace, last_rows = tile.rows - (kVectors - 1) * kLanes;
    TENFERRO_UNROLL
    for (int j = 0; j < kColumns; ++j) column[j] = 2 * tile.b_columns[j];

    const Index a_step = 2 * tile.a_step, b_step = 2 * tile.b_step, a_panel = 2 * tile.a_panel;
    const Segment *const segments = tile.segments, *const end = segments + tile.segment_count;
    const Real* const columns_of_b = static_cast<const Real*>(tile.b);
    const Real* panel = static_cast<const Real*>(tile.a);
    Real* c = static_cast<Real*>(tile.c);
    for (Index panels = tile.panels; panels != 0; --panels, panel += a_panel, c += 2 * kVectors * kLanes) {
        TENFERRO_UNROLL
        for (int i = 0; i < kTile + kApart; ++i) re[i] = im[i] = hn::Zero(d);
        for (const Segment* s = segments; s != end; ++s) {
            const Real* HWY_RESTRICT a = panel + 2 * s->a;
            const Real* HWY_RESTRICT b = columns_of_b + 2 * s->b;
            const Real* HWY_RESTRICT imaginary = b + 1;
            const char* asked = reinterpret_cast<const char*>(b + column[0]) + b_ahead;
            for (Index k = s->length; k != 0; --k, a += a_step, b += b_step, imaginary += b_step) {
                if (kFillLines && a_ahead != 0) {
                    fetch_lines<kRowBytes>(a, a_ahead);
                } else if (kFillLines && b_ahead != 0) {
                    fetch(asked);
                    asked += b_pace;
                }
                Vec a_re[kVectors], a_im[kVectors];
                TENFERRO_UNROLL
                for (int i = 0; i < kVectors; ++i) {
                    if constexpr (kPanels == Panels::Packed) {
                        a_re[i] = hn::LoadU(d, a + i * kLanes);
                        a_im[i] = hn::LoadU(d, a + kPlane + i * kLanes);
                    } else if constexpr (kPanels == Panels::Direct) {
                        hn::LoadInterleaved2(d, a + 2 * i * kLanes, a_re[i], a_im[i]);
                    } else if (i < kVectors - 1) {
                        hn::LoadInterleaved2(d, a + 2 * i * kLanes, a_re[i], a_im[i]);
                    } else {
                        load_number_part(d, a + 2 * i * kLanes, last_rows, a_re[i], a_im[i]);
                    }
                }
                TENFERRO_UNROLL
                for (int j = 0; j < kColumns; ++j) {
                    const Vec b_re = hn::Set(d, b[column[j]]);
                    const Vec b_im = hn::Set(d, imaginary[column[j]]);
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
            const Index columns = tile.columns, *const HWY_RESTRICT c_columns = tile.c_columns;
            const bool accumulate = tile.accumulate;
            TENFERRO_UNROLL
            for (int j = 0; j < kColumns; ++j) {
                if (j >= columns) break;
                Real* HWY_RESTRICT to = c + 2 * c_columns[j];
                TENFERRO_UNROLL
                for (int i = 0; i < kVectors; ++i, to += 2 * kLanes) {
                    const int t = j * kVectors + i;
                    Vec value_re = re[t], value_im = im[t];
                    if (accumulate) {
                        Vec c_re, c_im;
                        hn::LoadInterleaved2(d, to, c_re, c_im);
                        value_re = hn::Add(c_re, value_re);
                        value_im = hn::Add(c_im, value_im);
                    }
                    hn::StoreInterleaved2(value_re, value_im, d, to);
                }
            }
            continue;
        }
        HWY_ALIGN Real values[2 * kVectors * kColumns * kLanes];
        TENFERRO_UNROLL
        for (int i = 0; i < kTile; ++i) hn::StoreInterleaved2(re[i], im[i], d, values + 2 * i * kLanes);
        using Number = std::complex<Real>;
        if (HWY_TARGET != HWY_SCALAR && tile.c_rows == nullptr)
            copy_columns<Ordinary<Number>>(d, tile, c, values, kVectors * kLanes);
        else
            scatter_tile<Ordinary<Number>>(tile, reinterpret_cast<Number*>(c),
                                           reinterpret_cast<const Number*>(values), kVectors * kLanes);
    }
}

#if HWY_TARGET != HWY_SCALAR
/// Numbers of half a vector of packed rows: real parts in one half, imaginary ones in the other.
template <class D, class Real = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> load_halves(D d, const Real* re, const Real* im) {
    const hn::Half<D> half;
    return hn::Combine(d, hn::LoadU(half, im), hn::LoadU(half, re));
}

/// Numbers as they lie in C, from such halves that were multiplied by real parts and by imaginary ones.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V join_halves(D d, V by_re, V by_im) {
    constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
    HWY_ALIGN hn::TFromD<hn::RebindToSigned<D>> order[kLanes];
    TENFERRO_UNROLL
    for (int i = 0; i < kLanes; ++i) order[i] = i / 2 + i % 2 * (kLanes / 2);
    const V turned = hn::ConcatLowerUpper(d, by_im, by_im);
    return hn::TableLookupLanes(hn::ConcatUpperLower(d, hn::Add(by_re, turned), hn::Sub(by_re, turned)),
                                hn::SetTableIndices(d, order));
}

#endif

/// Rows that are read in place: numbers stay as they lie, and are multiplied by either part of a column's.
/// Only the last of kVectors vectors may be partial. Packed rows that fill half a vector are joined by their
/// imaginary parts.
template <class Real, int kVectors, int kColumns, Panels kPanels = Panels::Partial>
void lying_tile(const MicroTile& tile) {
    const hn::ScalableTag<Real> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    constexpr bool kHalves = kPanels == Panels::Packed;
    constexpr Index kPlane = kComplexVectors * kLanes;
    constexpr int kTile = kVectors * kColumns;
    constexpr Index kRowBytes = kVectors * kLanes * sizeof(Real);
    const Index a_ahead = kHalves ? 0 : tile.asks_below ? kRowBytes : tile.a_ahead, b_ahead = tile.b_ahead;
    const Index b_pace = tile.b_pace;
    using Vec = hn::Vec<decltype(d)>;
    const auto mask = hn::FirstN(d, static_cast<size_t>(2 * tile.rows - (kVectors - 1) * kLanes));
    Vec by_re[kTile], by_im[kTile];
    Index column[kColumns];
    TENFERRO_UNROLL
    for (int j = 0; j < kColumns; ++j) column[j] = 2 * tile.b_columns[j];
    const Index a_step = 2 * tile.a_step, b_step = 2 * tile.b_step, a_panel = 2 * tile.a_panel;
    const Segment *const segments = tile.segments, *const end = segments + tile.segment_count;
    const Real* const columns_of_b = static_cast<const Real*>(tile.b);
    const Real* panel = static_cast<const Real*>(tile.a);
    Real* c = static_cast<Real*>(tile.c);
    for (Index panels = tile.panels; panels != 0; --panels, panel += a_panel, c += kVectors * kLanes) {
        TENFERRO_UNROLL
        for (int t = 0; t < kTile; ++t) by_re[t] = by_im[t] = hn::Zero(d);
        for (const Segment* s = segments; s != end; ++s) {
            const Real* HWY_RESTRICT a = panel + 2 * s->a;
            const Real* HWY_RESTRICT b = columns_of_b + 2 * s->b;
            const Real* HWY_RESTRICT imaginary = b + 1;
            const char* asked = reinterpret_cast<const char*>(b + column[0]) + b_ahead;
            for (Index k = s->length; k != 0; --k, a += a_step, b += b_step, imaginary += b_step) {
                if (kFillLines && a_ahead != 0) {
                    fetch_lines<kRowBytes>(a, a_ahead);
                } else if (kFillLines && b_ahead != 0) {
                    fetch(asked);
                    asked += b_pace;
                }
                Vec row[kVectors];
                TENFERRO_UNROLL
                for (int i = 0; i < kVectors; ++i)
                    if constexpr (kHalves)
                        row[i] = load_halves(d, a, a + kPlane);
                    else
                        row[i] = !kMasks || i < kVectors - 1 ? hn::LoadU(d, a + i * kLanes)
                                                             : hn::MaskedLoad(mask, d, a + i * kLanes);
                TENFERRO_UNROLL
                for (int j = 0; j < kColumns; ++j) {
                    const Vec b_re = hn::Set(d, b[column[j]]), b_im = hn::Set(d, imaginary[column[j]]);
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
            if constexpr (kHalves)
                by_re[t] = join_halves(d, by_re[t], by_im[t]);
            else
                by_re[t] = join_numbers(d, by_re[t], by_im[t]);
        }
        store_tile<Ordinary<std::complex<Real>>, kVectors, kColumns>(d, tile, c, by_re);
    }
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
    if (2 * tile.rows <= static_cast<Index>(hn::MaxLanes(hn::ScalableTag<Real>())))
        return lying_tile<Real, 1, kComplexColumns>(tile);
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

/// The tile of as many columns as there are, or of the fewest that there may be more of.
template <class Real, int kVectors, Panels kPanels, int kColumns = kComplexColumns>
void complex_columns(const MicroTile& tile) {
    constexpr bool kSmallest = kPanels == Panels::Packed || HWY_TARGET == HWY_SCALAR ? kColumns == 1
                               : kPanels == Panels::Direct ? kColumns == (kLyingColumns<Real> != 0 ? 4 : 2)
                                                           : true;  // partial rows are few: one form for all
    if constexpr (!kSmallest)
        if (tile.columns < kColumns) return complex_columns<Real, kVectors, kPanels, kColumns - 1>(tile);
    complex_tile<Real, kVectors, kColumns, kPanels>(tile);
}

template <class Real, Panels kPanels>
void complex_rows(const MicroTile& tile) {
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<Real>()));
    if constexpr (kLyingColumns<Real> != 0 && kPanels != Panels::Direct)
        if (2 * tile.rows <= kLanes) return lying_tile<Real, 1, kComplexColumns, kPanels>(tile);
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
