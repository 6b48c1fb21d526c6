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
// Vectors of a single column: of a tile, of the last one, and so few that steps of K are summed side by side.
inline constexpr int kWideVectors = 8, kWidestVectors = 15, kFewVectors = 4;

/// Calls f(element of C, its column and row) for the elements of the tile that begins at `c`.
template <class Element, class F>
HWY_INLINE void for_each_element(const MicroTile& tile, Element* c, F&& f) {
    for (Index j = 0; j < tile.columns; ++j) {
        Element* column = c + tile.c_columns[j];
        for (Index i = 0; i < tile.rows; ++i) f(column[tile.c_rows == nullptr ? i : tile.c_rows[i]], j, i);
    }
}

template <class S>
HWY_INLINE void finish_tile(const MicroTile& tile, typename S::Element* c) {
    if constexpr (FinishingSemiring<S>)
        if (tile.last)
            for_each_element(tile, c,
                             [](auto& element, Index, Index) HWY_ATTR { element = S::finish(element); });
}

/// scatter_tile for rows of which kGroup at a time are adjacent in C, and are as many as whole groups.
template <class S, int kGroup>
HWY_INLINE void scatter_groups(const MicroTile& tile, typename S::Element* c,
                               const typename S::Element* HWY_RESTRICT values, Index stride) {
    using Element = typename S::Element;
    const Index rows = tile.rows, *const HWY_RESTRICT places = tile.c_rows;
    const bool accumulate = tile.accumulate;
    for (Index j = 0; j < tile.columns; ++j, values += stride) {
        Element* const HWY_RESTRICT column = c + tile.c_columns[j];
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
void scatter_tile(const MicroTile& tile, typename S::Element* c,
                  const typename S::Element* HWY_RESTRICT values, Index stride) {
    if (tile.c_rows != nullptr && tile.c_group > 1) {
        if (tile.c_group == 8) return scatter_groups<S, 8>(tile, c, values, stride);
        if (tile.c_group == 4) return scatter_groups<S, 4>(tile, c, values, stride);
        if (tile.c_group == 3) return scatter_groups<S, 3>(tile, c, values, stride);
        return scatter_groups<S, 2>(tile, c, values, stride);
    }
    for_each_element(tile, c, [&](auto& to, Index j, Index i) HWY_ATTR {
        const auto value = values[j * stride + i];
        to = tile.accumulate ? S::plus(to, value) : value;
    });
}

/// Writes the sums of a tile of whole vectors whose rows are adjacent in C. What the tile says is read once:
/// after each store it would be read again.
template <class S, int kVectors, int kColumns, class D, class Lane = hn::TFromD<D>>
HWY_INLINE void store_columns(D d, const MicroTile& tile, Lane* c,
                              const hn::Vec<D> (&sum)[kVectors * kColumns]) {
    constexpr Index kParts = sizeof(typename S::Element) / sizeof(Lane);
    const Index columns = tile.columns, *const HWY_RESTRICT c_columns = tile.c_columns;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    const auto each_column = [&](auto f) HWY_ATTR {
        TENFERRO_UNROLL
        for (int j = 0; j < kColumns; ++j) {
            if (j >= columns) break;
            Lane* HWY_RESTRICT to = c + kParts * c_columns[j];
            TENFERRO_UNROLL
            for (int i = 0; i < kVectors; ++i) f(to + i * kLanes, sum[j * kVectors + i]);
        }
    };
    if (tile.accumulate)
        each_column([d](Lane* to, hn::Vec<D> value)
                        HWY_ATTR { hn::StoreU(S::plus(d, hn::LoadU(d, to), value), d, to); });
    else
        each_column([d](Lane* to, hn::Vec<D> value) HWY_ATTR { hn::StoreU(value, d, to); });
}

/// The same for any rows that are adjacent in C, from a tile that was stored column by column. Not inlined:
/// it would take registers from the sums.
template <class S, class D, class Lane = hn::TFromD<D>>
HWY_NOINLINE void copy_columns(D d, const MicroTile& tile, Lane* c, const Lane* values, Index stride) {
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    constexpr Index kParts = sizeof(typename S::Element) / sizeof(Lane);
    const Index columns = tile.columns, count = kParts * tile.rows, *const c_columns = tile.c_columns;
    const bool accumulate = tile.accumulate;
    for (Index j = 0; j < columns; ++j, values += kParts * stride) {
        Lane* const column = c + kParts * c_columns[j];
        for (Index i = 0; i < count; i += kLanes) {
            hn::Vec<D> value = hn::Load(d, values + i);
            Lane* const to = column + i;
            const Index left = count - i;
            if (left >= kLanes) {
                if (accumulate) value = S::plus(d, hn::LoadU(d, to), value);
                hn::StoreU(value, d, to);
            } else {
                if (accumulate) value = S::plus(d, load_part(d, to, left), value);
                store_part(d, value, to, left);
            }
        }
    }
}

/// Writes the sums of a tile to its rows and columns of C. Elements may have several parts, one after the
/// other in vectors as in C.
template <class S, int kVectors, int kColumns, class D, class Lane = hn::TFromD<D>>
HWY_INLINE void store_tile(D d, const MicroTile& tile, Lane* c,
                           const hn::Vec<D> (&sum)[kVectors * kColumns]) {
    using Element = typename S::Element;
    constexpr Index kRows = kVectors * static_cast<Index>(hn::MaxLanes(d) * sizeof(Lane) / sizeof(Element));
    if (tile.c_rows == nullptr && tile.rows == kRows)
        return store_columns<S, kVectors, kColumns>(d, tile, c, sum);
    HWY_ALIGN Lane values[kVectors * kColumns * hn::MaxLanes(d)];
    TENFERRO_UNROLL
    for (int i = 0; i < kVectors * kColumns; ++i) hn::Store(sum[i], d, values + i * hn::MaxLanes(d));
    if (tile.c_rows == nullptr) return copy_columns<S>(d, tile, c, values, kRows);
    scatter_tile<S>(tile, reinterpret_cast<Element*>(c), reinterpret_cast<const Element*>(values), kRows);
}

/// How a tile reads its operands: panels as they are packed, at known steps; anything, in place; or A in
/// place, with rows that do not fill the last vector.
enum class Panels { Packed, Direct, Partial };

/// Asks for a part of C that is to be added to: it was written a block of K ago, and lies far away by now.
template <class Lane, int kVectors, Index kLanes>
HWY_INLINE void fetch_tile(const MicroTile& tile, const Lane* c) {
    for (Index j = 0; j < tile.columns; ++j)
        for (Index i = 0; i < kVectors; ++i) fetch(c + tile.c_columns[j] + i * kLanes);
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
    for (int j = 0; j < kColumns; ++j) column[j] = kPacked ? j : tile.b_columns[j];

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
    constexpr Index kRowBytes = kVectors * kLanes * sizeof(Lane);
    const Index a_ahead = kPacked ? 0 : tile.asks_below ? kRowBytes : tile.a_ahead;
    const Index b_ahead = kPacked ? 0 : tile.b_ahead, b_pace = tile.b_pace;
    const Segment *const segments = tile.segments, *const end = segments + tile.segment_count;
    const Lane* const columns_of_b = static_cast<const Lane*>(tile.b);
    const Lane* panel = static_cast<const Lane*>(tile.a);
    const Index a_panel = tile.a_panel;
    Lane* c = static_cast<Lane*>(tile.c);
    for (Index panels = tile.panels; panels != 0; --panels, panel += a_panel, c += kVectors * kLanes) {
        if (kPacked && tile.accumulate && tile.c_rows == nullptr) fetch_tile<Lane, kVectors, kLanes>(tile, c);
        TENFERRO_UNROLL
        for (int i = 0; i < kVectors * kColumns; ++i) sum[i] = identity;
        for (const Segment* s = segments; s != end; ++s) {
            const Lane* a = panel + s->a;
            const Lane* b = columns_of_b + s->b;
            const char* asked = reinterpret_cast<const char*>(b + column[0]) + b_ahead;
            Index k = s->length;
            if (a_ahead != 0)
                for (; k != 0; --k, a += a_step, b += b_step) {
                    fetch_lines<kRowBytes>(a, a_ahead);
                    add_products(a, b);
                }
            else if (b_ahead != 0)
                for (; k != 0; --k, a += a_step, b += b_step, asked += b_pace) {
                    fetch(asked);
                    add_products(a, b);
                }
            for (; k >= kUnrolled; k -= kUnrolled, a += kUnrolled * a_step, b += kUnrolled * b_step) {
                TENFERRO_UNROLL
                for (Index u = 0; u < kUnrolled; ++u) add_products(a + u * a_step, b + u * b_step);
            }
            if constexpr (kPacked)
                for (; k != 0; --k, a += a_step, b += b_step) add_products(a, b);
        }
        store_tile<S, kVectors, kColumns>(d, tile, c, sum);
        finish_tile<S>(tile, reinterpret_cast<typename S::Element*>(c));
    }
}

/// Tiles of few columns below each other, kPanels of them at a time: one alone has too few sums to keep both
/// multipliers busy, and where A is read in place it would touch each line of the caches for a part of it.
/// The sums are those of vector_tile.
template <class S, int kPanels, int kColumns>
void tall_tile(MicroTile tile) {
    using Lane = typename S::Lane;
    const hn::ScalableTag<Lane> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    using Vec = hn::Vec<decltype(d)>;
    const Vec identity = hn::Set(d, std::bit_cast<Lane>(S::accumulator_identity()));
    constexpr Index kRowBytes = kPanels * kTileVectors * kLanes * sizeof(Lane);
    const Index a_step = tile.a_step, b_step = tile.b_step, a_panel = tile.a_panel;
    const Index a_ahead = tile.asks_below ? kRowBytes : tile.a_ahead;
    const Segment *const segments = tile.segments, *const end = segments + tile.segment_count;
    const Lane* columns_of_b[kColumns];
    TENFERRO_UNROLL
    for (int j = 0; j < kColumns; ++j) columns_of_b[j] = static_cast<const Lane*>(tile.b) + tile.b_columns[j];
    for (; tile.panels >= kPanels; tile.panels -= kPanels) {
        Vec sum[kPanels][kColumns * kTileVectors];
        TENFERRO_UNROLL
        for (int p = 0; p < kPanels; ++p) {
            TENFERRO_UNROLL
            for (int i = 0; i < kColumns * kTileVectors; ++i) sum[p][i] = identity;
        }
        for (const Segment* s = segments; s != end; ++s) {
            const Lane* a = static_cast<const Lane*>(tile.a) + s->a;
            Index at = s->b;
            for (Index k = s->length; k != 0; --k, a += a_step, at += b_step) {
                if (kFillLines && a_ahead != 0) fetch_lines<kRowBytes>(a, a_ahead);
                Vec b[kColumns];
                TENFERRO_UNROLL
                for (int j = 0; j < kColumns; ++j) b[j] = hn::Set(d, columns_of_b[j][at]);
                TENFERRO_UNROLL
                for (int p = 0; p < kPanels; ++p) {
                    TENFERRO_UNROLL
                    for (int i = 0; i < kTileVectors; ++i) {
                        const Vec row = hn::LoadU(d, a + p * a_panel + i * kLanes);
                        TENFERRO_UNROLL
                        for (int j = 0; j < kColumns; ++j) {
                            Vec& to = sum[p][j * kTileVectors + i];
                            to = S::mac(d, to, row, b[j]);
                        }
                    }
                }
            }
        }
        Lane* c = static_cast<Lane*>(tile.c);
        TENFERRO_UNROLL
        for (int p = 0; p < kPanels; ++p, c += kTileVectors * kLanes) {
            store_tile<S, kTileVectors, kColumns>(d, tile, c, sum[p]);
            finish_tile<S>(tile, reinterpret_cast<typename S::Element*>(c));
        }
        tile.a = static_cast<const Lane*>(tile.a) + kPanels * a_panel;
        tile.c = c;
    }
    if (tile.panels != 0) vector_tile<S, kTileVectors, kColumns, Panels::Direct, false>(tile);
}

template <class S, int kVectors, Panels kPanels, bool kRegular>
void vector_columns(const MicroTile& tile) {
    if constexpr (kPanels == Panels::Direct && kVectors == kTileVectors && !kRegular)
        if (tile.panels > 1 && tile.columns <= kTallColumns) {
            if (tile.columns == 3) return tall_tile<S, 2, 3>(tile);
            if (tile.columns == 2) return tall_tile<S, 3, 2>(tile);
            return tall_tile<S, 4, 1>(tile);
        }
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

/// A single column: all vectors of its rows together, and few of them several steps of K at a time. One or
/// two sums would keep neither multiplier busy, and tiles below each other would read the lines of A that
/// their rows share again.
template <class S, int kVectors, Panels kPanels>
void column_tile(const MicroTile& tile) {
    using Lane = typename S::Lane;
    const hn::ScalableTag<Lane> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    constexpr int kSteps = kVectors <= 2 ? 4 : kVectors <= kFewVectors ? 2 : 1;
    using Vec = hn::Vec<decltype(d)>;
    const auto mask = hn::FirstN(d, static_cast<size_t>(tile.rows - (kVectors - 1) * kLanes));
    const Vec identity = hn::Set(d, std::bit_cast<Lane>(S::accumulator_identity()));
    const Index a_step = tile.a_step, b_step = tile.b_step, b_ahead = tile.b_ahead, b_pace = tile.b_pace;
    Vec sum[kSteps * kVectors];
    const auto add_products = [&](Vec* HWY_RESTRICT to, const Lane* a, const Lane* b) HWY_ATTR {
        const Vec factor = hn::Set(d, *b);
        TENFERRO_UNROLL
        for (int i = 0; i < kVectors; ++i) {
            const bool is_part = kPanels == Panels::Partial && i == kVectors - 1;
            const Lane* const from = a + i * kLanes;
            to[i] = S::mac(d, to[i], is_part ? hn::MaskedLoad(mask, d, from) : hn::LoadU(d, from), factor);
        }
    };
    const Lane* panel = static_cast<const Lane*>(tile.a);
    const Lane* const column = static_cast<const Lane*>(tile.b) + tile.b_columns[0];
    Lane* c = static_cast<Lane*>(tile.c);
    for (Index panels = tile.panels; panels != 0; --panels, panel += tile.a_panel, c += kVectors * kLanes) {
        TENFERRO_UNROLL
        for (int i = 0; i < kSteps * kVectors; ++i) sum[i] = identity;
        for (const Segment* s = tile.segments; s != tile.segments + tile.segment_count; ++s) {
            const Lane* a = panel + s->a;
            const Lane* b = column + s->b;
            Index k = s->length;
            if (b_ahead != 0)
                for (Index ahead = 0; ahead < k; ++ahead)
                    fetch(reinterpret_cast<const char*>(b) + b_ahead + ahead * b_pace);
            for (; k >= kSteps; k -= kSteps, a += kSteps * a_step, b += kSteps * b_step) {
                TENFERRO_UNROLL
                for (int u = 0; u < kSteps; ++u)
                    add_products(sum + u * kVectors, a + u * a_step, b + u * b_step);
            }
            for (; k != 0; --k, a += a_step, b += b_step) add_products(sum, a, b);
        }
        Vec total[kVectors];
        TENFERRO_UNROLL
        for (int i = 0; i < kVectors; ++i) {
            total[i] = sum[i];
            TENFERRO_UNROLL
            for (int u = 1; u < kSteps; ++u) total[i] = S::plus(d, total[i], sum[u * kVectors + i]);
        }
        store_tile<S, kVectors, 1>(d, tile, c, total);
        finish_tile<S>(tile, reinterpret_cast<typename S::Element*>(c));
    }
}

template <class S, int kVectors = kWidestVectors>
void column_rows(const MicroTile& tile, Index vectors) {
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<typename S::Lane>()));
    if constexpr (kVectors > 1)
        if (vectors < kVectors) return column_rows<S, kVectors - 1>(tile, vectors);
    if constexpr (kMasks)
        if (tile.rows % kLanes != 0) return column_tile<S, kVectors, Panels::Partial>(tile);
    column_tile<S, kVectors, Panels::Direct>(tile);
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
        if (tile.column_wise) {
            MicroTile column = tile;
            column.columns = 1;
            for (Index j = 0; j < tile.columns; ++j, ++column.b_columns, ++column.c_columns)
                column_rows<S>(column, vectors);
            return;
        }
        if constexpr (kMasks)
            if (!tile.a_packed && tile.rows % kLanes != 0)
                return vector_rows<S, Panels::Partial, false>(tile, vectors);
    }
    vector_rows<S, Panels::Direct, false>(tile, vectors);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
