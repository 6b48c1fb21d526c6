// The micro-kernel for vectors, compiled once per instruction set: a tile of kVectors vectors times kColumns
// columns of C stays in registers while K runs.
#if defined(TENFERRO_CONTRACTION_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_CONTRACTION_TILE_INL
#undef TENFERRO_CONTRACTION_TILE_INL
#else
#define TENFERRO_CONTRACTION_TILE_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Tile shape in vectors and columns: with 32 registers 24 hold accumulators, with 16 registers 12, beside
// vectors of A, one element of B and one product. On packed panels some steps of K are written out, since to
// count them would take a tenth of the time; four need more than 16 registers.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
inline constexpr int kTileVectors = 3, kTileColumns = 8, kPackedSteps = 4;
#else
inline constexpr int kTileVectors = 2, kTileColumns = 6, kPackedSteps = 2;
#endif
inline constexpr int kWideVectors = 8;

/// Calls f(element of C, its column and row) for the elements of the tile.
template <class Element, class F>
HWY_INLINE void for_each_element(const MicroTile& tile, F&& f) {
    for (Index j = 0; j < tile.columns; ++j) {
        Element* column = static_cast<Element*>(tile.c) + tile.c_columns[j];
        for (Index i = 0; i < tile.rows; ++i) f(column[tile.c_rows == nullptr ? i : tile.c_rows[i]], j, i);
    }
}

template <class S>
HWY_INLINE void finish_tile(const MicroTile& tile) {
    if constexpr (FinishingSemiring<S>)
        if (tile.last)
            for_each_element<typename S::Element>(
                tile, [](auto& element, Index, Index) HWY_ATTR { element = S::finish(element); });
}

/// scatter_tile for rows of which kGroup at a time are adjacent in C, and are as many as whole groups.
template <class S, int kGroup>
HWY_INLINE void scatter_groups(const MicroTile& tile, const typename S::Element* HWY_RESTRICT values,
                               Index stride) {
    using Element = typename S::Element;
    const Index rows = tile.rows, *const HWY_RESTRICT places = tile.c_rows;
    const bool accumulate = tile.accumulate;
    for (Index j = 0; j < tile.columns; ++j, values += stride) {
        Element* const HWY_RESTRICT column = static_cast<Element*>(tile.c) + tile.c_columns[j];
        for (Index i = 0; i < rows; i += kGroup) {
            Element* const to = column + places[i];
            if (accumulate)
                for (int u = 0; u < kGroup; ++u) to[u] = S::plus(to[u], values[i + u]);
            else
                std::memcpy(to, values + i, kGroup * sizeof(Element));
        }
    }
}

/// Copies a tile that was stored column by column (`stride` rows each) to its rows and columns of C.
template <class S>
void scatter_tile(const MicroTile& tile, const typename S::Element* HWY_RESTRICT values, Index stride) {
    if (tile.c_rows != nullptr && tile.c_group > 1) {
        if (tile.c_group == 8) return scatter_groups<S, 8>(tile, values, stride);
        if (tile.c_group == 4) return scatter_groups<S, 4>(tile, values, stride);
        return scatter_groups<S, 2>(tile, values, stride);
    }
    for_each_element<typename S::Element>(tile, [&](auto& to, Index j, Index i) HWY_ATTR {
        const auto value = values[j * stride + i];
        to = tile.accumulate ? S::plus(to, value) : value;
    });
}

