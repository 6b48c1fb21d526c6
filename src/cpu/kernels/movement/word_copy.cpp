// Copies of words in tiles that have whole cache lines of both layouts.
#include <algorithm>

#include "cpu/kernels/movement/copy_loops.hpp"
#include "cpu/kernels/movement/tile_walk.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kStreamedTile = 256;  // bytes in either layout of words that are streamed from registers
constexpr Index kTileLine = 64;       // words along the target: long runs to stream, some lines read at once,
constexpr Index kTileLineBytes = 128;  // but whole lines,
constexpr Index kRaggedLine = 128;     // and more where its rows begin and end within lines
constexpr Index kTileRows = 256;       // bytes of each of the streams in a tile
constexpr Index kNarrowFrom = 512;     // bytes of rows of which a tile has a cache line each
constexpr Index kPage = 1 << 12;       // bytes that share sets of the first cache
constexpr Index kWays = 8;             // lines that a set has room for
constexpr Index kFewRows = 8;          // fewer long lines are written in parallel without trouble
constexpr Index kNearBytes = 1 << 18;  // what stays in the near caches: copies that small are not staged

/// Whether rows of the target, all along its fastest axis, begin where the first one does in a cache line.
bool begins_at_lines(const CopyLoops& loops) {
    return are_at_lines(std::span(loops.axes.begin() + 1, loops.axes.end()));
}

/// How many rows of a tile together are one run of the target.
Index joined_rows(const TileWalk& walk, Index line_bytes) {
    if (walk.plan.line.chunked >= 0) return 1;
    Index rows = 1;
    while (rows < walk.plan.rows.size && walk.row_c.offsets[rows] == rows * line_bytes) ++rows;
    return rows;
}

TileMove tile_at(const CopyLoops& loops, const TileWalk& walk, const Odometer<3>& at, Index line,
                 Index rows) {
    const Index next = at.next_step(kA);
    return {loops.from + at.in(kA),
            walk.line_a.offsets,
            walk.row_a.offsets,
            loops.to + at.in(kC),
            walk.line_c.offsets,
            walk.row_c.offsets,
            line,
            rows,
            walk.line_c.run,
            walk.row_a.run,
            next == walk.plan.rows.size * loops.word ? std::max(next, kTileRows) : next,
            false};
}

/// Words past the caches, whole lines from registers; false, and nothing is done, where those of the target
/// do not come about.
bool stream_words(const CopyLoops& loops, CpuContext& context) {
    const MoveTile move = tile_streamer(loops.word);
    if (move == nullptr) return false;
    const TileWalk walk(loops.axes, {kStreamedTile / loops.word, kStreamedTile / loops.word}, loops.word);
    if (bytes_to_line(loops.to) != 0 || walk.line_c.walk != Walk::Unit ||
        !are_at_lines(walk.plan.rows.axes) || !are_at_lines(walk.plan.rest))
        return false;
    walk.run(context, loops.bytes < kCopyForkBytes, [&](const Odometer<3>& at, Index line, Index rows) {
        move(tile_at(loops, walk, at, line, rows));
    });
    return true;
}

/// Long rows that begin anywhere in cache lines are written in long lines, of so few rows that all that is
/// read, written and asked for stays in the first cache, unless the lines that are read share its sets.
TileWish words_wish(const CopyLoops& loops) {
    const bool ragged = !begins_at_lines(loops);
    const Index line = std::max(ragged ? kRaggedLine : kTileLine, kTileLineBytes / loops.word);
    const auto along_source = std::find_if(loops.axes.begin(), loops.axes.end(), [&](const LoopAxis& axis) {
        return axis.stride[kA] == loops.word;
    });
    const bool narrow = ragged && loops.streams && loops.word < 16 && loops.axes[0].extent >= kTileLine &&
                        loops.axes[0].stride[kA] % kPage != 0 && along_source != loops.axes.end() &&
                        along_source->extent * loops.word >= kNarrowFrom;
    return {line, (narrow ? kCacheLine : kTileRows) / loops.word};
}

/// Asks for lines of the target, which a store would wait for.
void ask_for(const std::byte* lines, Index bytes) {
    for (Index at = 0; at < bytes; at += kCacheLine) __builtin_prefetch(lines + at, 1, 3);
}

/// How many rows of a tile lie in the same sets of the first cache as the first one.
Index rows_of_a_set(const TileWalk& walk) {
    const Index* const rows = walk.row_c.offsets;
    return std::count_if(rows, rows + walk.plan.rows.size,
                         [&](Index row) { return (row - rows[0]) % kPage == 0; });
}

/// In tiles that are put together in near memory first where the target is far, or its rows share sets of the
/// first cache: whole lines of it are then written one after the other, past the caches if it is far.
void copy_tiles(const CopyLoops& loops, CpuContext& context) {
    const TileWalk walk(loops.axes, words_wish(loops), loops.word);
    const MoveTile move = tile_mover(loops.word);
    const MoveLine write = loops.streams ? line_streamer() : copy_line;
    const Index line_bytes = walk.plan.line.size * loops.word, joined = joined_rows(walk, line_bytes),
                run_bytes = joined * line_bytes, pitch = run_bytes + kCacheLine;
    const bool staged = loops.bytes > kNearBytes && (loops.streams || rows_of_a_set(walk) > kWays) &&
                        walk.line_c.walk == Walk::Unit && run_bytes >= kCacheLine &&
                        walk.plan.rows.size >= kFewRows;
    Index staged_rows[kMostRows];
    for (Index r = 0; r < walk.plan.rows.size; ++r)
        staged_rows[r] = r / joined * pitch + r % joined * line_bytes;
    walk.run(context, loops.bytes < kCopyForkBytes, [&](const Odometer<3>& at, Index line, Index rows) {
        TileMove tile = tile_at(loops, walk, at, line, rows);
        tile.asks = !staged;
        if (!staged) return move(tile);
        std::byte* const stage = scratch(
            ScratchUse::PackedA, static_cast<std::size_t>((line_bytes + kCacheLine) * walk.plan.rows.size));
        tile.to = stage;
        tile.to_row = staged_rows;
        move(tile);
        for (Index r = 0; r < rows; r += joined) {
            std::byte* const to = loops.to + at.in(kC);
            if (!loops.streams && r + joined < rows) ask_for(to + walk.row_c.offsets[r + joined], run_bytes);
            write(to + walk.row_c.offsets[r], stage + staged_rows[r],
                  std::min(joined, rows - r) * line * loops.word);
        }
    });
}

}  // namespace

void copy_words(const CopyLoops& loops, CpuContext& context) {
    if (!loops.streams || !stream_words(loops, context)) copy_tiles(loops, context);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
