// TileWalk: a tile plan with its offset tables, and the loop over its tiles in parallel. Permuting copies and
// element-wise and outer products differ in what they do with a tile.
#pragma once

#include "cpu/kernels/loops/partition.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/loops/tile_plan.hpp"
#include "cpu/kernels/movement/streaming.hpp"
#include "cpu/kernels/movement/tile_kernels.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

class TileWalk {
public:
    /// `unit` is one step along a contiguous axis.
    TileWalk(const LoopAxes& axes, TileWish wish, Index unit) : TileWalk(plan_tiles(axes, wish), unit) {}
    TileWalk(const TilePlan& tiles, Index unit) : plan(tiles) {
        fill_tables(plan.line, unit, line_a, line_b, line_c);
        fill_tables(plan.rows, unit, row_a, row_b, row_c);
    }

    /// Calls tile(position, elements along the line, rows) for every tile, on all threads unless `alone`.
    template <class Tile>
    void run(CpuContext& context, bool alone, Tile&& tile) const {
        for_each_range(context, plan.rest_size, alone, [&](Index begin, Index end) {
            for (Odometer at(plan.rest, begin); begin < end; ++begin, at.advance())
                tile(static_cast<const Odometer<3>&>(at), TilePlan::size_at(plan.line, at),
                     TilePlan::size_at(plan.rows, at));
            finish_streaming();  // whether or not anything was streamed: it costs nothing then
        });
    }

    const TilePlan plan;
    OffsetTable<kMostLine> line_a, line_b, line_c;
    OffsetTable<kMostRows> row_a, row_b, row_c;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
