// The micro-kernel of the ordinary algebra on complex numbers, compiled once per instruction set. Complex
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

#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
inline constexpr int kComplexVectors = 2;
#else
inline constexpr int kComplexVectors = 1;
#endif
inline constexpr int kComplexColumns = 6;

template <class Real, int kVectors, int kColumns, bool kPlanar>
void complex_tile(const MicroTile& tile) {
    using Algebra = Ordinary<std::complex<Real>>;
    const hn::ScalableTag<Real> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    constexpr Index kPlane = kComplexVectors * kLanes;  // from real to imaginary parts in a packed panel
    using Vec = hn::Vec<decltype(d)>;
    Vec re[kVectors * kColumns], im[kVectors * kColumns];
    Index column[kColumns];
    TENFERRO_UNROLL
    for (int i = 0; i < kVectors * kColumns; ++i) re[i] = im[i] = hn::Zero(d);
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
                if constexpr (kPlanar) {
                    a_re[i] = hn::LoadU(d, a + i * kLanes);
                    a_im[i] = hn::LoadU(d, a + kPlane + i * kLanes);
                } else {
                    hn::LoadInterleaved2(d, a + 2 * i * kLanes, a_re[i], a_im[i]);
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
                    re[t] = hn::NegMulAdd(a_im[i], b_im, re[t]);
                    im[t] = hn::MulAdd(a_re[i], b_im, im[t]);
                }
            }
        }
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
    for (int i = 0; i < kVectors * kColumns; ++i)
        hn::StoreInterleaved2(re[i], im[i], d, values + 2 * i * kLanes);
    scatter_tile<Algebra>(tile, reinterpret_cast<const std::complex<Real>*>(values), kVectors * kLanes);
}

template <class Real, int kVectors, bool kPlanar>
void complex_columns(const MicroTile& tile) {
    if (tile.columns > 4)
        complex_tile<Real, kVectors, kComplexColumns, kPlanar>(tile);
    else if (tile.columns > 2)
        complex_tile<Real, kVectors, 4, kPlanar>(tile);
    else if (tile.columns > 1)
        complex_tile<Real, kVectors, 2, kPlanar>(tile);
    else
        complex_tile<Real, kVectors, 1, kPlanar>(tile);
}

template <class Real>
void multiply_complex(const MicroTile& tile) {
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<Real>()));
    if (tile.rows <= kLanes)
        return tile.a_packed ? complex_columns<Real, 1, true>(tile) : complex_columns<Real, 1, false>(tile);
    tile.a_packed ? complex_columns<Real, kComplexVectors, true>(tile)
                  : complex_columns<Real, kComplexVectors, false>(tile);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
