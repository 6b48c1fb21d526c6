// The micro-kernels, compiled once per instruction set: a tile of kVectors vectors times kColumns columns of C stays in
// registers while K runs. Complex numbers are two real tiles, so that every operation is a plain fused multiply-add.
#if defined(TENFERRO_GEMM_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_GEMM_TILE_INL
#undef TENFERRO_GEMM_TILE_INL
#else
#define TENFERRO_GEMM_TILE_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Tile shape in vectors and columns: with 32 registers 24 hold accumulators, with 16 registers 12.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
inline constexpr int kRealColumns = 8;
inline constexpr int kComplexVectors = 2;
#else
inline constexpr int kRealColumns = 4;
inline constexpr int kComplexVectors = 1;
#endif
inline constexpr int kRealVectors = 3;
inline constexpr int kComplexColumns = 6;
inline constexpr int kWideVectors = 8;

/// Rows that do not fill a vector can be read in place where hardware masks keep the other lanes untouched.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
inline constexpr bool kMasks = true;
#else
inline constexpr bool kMasks = false;
#endif

/// Copies a tile that was stored column by column (kStride rows each) to its rows and columns of C.
template <class T>
void scatter_tile(const MicroTile<T>& tile, const T* HWY_RESTRICT values, Index stride) {
    for (Index j = 0; j < tile.columns; ++j) {
        T* column = tile.c + tile.c_columns[j];
        const T* from = values + j * stride;
        for (Index i = 0; i < tile.rows; ++i) {
            T& to = column[tile.c_rows == nullptr ? i : tile.c_rows[i]];
            to = tile.accumulate ? to + from[i] : from[i];
        }
    }
}

template <class T, int kVectors, int kColumns, bool kPartial>
void real_tile(const MicroTile<T>& tile) {
    const hn::ScalableTag<T> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    using Vec = hn::Vec<decltype(d)>;
    const auto mask = hn::FirstN(d, static_cast<size_t>(tile.rows - (kVectors - 1) * kLanes));
    Vec sum[kVectors * kColumns];
    Index column[kColumns];
    TENFERRO_UNROLL
    for (int i = 0; i < kVectors * kColumns; ++i) sum[i] = hn::Zero(d);
    TENFERRO_UNROLL
    for (int j = 0; j < kColumns; ++j) column[j] = tile.b_columns[j];

    const Index a_step = tile.a_step, b_step = tile.b_step;
    for (Index s = 0; s < tile.segment_count; ++s) {
        const T* HWY_RESTRICT a = tile.a + tile.segments[s].a;
        const T* HWY_RESTRICT b = tile.b + tile.segments[s].b;
        for (Index k = tile.segments[s].length; k != 0; --k, a += a_step, b += b_step) {
            Vec rows[kVectors];
            TENFERRO_UNROLL
            for (int i = 0; i < kVectors; ++i)
                if (kPartial && i == kVectors - 1)
                    rows[i] = hn::MaskedLoad(mask, d, a + i * kLanes);
                else
                    rows[i] = hn::LoadU(d, a + i * kLanes);
            TENFERRO_UNROLL
            for (int j = 0; j < kColumns; ++j) {
                const Vec factor = hn::Set(d, b[column[j]]);
                TENFERRO_UNROLL
                for (int i = 0; i < kVectors; ++i) sum[j * kVectors + i] = hn::MulAdd(rows[i], factor, sum[j * kVectors + i]);
            }
        }
    }

    const bool whole = tile.rows == kVectors * kLanes;
    if (tile.c_rows == nullptr && (whole || kMasks)) {
        TENFERRO_UNROLL
        for (int j = 0; j < kColumns; ++j) {
            if (j >= tile.columns) break;
            T* HWY_RESTRICT c = tile.c + tile.c_columns[j];
            TENFERRO_UNROLL
            for (int i = 0; i < kVectors; ++i) {
                T* HWY_RESTRICT to = c + i * kLanes;
                Vec value = sum[j * kVectors + i];
                if (i < kVectors - 1 || whole) {
                    if (tile.accumulate) value = hn::Add(hn::LoadU(d, to), value);
                    hn::StoreU(value, d, to);
                } else {
                    if (tile.accumulate) value = hn::Add(hn::MaskedLoad(mask, d, to), value);
                    hn::BlendedStore(value, mask, d, to);
                }
            }
        }
        return;
    }
    HWY_ALIGN T values[kVectors * kColumns * kLanes];
    TENFERRO_UNROLL
    for (int i = 0; i < kVectors * kColumns; ++i) hn::Store(sum[i], d, values + i * kLanes);
    scatter_tile(tile, values, kVectors * kLanes);
}

template <class Real, int kVectors, int kColumns, bool kPlanar>
void complex_tile(const MicroTile<std::complex<Real>>& tile) {
    using T = std::complex<Real>;
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
        const Real* HWY_RESTRICT a = reinterpret_cast<const Real*>(tile.a + tile.segments[s].a);
        const Real* HWY_RESTRICT b = reinterpret_cast<const Real*>(tile.b + tile.segments[s].b);
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
            Real* HWY_RESTRICT c = reinterpret_cast<Real*>(tile.c + tile.c_columns[j]);
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
    for (int i = 0; i < kVectors * kColumns; ++i) hn::StoreInterleaved2(re[i], im[i], d, values + 2 * i * kLanes);
    scatter_tile(tile, reinterpret_cast<const T*>(values), kVectors * kLanes);
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