/// Writes the sums of a tile to its rows and columns of C.
template <class S, int kVectors, int kColumns, class D>
HWY_INLINE void store_tile(D d, const MicroTile& tile, const hn::Vec<D> (&sum)[kVectors * kColumns]) {
    using Lane = typename S::Lane;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    const auto mask = hn::FirstN(d, static_cast<size_t>(tile.rows - (kVectors - 1) * kLanes));
    const bool whole = tile.rows == kVectors * kLanes;
    if (tile.c_rows == nullptr && (whole || kMasks)) {
        TENFERRO_UNROLL
        for (int j = 0; j < kColumns; ++j) {
            if (j >= tile.columns) break;
            Lane* HWY_RESTRICT c = static_cast<Lane*>(tile.c) + tile.c_columns[j];
            TENFERRO_UNROLL
            for (int i = 0; i < kVectors; ++i) {
                Lane* HWY_RESTRICT to = c + i * kLanes;
                hn::Vec<D> value = sum[j * kVectors + i];
                if (i < kVectors - 1 || whole) {
                    if (tile.accumulate) value = S::plus(d, hn::LoadU(d, to), value);
                    hn::StoreU(value, d, to);
                } else {
                    if (tile.accumulate) value = S::plus(d, hn::MaskedLoad(mask, d, to), value);
                    hn::BlendedStore(value, mask, d, to);
                }
            }
        }
        return;
    }
    HWY_ALIGN Lane values[kVectors * kColumns * kLanes];
    TENFERRO_UNROLL
    for (int i = 0; i < kVectors * kColumns; ++i) hn::Store(sum[i], d, values + i * kLanes);
    scatter_tile<S>(tile, reinterpret_cast<const typename S::Element*>(values), kVectors * kLanes);
}

/// How a tile reads its operands: panels as they are packed, at known steps; anything, in place; or A in
/// place, with rows that do not fill the last vector.
enum class Panels { Packed, Direct, Partial };

/// Asks for a part of C that is to be added to: it was written a block of K ago, and lies far away by now.
template <class Lane, int kVectors, Index kLanes>
HWY_INLINE void fetch_tile(const MicroTile& tile) {
    for (Index j = 0; j < tile.columns; ++j)
        for (Index i = 0; i < kVectors; ++i)
            fetch(static_cast<const Lane*>(tile.c) + tile.c_columns[j] + i * kLanes);
}

/// Adds the products of a column of A with an element of B to a column of the tile.
template <class S, bool kRegular, class D, int kVectors, class Vec = hn::Vec<D>>
HWY_INLINE void add_column(D d, Vec* HWY_RESTRICT sum, const Vec (&a)[kVectors], const typename S::Lane* b) {
    TENFERRO_UNROLL
    for (int i = 0; i < kVectors; ++i) {
        if constexpr (!kRegular)
            sum[i] = S::mac(d, sum[i], a[i], hn::Set(d, *b));
        else if constexpr (requires { S::mac_regular(d, sum[i], a[i], b); })
            sum[i] = S::mac_regular(d, sum[i], a[i], b);
        else
            sum[i] = S::mac_regular(d, sum[i], a[i], hn::Set(d, *b));
    }
}

