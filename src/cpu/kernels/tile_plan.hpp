// How the tile engine cuts a loop nest over C: `line` runs over the fastest axes of C, `rows` over the fastest axes of the
// operands that the line does not cover, and `rest` over everything else. A tile, line times rows, then has whole cache lines
// of every tensor and fits a near cache, and its elements are found by adding two table entries, whatever the rank. The last
// axis of line and of rows may be cut into chunks.
#pragma once

#include "cpu/kernels/contraction_axes.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

inline constexpr Index kMostLine = 1024, kMostRows = 256;  ///< elements of the groups

struct LoopGroup {
    LoopAxes axes;
    Index size = 1;
    Index chunked = -1;     ///< index in `rest` of the loop over the chunks of the last axis, or -1
    Index last_extent = 0;  ///< extent of the last axis before it was cut
};

struct TilePlan {
    LoopGroup line, rows;
    LoopAxes rest;
    Index rest_size = 1;

    /// Elements of `group` that exist in the tile at `position` of the rest loops.
    [[nodiscard]] static Index size_at(const LoopGroup& group, const Odometer& position);
};

/// How many elements a tile should have along C's fastest axes, and along the fastest axes of each operand.
struct TileWish {
    Index line, operand;
};

/// Cuts `loops`, sorted by their strides in C and fused.
[[nodiscard]] TilePlan plan_tiles(const LoopAxes& loops, TileWish wish);

/// How the offsets of a table go up.
enum class Walk { Unit, Fixed, Table };

/// Offsets of a loop group in one tensor.
template <Index kSize>
struct OffsetTable {
    Index offsets[kSize];
    Index run;  ///< the table is made of runs of this length that go up by `step`
    Walk walk;

    void classify(Index size, Index step) {
        bool fixed = true;
        for (Index i = 0; i < size; ++i) fixed = fixed && offsets[i] == 0;
        for (run = 1; run < size && offsets[run] == run * step;) ++run;
        walk = run == size ? Walk::Unit : fixed ? Walk::Fixed : Walk::Table;
    }
};

/// Fills the tables of `group` for the three tensors; one step along a contiguous axis is `step`.
template <Index kSize>
void fill_tables(const LoopGroup& group, Index step, OffsetTable<kSize>& a, OffsetTable<kSize>& b, OffsetTable<kSize>& c) {
    fill_offsets(group.axes, 0, group.size, &LoopAxis::a, a.offsets, &LoopAxis::b, b.offsets);
    fill_offsets(group.axes, 0, group.size, &LoopAxis::c, c.offsets, &LoopAxis::c, c.offsets);
    a.classify(group.size, step);
    b.classify(group.size, step);
    c.classify(group.size, step);
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu
