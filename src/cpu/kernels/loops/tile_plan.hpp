// How the tile engine cuts a loop nest over C: `line` runs over the fastest axes of C, `rows` over the
// fastest axes of the operands that the line does not cover, and `rest` over everything else. A tile, line
// times rows, then has whole cache lines of every tensor and fits a near cache, and its elements are found by
// adding two table entries, whatever the rank. The last axis of line and of rows may be cut into chunks.
#pragma once

#include "cpu/kernels/loops/loop_axes.hpp"
#include "cpu/kernels/loops/odometer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

inline constexpr Index kMostLine = 1024, kMostRows = 256;  ///< elements of the groups

struct LoopGroup {
    LoopAxes axes;
    Index size = 1;
    bool is_straight = false;  ///< one axis at steps of 1 or 0, of any length: no table of it is made
    Index chunked = -1;        ///< index in `rest` of the loop over the chunks of the last axis, or -1
    Index last_extent = 0;     ///< extent of the last axis before it was cut
    Index inner = 1;           ///< elements of the axes before the last
};

struct TilePlan {
    LoopGroup line, rows;
    LoopAxes rest;
    Index rest_size = 1;
    bool has_runs = false;  ///< operands along a line are runs, parts of them repeated or not

    /// Elements of `group` that exist in the tile at `position` of the rest loops.
    [[nodiscard]] static Index size_at(const LoopGroup& group, const Odometer<3>& position);
};

/// How many elements a tile should have along C's fastest axes, and along the fastest axes of each operand.
struct TileWish {
    Index line, operand;
    /// A line of this many gets no axis that makes an operand's walk along it a table, but the tile more
    /// rows; for an operand of this many no axis is cut.
    Index even = line;
    Index tile = 1024;  ///< elements, where there are as many: a tile costs as much as a hundred elements
};

/// Cuts `loops`, sorted by their strides in C and fused.
[[nodiscard]] TilePlan plan_tiles(const LoopAxes& loops, TileWish wish);

/// Tiles of whole lines along C's first axis, of any length, and of the rows that follow in C, where both
/// operands lie so that each of their cache lines is read once then, elements being of `bytes` bytes; or else
/// no plan, an empty line. Lines have no tables of offsets. `reuses`: parts of a long line stay in the first
/// cache for the rows that an operand repeats it for.
[[nodiscard]] TilePlan plan_lines(const LoopAxes& loops, Index bytes, bool reuses);

/// Bytes from which on a first axis of C is not short: where an operand is contiguous along those that
/// follow, too; where both have repeated elements there; and where one is contiguous and the other the same
/// along all lines.
struct ShortAxis {
    Index contiguous, repeated, shared;
};

/// Tiles whose lines of up to `most_bytes` are several of C's first axes, where the first is short. The
/// elements of each operand along them are one run, parts of it repeated or not. Or else no plan, an empty
/// line.
[[nodiscard]] TilePlan plan_short_axes(const LoopAxes& loops, Index bytes, ShortAxis is_short,
                                       Index most_bytes);

/// How the offsets of a table go up; those of windows are not read.
enum class Walk { Unit, Fixed, Table, Window };

/// Offsets of a loop group in one tensor.
template <Index kSize>
struct OffsetTable {
    Index offsets[kSize];
    Index run = 1;  ///< the table is made of runs of this length that go up by one step
    Walk walk = Walk::Unit;

    /// One step along a contiguous axis is `step`.
    void fill(const LoopGroup& group, std::size_t tensor, Index step) {
        if (!group.is_straight) fill_offsets(group.axes, 0, group.size, tensor, offsets);
        run = 1;
        bool fixed = true, joined = true;
        for (const LoopAxis& axis : group.axes) {
            fixed = fixed && axis.stride[tensor] == 0;
            joined = joined && axis.stride[tensor] == run * step;
            if (joined) run *= axis.extent;
        }
        walk = joined ? Walk::Unit : fixed ? Walk::Fixed : Walk::Table;
    }
};

/// Fills the tables of `group` for the three tensors.
template <Index kSize>
void fill_tables(const LoopGroup& group, Index step, OffsetTable<kSize>& a, OffsetTable<kSize>& b,
                 OffsetTable<kSize>& c) {
    a.fill(group, kA, step);
    b.fill(group, kB, step);
    c.fill(group, kC, step);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