template <class S, int kVectors, int kColumns, Panels kPanels, bool kRegular>
void vector_tile(const MicroTile& tile) {
    using Lane = typename S::Lane;
    const hn::ScalableTag<Lane> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    using Vec = hn::Vec<decltype(d)>;
    constexpr bool kPacked = kPanels == Panels::Packed;
    constexpr Index kUnrolled = kPacked ? kPackedSteps : 1;
    const auto mask = hn::FirstN(d, static_cast<size_t>(tile.rows - (kVectors - 1) * kLanes));
    const Vec identity = hn::Set(d, std::bit_cast<Lane>(S::accumulator_identity()));
    Vec sum[kVectors * kColumns];
    Index column[kColumns];
    TENFERRO_UNROLL
    for (int i = 0; i < kVectors * kColumns; ++i) sum[i] = identity;
    TENFERRO_UNROLL
    for (int j = 0; j < kColumns; ++j) column[j] = kPacked ? j : tile.b_columns[j];
    if (kPacked && tile.accumulate && tile.c_rows == nullptr) fetch_tile<Lane, kVectors, kLanes>(tile);

    const auto add_products = [&](const Lane* HWY_RESTRICT a, const Lane* HWY_RESTRICT b) HWY_ATTR {
        Vec rows[kVectors];
        TENFERRO_UNROLL
        for (int i = 0; i < kVectors; ++i)
            if (kPanels == Panels::Partial && i == kVectors - 1)
                rows[i] = hn::MaskedLoad(mask, d, a + i * kLanes);
            else
                rows[i] = hn::LoadU(d, a + i * kLanes);
        TENFERRO_UNROLL
        for (int j = 0; j < kColumns; ++j)
            add_column<S, kRegular>(d, sum + j * kVectors, rows, b + column[j]);
    };
    const Index a_step = kPacked ? kTileVectors * kLanes : tile.a_step;
    const Index b_step = kPacked ? kTileColumns : tile.b_step;
    const Index ahead = kPacked ? 0 : tile.b_ahead;
    for (Index s = 0; s < tile.segment_count; ++s) {
        const Lane* a = static_cast<const Lane*>(tile.a) + tile.segments[s].a;
        const Lane* b = static_cast<const Lane*>(tile.b) + tile.segments[s].b;
        Index k = tile.segments[s].length;
        if (ahead != 0)
            for (; k != 0; --k, a += a_step, b += b_step) {
                fetch(reinterpret_cast<const char*>(b + column[0]) + ahead);
                add_products(a, b);
            }
        for (; k >= kUnrolled; k -= kUnrolled, a += kUnrolled * a_step, b += kUnrolled * b_step) {
            TENFERRO_UNROLL
            for (Index u = 0; u < kUnrolled; ++u) add_products(a + u * a_step, b + u * b_step);
        }
        if constexpr (kPacked)
            for (; k != 0; --k, a += a_step, b += b_step) add_products(a, b);
    }

    store_tile<S, kVectors, kColumns>(d, tile, sum);
    finish_tile<S>(tile);
}

template <class S, int kVectors, Panels kPanels, bool kRegular>
void vector_columns(const MicroTile& tile) {
    // Irregular panels are rare and whole: one form serves all widths, and compiles in a quarter of the time.
    constexpr bool kOneForm = RegularSemiring<S, hn::ScalableTag<typename S::Lane>> && !kRegular;
    if constexpr (kOneForm) return vector_tile<S, kVectors, kTileColumns, kPanels, kRegular>(tile);
    if (tile.columns > 4) {
        // Packed panels with fewer columns are read as any others: they are the last, and few.
        if constexpr (kPanels == Panels::Direct)
            if (tile.a_packed && tile.b_packed)
                return vector_tile<S, kVectors, kTileColumns, Panels::Packed, kRegular>(tile);
        vector_tile<S, kVectors, kTileColumns, kPanels, kRegular>(tile);
    } else if (tile.columns > 2) {
        vector_tile<S, kVectors, 4, kPanels, kRegular>(tile);
    } else if (tile.columns > 1) {
        vector_tile<S, kVectors, 2, kPanels, kRegular>(tile);
    } else {
        vector_tile<S, kVectors, 1, kPanels, kRegular>(tile);
    }
}

template <class S, Panels kPanels, bool kRegular>
void vector_rows(const MicroTile& tile, Index vectors) {
    if constexpr (kTileVectors > 2)
        if (vectors == 2) return vector_columns<S, 2, kPanels, kRegular>(tile);
    vectors == 1 ? vector_columns<S, 1, kPanels, kRegular>(tile)
                 : vector_columns<S, kTileVectors, kPanels, kRegular>(tile);
}

/// Chooses the variant for a tile. Where regular elements matter operands are always packed, so that panels
/// are whole.
template <class S>
void multiply_vectors(const MicroTile& tile) {
    using D = hn::ScalableTag<typename S::Lane>;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D()));
    const Index vectors = (tile.rows + kLanes - 1) / kLanes;
    if constexpr (RegularSemiring<S, D>) {
        if (tile.regular) return vector_rows<S, Panels::Direct, true>(tile, vectors);
    } else {
        if (vectors > kTileVectors) return vector_tile<S, kWideVectors, 1, Panels::Direct, false>(tile);
        if constexpr (kMasks)
            if (!tile.a_packed && tile.rows % kLanes != 0)
                return vector_rows<S, Panels::Partial, false>(tile, vectors);
    }
    vector_rows<S, Panels::Direct, false>(tile, vectors);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
