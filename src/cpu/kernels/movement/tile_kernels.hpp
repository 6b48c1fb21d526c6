// The SIMD half of the tile engine: moving a tile between two layouts by transposes in registers. Elements
// are words of a few bytes; all offsets count bytes, so that nothing needs to be aligned.
#pragma once

#include <cstddef>

#include "tenferro/base/checked.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Element (l, r) goes from from[from_line[l] + from_row[r]] to to[to_line[l] + to_row[r]].
struct TileMove {
    const std::byte* from;
    const Index *from_line, *from_row;
    std::byte* to;
    const Index *to_line, *to_row;
    Index line, rows;  ///< elements along the line and number of rows
    Index line_run;    ///< so many words of the line are adjacent in the target, again and again
    Index row_run;     ///< so many words of the rows are adjacent in the source, again and again
    Index ahead;       ///< bytes from the source's words to those that are asked for meanwhile
    bool asks;         ///< for the lines of the target that are written next
};

using MoveTile = void (*)(const TileMove& tile);

/// The kernel for words of 1, 2, 4, 8, 16 or 32 bytes.
[[nodiscard]] MoveTile tile_mover(Index word);

/// Past the caches, or null where a cache line cannot be stored at once. In the target each row, and each run
/// of it, begins with a cache line.
[[nodiscard]] MoveTile tile_streamer(Index word);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
