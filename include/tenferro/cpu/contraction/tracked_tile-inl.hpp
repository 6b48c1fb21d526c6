// The micro-kernel of selecting algebras that tells where its sums come from, compiled once per instruction
// set: every tracked_depth steps of K the tile is compared with what it was. That costs a few per cent, and
// leaves a search among tracked_depth terms.
#if defined(TENFERRO_CONTRACTION_TRACKED_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_CONTRACTION_TRACKED_TILE_INL
#undef TENFERRO_CONTRACTION_TRACKED_TILE_INL
#else
#define TENFERRO_CONTRACTION_TRACKED_TILE_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whether a sum is not what it was; of regular elements none is NaN.
template <bool kRegular, class D, class V>
HWY_INLINE auto changed(D, V x, V y) {
    if constexpr (kRegular || !hwy::IsFloat<hn::TFromD<D>>())
        return hn::Ne(x, y);
    else
        return hn::Not(hn::Or(hn::Eq(x, y), hn::And(hn::IsNaN(x), hn::IsNaN(y))));
}

/// Joins the sums of a tile, column by column, with C, and writes where those come from that C takes.
template <class S, int kVectors, class Position>
void join_tracked(const MicroTile& tile, const typename S::Lane* HWY_RESTRICT sums,
                  const Position* HWY_RESTRICT origins) {
    using Element = typename S::Element;
    using Lane = typename S::Lane;
    constexpr Index kRows = kVectors * static_cast<Index>(hn::MaxLanes(hn::ScalableTag<Lane>()));
    for (Index j = 0; j < tile.columns; ++j) {
        Element* const column = static_cast<Element*>(tile.c) + tile.c_columns[j];
        Index* const winners = tile.winners + tile.c_columns[j];
        for (Index i = 0; i < tile.rows; ++i) {
            const Index place = tile.c_rows == nullptr ? i : tile.c_rows[i];
            const Element made = std::bit_cast<Element>(sums[j * kRows + i]), old = column[place];
            const Element joined = tile.accumulate ? S::plus(old, made) : made;
            const bool stays = tile.accumulate && (joined == old || !(joined == joined || old == old));
            column[place] = joined;
            winners[place] =
                stays ? winners[place] : tile.first_k + static_cast<Index>(origins[j * kRows + i]);
        }
    }
}

/// The same for whole tiles whose rows are adjacent in C, in vectors.
template <class S, int kVectors, class Position>
void join_tracked_rows(const MicroTile& tile, const typename S::Lane* HWY_RESTRICT sums,
                       Position* HWY_RESTRICT origins) {
    using Lane = typename S::Lane;
    const hn::ScalableTag<Lane> d;
    const hn::RebindToSigned<decltype(d)> di;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d)), kRows = kVectors * kLanes;
    for (Index j = 0; j < tile.columns; ++j) {
        Lane* const HWY_RESTRICT column = static_cast<Lane*>(tile.c) + tile.c_columns[j];
        Index* const HWY_RESTRICT winners = tile.winners + tile.c_columns[j];
        Position* const HWY_RESTRICT from = origins + j * kRows;
        if (!tile.accumulate) {
            TENFERRO_UNROLL
            for (int i = 0; i < kVectors; ++i)
                hn::StoreU(hn::Load(d, sums + j * kRows + i * kLanes), d, column + i * kLanes);
            for (Index i = 0; i < kRows; ++i) winners[i] = tile.first_k + static_cast<Index>(from[i]);
            continue;
        }
        TENFERRO_UNROLL
        for (int i = 0; i < kVectors; ++i) {
            const auto made = hn::Load(d, sums + j * kRows + i * kLanes);
            const auto old = hn::LoadU(d, column + i * kLanes), joined = S::plus(d, old, made);
            const auto moves = hn::RebindMask(di, changed<false>(d, old, joined));
            hn::StoreU(joined, d, column + i * kLanes);
            hn::Store(hn::IfThenElse(moves, hn::Load(di, from + i * kLanes), hn::Set(di, Position{-1})), di,
                      from + i * kLanes);
        }
        for (Index i = 0; i < kRows; ++i)
            winners[i] = from[i] < 0 ? winners[i] : tile.first_k + static_cast<Index>(from[i]);
    }
}

template <class S, int kVectors, bool kRegular>
void tracked_tile(const MicroTile& tile) {
    using Lane = typename S::Lane;
    const hn::ScalableTag<Lane> d;
    const hn::RebindToSigned<decltype(d)> di;
    using Position = hn::TFromD<decltype(di)>;
    using Vec = hn::Vec<decltype(d)>;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d)), kStep = kTileVectors * kLanes;
    constexpr int kVecs = kVectors * kTileColumns;
    const Vec identity = hn::Set(d, std::bit_cast<Lane>(S::accumulator_identity()));
    Vec sum[kVecs];
    HWY_ALIGN Lane saved[kVecs * kLanes];
    HWY_ALIGN Position origins[kVecs * kLanes];
    TENFERRO_UNROLL
    for (int t = 0; t < kVecs; ++t) {
        sum[t] = identity;
        hn::Store(identity, d, saved + t * kLanes);
        hn::Store(hn::Zero(di), di, origins + t * kLanes);
    }

    const Lane* HWY_RESTRICT a = static_cast<const Lane*>(tile.a);
    const Lane* HWY_RESTRICT b = static_cast<const Lane*>(tile.b);
    constexpr Index kDepth = tracked_depth(sizeof(Lane));
    const Index depth = tile.segments[0].length;
    for (Index first = 0; first < depth; first += kDepth) {
        for (Index k = std::min(kDepth, depth - first); k != 0; --k, a += kStep, b += kTileColumns) {
            Vec rows[kVectors];
            TENFERRO_UNROLL
            for (int i = 0; i < kVectors; ++i) rows[i] = hn::LoadU(d, a + i * kLanes);
            fetch(b + depth * kTileColumns);  // of the next panel, which follows this one
            TENFERRO_UNROLL
            for (int j = 0; j < kTileColumns; ++j)
                add_column<S, kRegular>(d, sum + j * kVectors, rows, b + j);
        }
        const auto position = hn::Set(di, static_cast<Position>(first));
        TENFERRO_UNROLL
        for (int t = 0; t < kVecs; ++t) {
            const auto made = changed<kRegular>(d, sum[t], hn::Load(d, saved + t * kLanes));
            const auto old = hn::Load(di, origins + t * kLanes);
            hn::Store(hn::IfThenElse(hn::RebindMask(di, made), position, old), di, origins + t * kLanes);
            hn::Store(sum[t], d, saved + t * kLanes);
        }
    }
    if (tile.c_rows == nullptr && tile.rows == kVectors * kLanes)
        join_tracked_rows<S, kVectors>(tile, saved, origins);
    else
        join_tracked<S, kVectors>(tile, saved, origins);
    finish_tile<S>(tile, static_cast<typename S::Element*>(tile.c));
}

template <class S, bool kRegular>
void tracked_rows(const MicroTile& tile) {
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<typename S::Lane>()));
    const Index vectors = (tile.rows + kLanes - 1) / kLanes;
    if constexpr (kTileVectors > 2)
        if (vectors == 2) return tracked_tile<S, 2, kRegular>(tile);
    vectors == 1 ? tracked_tile<S, 1, kRegular>(tile) : tracked_tile<S, kTileVectors, kRegular>(tile);
}

template <class S>
void multiply_tracked(const MicroTile& tile) {
    if constexpr (RegularSemiring<S, hn::ScalableTag<typename S::Lane>>)
        if (tile.regular) return tracked_rows<S, true>(tile);
    tracked_rows<S, false>(tile);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
