// The winner pass of selecting algebras, compiled once per instruction set: products are made again and
// compared with the finished result, which costs less than carrying an index beside every sum. K runs
// downwards, so that the last match to be written is the first in K.
#if defined(TENFERRO_CONTRACTION_WINNERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_CONTRACTION_WINNERS_INL
#undef TENFERRO_CONTRACTION_WINNERS_INL
#else
#define TENFERRO_CONTRACTION_WINNERS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Equal, or both NaN.
template <class Element>
HWY_INLINE bool is_same(const Element& x, const Element& y) {
    return x == y || (!(x == x) && !(y == y));
}

template <class S>
void find_line_winners(const Line& line) {
    using Element = typename S::Element;
    for (Index i = 0; i < line.count; ++i) {
        const Element result = static_cast<const Element*>(line.c)[i * line.c_row];
        Index k = 0, winner = 0;
        if (!(result == S::zero()))
            for_each_product<Element>(line, i, [&](const Element& a, const Element& b) HWY_ATTR {
                if (is_same(S::times(a, b), result)) {
                    winner = k;
                    return false;
                }
                ++k;
                return true;
            });
        line.winners[i * line.c_row] = winner;
    }
}

/// Writes the winners that this part of K has; `positions` are -1 where it has none, column by column,
/// `stride` rows each.
template <class S, class Position>
void scatter_winners(const MicroTile& tile, const Position* HWY_RESTRICT positions, Index stride) {
    using Element = typename S::Element;
    for_each_element(tile, static_cast<Element*>(tile.c),
                     [&](const Element& result, Index j, Index i) HWY_ATTR {
                         const Position position = positions[j * stride + i];
                         if (position >= 0 && !(result == S::zero()))
                             tile.winners[&result - static_cast<const Element*>(tile.c)] =
                                 tile.first_k + static_cast<Index>(position);
                     });
}

/// One segment of packed panels.
template <class S>
void find_scalar_winners(const MicroTile& tile) {
    using Element = typename S::Element;
    constexpr Index kRows = kScalarRows<Element>;
    std::int32_t positions[kRows * kScalarColumns];
    const Element* a = static_cast<const Element*>(tile.a);
    const Element* b = static_cast<const Element*>(tile.b);
    const Index depth = tile.segments[0].length;
    for_each_element(
        tile, static_cast<Element*>(tile.c), [&](const Element& result, Index j, Index i) HWY_ATTR {
            Index k = 0;
            while (k < depth && !is_same(S::times(a[k * kRows + i], b[k * kScalarColumns + j]), result)) ++k;
            positions[j * kRows + i] = static_cast<std::int32_t>(k < depth ? k : -1);
        });
    scatter_winners<S>(tile, positions, kRows);
}

template <class D, class V>
HWY_INLINE auto same_lanes(D, V x, V y) {
    if constexpr (hwy::IsFloat<hn::TFromD<D>>())
        return hn::Or(hn::Eq(x, y), hn::And(hn::IsNaN(x), hn::IsNaN(y)));
    else
        return hn::Eq(x, y);
}

inline constexpr int kWinnerColumns = kTileColumns / 2;  ///< results and positions share the registers

/// Columns [first, first + kWinnerColumns) of a tile on one segment of packed panels.
template <class S, bool kRegular>
void find_column_winners(const MicroTile& tile, Index first) {
    using Lane = typename S::Lane;
    const hn::ScalableTag<Lane> d;
    const hn::RebindToSigned<decltype(d)> di;
    using Position = hn::TFromD<decltype(di)>;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d)), kRows = kTileVectors * kLanes;
    constexpr int kVecs = kTileVectors * kWinnerColumns;
    MicroTile part = tile;
    part.columns = std::min<Index>(kWinnerColumns, tile.columns - first);
    part.c_columns = tile.c_columns + first;

    HWY_ALIGN Lane values[kVecs * kLanes] = {};
    for_each_element(part, static_cast<typename S::Element*>(part.c),
                     [&](const auto& result, Index j, Index i)
                         HWY_ATTR { values[j * kRows + i] = std::bit_cast<Lane>(result); });
    hn::Vec<decltype(d)> result[kVecs];
    hn::Vec<decltype(di)> found[kVecs];
    TENFERRO_UNROLL
    for (int t = 0; t < kVecs; ++t) {
        result[t] = hn::Load(d, values + t * kLanes);
        found[t] = hn::Set(di, Position{-1});
    }

    Index k = tile.segments[0].length;
    const Lane* HWY_RESTRICT a = static_cast<const Lane*>(tile.a) + k * kRows;
    const Lane* HWY_RESTRICT b = static_cast<const Lane*>(tile.b) + k * kTileColumns + first;
    while (--k >= 0) {
        a -= kRows;
        b -= kTileColumns;
        const auto position = hn::Set(di, static_cast<Position>(k));
        hn::Vec<decltype(d)> rows[kTileVectors];
        TENFERRO_UNROLL
        for (int i = 0; i < kTileVectors; ++i) rows[i] = hn::LoadU(d, a + i * kLanes);
        TENFERRO_UNROLL
        for (int j = 0; j < kWinnerColumns; ++j) {
            const auto factor = hn::Set(d, b[j]);
            TENFERRO_UNROLL
            for (int i = 0; i < kTileVectors; ++i) {
                const int t = j * kTileVectors + i;
                const auto product = S::times(d, rows[i], factor);
                if constexpr (kRegular)
                    found[t] =
                        hn::IfThenElse(hn::RebindMask(di, hn::Eq(product, result[t])), position, found[t]);
                else
                    found[t] = hn::IfThenElse(hn::RebindMask(di, same_lanes(d, product, result[t])), position,
                                              found[t]);
            }
        }
    }

    HWY_ALIGN Position positions[kVecs * kLanes];
    TENFERRO_UNROLL
    for (int t = 0; t < kVecs; ++t) hn::Store(found[t], di, positions + t * kLanes);
    scatter_winners<S>(part, positions, kRows);
}

template <class S>
void find_vector_winners(const MicroTile& tile) {
    using D = hn::ScalableTag<typename S::Lane>;
    for (Index first = 0; first < tile.columns; first += kWinnerColumns) {
        if constexpr (RegularSemiring<S, D>)
            if (tile.regular) {
                find_column_winners<S, true>(tile, first);
                continue;
            }
        find_column_winners<S, false>(tile, first);
    }
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
