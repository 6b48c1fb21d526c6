// Copies and zeros, which know elements only by their width. Six ways: plain loops over a few, runs of at
// least a cache line that both layouts share, those that are reversed, runs of one repeated word, groups of a
// few words that are taken apart or put together, and tiles of words. A short run that both share becomes one
// word.
#include "cpu/kernels/movement/copy.hpp"

#include <algorithm>
#include <cstring>

#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/movement/copy_loops.hpp"
#include "cpu/kernels/movement/near_copy.hpp"
#include "cpu/kernels/movement/tile_walk.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kFewElements = 4096;      // plain loops over so many elements cost less than tables
constexpr Index kFewBytes = 1 << 15;      // and stay in the nearest cache
constexpr Index kWidestWord = 32;         // bytes
constexpr Index kMostRun = 1 << 14;       // bytes of a run that one task copies
constexpr Index kMostStreamed = 1 << 20;  // the same past the caches
constexpr Index kTileRuns = 512;          // bytes of neighbouring runs in either layout
constexpr Index kJoinedRuns = 1536;       // and in the target, where they are put together first
constexpr Index kStreamedAlone = 192;     // bytes of whole lines that need not be put together for that
constexpr Index kStreamedTile =
    256;                         // bytes of words in either layout that go past the caches from registers
constexpr Index kTileLine = 64;  // words along the target: long runs to stream, some lines read at once,
constexpr Index kTileLineBytes = 128;  // but whole lines,
constexpr Index kRaggedLine = 128;     // and more where its rows begin and end within lines
constexpr Index kTileRows = 256;       // bytes of each of the streams in a tile
constexpr Index kNarrowFrom = 512;     // bytes of rows of which a tile has a cache line each
constexpr Index kPage = 1 << 12;       // bytes that share sets of the first cache
constexpr Index kFewRows = 8;          // fewer long lines are written in parallel without trouble
constexpr Index kNearBytes = 1 << 18;  // what stays in the near caches: copies that small are not staged

CopyLoops copy_loops(const TensorRead& a, const TensorWrite& out, Index width, CpuContext& context) {
    Offsets<2> base;
    const auto fused = fused_axes<2>(out.shape(), {&out.strides(), &a.strides()}, base);
    CopyLoops loops{static_cast<const std::byte*>(a.data()) + base[1] * width,
                    static_cast<std::byte*>(out.data()) + base[0] * width,
                    {},
                    width,
                    out.size() * width,
                    out.size() * width >= context.stream_bytes() ||
                        worth_streaming(out.size() * width, distinct_bytes(a), context)};
    for (const auto& axis : fused)
        loops.axes.push_back({axis.extent, {axis.stride[1] * width, 0, axis.stride[0] * width}});
    return loops;
}

/// Makes the run that both layouts share one word where a word may be that long; returns whether it is a
/// longer run, which then is no longer among the axes.
bool take_shared_run(CopyLoops& loops) {
    if (loops.axes.empty() || loops.axes[0].stride[kA] != loops.word ||
        loops.axes[0].stride[kC] != loops.word)
        return false;
    const Index run = loops.axes[0].extent * loops.word;
    const bool is_word = run <= kWidestWord && (run & (run - 1)) == 0;
    if (!is_word && run < kCacheLine) return false;
    loops.word = run;
    loops.axes.erase(0);
    return !is_word;
}

void copy_line(std::byte* to, const std::byte* from, Index bytes) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

/// What a run of the target is in `a`: as it is there, one word, or one behind the other.
enum class Run : Index { Reversed = -1, Repeated = 0, Same = 1 };

/// Takes a run that lies in such a way from the axes; returns its bytes, 0 where there is none worth the way.
Index take_run(CopyLoops& loops, Run run_is) {
    if (loops.axes.empty() || loops.axes[0].stride[kA] != static_cast<Index>(run_is) * loops.word ||
        loops.axes[0].stride[kC] != loops.word)
        return 0;
    const Index run = loops.axes[0].extent * loops.word;
    if (run < kCacheLine) return 0;
    loops.axes.erase(0);
    return run;
}

/// Whether steps along axes lead from cache line to cache line of the target.
bool are_at_lines(const LoopAxes& axes) {
    return std::all_of(axes.begin(), axes.end(),
                       [](const LoopAxis& axis) { return axis.stride[kC] % kCacheLine == 0; });
}

/// Puts the runs of a tile together in near memory, in the order in which `a` has them, and writes whole
/// lines of them; meanwhile the next runs of `a` are fetched, which the processor does not foresee so far
/// apart.
void stream_tile(const CopyLoops& loops, const TileWalk& walk, const Odometer<3>& at, Index line, Index rows,
                 Index run) {
    const MoveLine write = line_streamer();
    const Index pitch = line * run + kCacheLine;
    std::byte* const near = scratch(ScratchUse::PackedA, static_cast<std::size_t>(rows * pitch));
    for (Index l = 0; l < line; ++l)
        for (Index r = 0; r < rows; ++r) {
            const std::byte* const from =
                loops.from + at.in(kB) + walk.row_b.offsets[r] + walk.line_b.offsets[l];
            for (Index next = 0; next < run; next += kCacheLine) __builtin_prefetch(from + kTileRuns + next);
            copy_line(near + r * pitch + l * run, from, run);
        }
    for (Index r = 0; r < rows; ++r)
        write(loops.to + at.in(kC) + walk.row_c.offsets[r], near + r * pitch, line * run);
}

// The tables of a walk over tiles take up to 34 kB of the call stack. Not inlined: most copies need none.

/// Writes runs of so many bytes. Enough of them to make good use of memory pages come together.
[[gnu::noinline]] void write_runs(CopyLoops& loops, Index run, Run run_is, CpuContext& context) {
    const bool repeats = run_is == Run::Repeated;
    const Index most = loops.streams ? kMostStreamed : kMostRun;
    if (run > most) {
        const Index whole = run / most, rest = run % most, step = static_cast<Index>(run_is) * most;
        if (rest != 0) {
            CopyLoops tail = loops;
            tail.from += whole * step;
            tail.to += whole * most;
            write_runs(tail, rest, run_is, context);
        }
        loops.axes.insert(0, {whole, {step, 0, most}});
        run = most;
    }
    for (LoopAxis& axis :
         loops.axes) {  // tiles follow `a`: words to be repeated are so few that the target decides
        axis.stride[kB] = axis.stride[kA];
        if (repeats) axis.stride[kA] = axis.stride[kC];
    }
    const MoveLine copy = run_is == Run::Reversed ? line_reverser(loops.word, loops.streams)
                          : loops.streams         ? line_streamer()
                                                  : copy_line;
    const FillLine fill = line_filler(loops.streams);
    const bool are_lines = run >= kStreamedAlone && run % kCacheLine == 0 && bytes_to_line(loops.to) == 0 &&
                           are_at_lines(loops.axes),
               short_runs = loops.streams && run_is == Run::Same && 2 * run <= kTileRuns && !are_lines;
    const Index together = std::max<Index>(kTileRuns / run, 1),
                along = short_runs ? kJoinedRuns / run : together;
    const TileWish wish = loops.streams ? TileWish{along, together, along, 1} : TileWish{together, together};
    const TileWalk walk(loops.axes, wish, run);
    const bool joins = short_runs && walk.line_c.walk == Walk::Unit;
    walk.run(context, loops.bytes < kCopyForkBytes, [&](const Odometer<3>& at, Index line, Index rows) {
        if (joins) return stream_tile(loops, walk, at, line, rows, run);
        for (Index r = 0; r < rows; ++r)
            for (Index l = 0; l < line; ++l) {
                std::byte* const to = loops.to + at.in(kC) + walk.row_c.offsets[r] + walk.line_c.offsets[l];
                const std::byte* const from =
                    loops.from + at.in(kB) + walk.row_b.offsets[r] + walk.line_b.offsets[l];
                if (repeats)
                    fill(to, from, loops.word, run);
                else
                    copy(to, from, run);
            }
    });
}

/// Whether rows of the target, all along its fastest axis, begin where the first one does in a cache line.
bool begins_at_lines(const CopyLoops& loops) {
    return std::all_of(loops.axes.begin() + 1, loops.axes.end(),
                       [](const LoopAxis& axis) { return axis.stride[kC] % kCacheLine == 0; });
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
            next == walk.plan.rows.size * loops.word ? std::max(next, kTileRows) : next};
}

/// Words past the caches, whole lines from registers; false, and nothing is done, where those of the target
/// do not come about.
[[gnu::noinline]] bool stream_words(const CopyLoops& loops, CpuContext& context) {
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
    return {line, (narrow ? kCacheLine : kTileRows) / loops.word, line, kTileLine * kFewRows};
}

/// Words, in tiles that are put together in near memory first where the target is far: whole lines of it are
/// then written one after the other, past the caches if the target is large.
[[gnu::noinline]] void copy_words(const CopyLoops& loops, CpuContext& context) {
    const TileWalk walk(loops.axes, words_wish(loops), loops.word);
    const MoveTile move = tile_mover(loops.word);
    const MoveLine write = loops.streams ? line_streamer() : copy_line;
    const Index line_bytes = walk.plan.line.size * loops.word, joined = joined_rows(walk, line_bytes),
                run_bytes = joined * line_bytes, pitch = run_bytes + kCacheLine;
    const bool staged = loops.bytes > kNearBytes && walk.line_c.walk == Walk::Unit &&
                        run_bytes >= kCacheLine && walk.plan.rows.size >= kFewRows;
    Index staged_rows[kMostRows];
    for (Index r = 0; r < walk.plan.rows.size; ++r)
        staged_rows[r] = r / joined * pitch + r % joined * line_bytes;
    walk.run(context, loops.bytes < kCopyForkBytes, [&](const Odometer<3>& at, Index line, Index rows) {
        TileMove tile = tile_at(loops, walk, at, line, rows);
        if (!staged) return move(tile);
        std::byte* const stage = scratch(
            ScratchUse::PackedA, static_cast<std::size_t>((line_bytes + kCacheLine) * walk.plan.rows.size));
        tile.to = stage;
        tile.to_row = staged_rows;
        move(tile);
        for (Index r = 0; r < rows; r += joined)
            write(loops.to + at.in(kC) + walk.row_c.offsets[r], stage + staged_rows[r],
                  std::min(joined, rows - r) * line * loops.word);
    });
}

}  // namespace

void copy(const TensorRead& a, const TensorWrite& out, CpuContext& context) {
    const Index size = out.size();
    if (size == 0 || (a.data() == out.data() && a.strides() == out.strides())) return;
    const auto width = static_cast<Index>(info(out.dtype()).bytes);
    const bool few = size <= kFewElements && size * width <= kFewBytes;
    if (few && a.is_compact() && out.is_compact()) {
        std::memcpy(out.data(), a.data(), static_cast<std::size_t>(size * width));
        return;
    }
    CopyLoops loops = copy_loops(a, out, width, context);
    if (few) {
        NearAxes near;
        for (const LoopAxis& axis : loops.axes)
            near.push_back({axis.extent, {axis.stride[kC], axis.stride[kA]}});
        return copy_near(width, loops.to, loops.from, near);
    }
    if (take_shared_run(loops)) return write_runs(loops, loops.word, Run::Same, context);
    if (const Index run = take_run(loops, Run::Repeated); run != 0)
        return write_runs(loops, run, Run::Repeated, context);
    if (line_reverser(loops.word, loops.streams) != nullptr)
        if (const Index run = take_run(loops, Run::Reversed); run != 0)
            return write_runs(loops, run, Run::Reversed, context);
    if (copy_interleaved(loops, context) || (loops.streams && stream_words(loops, context))) return;
    copy_words(loops, context);
}

void fill_zero(const TensorWrite& out, CpuContext& context) {
    const Index size = out.size();
    if (size == 0) return;
    if (out.is_compact()) {
        const auto width = static_cast<Index>(info(out.dtype()).bytes);
        auto* const bytes = static_cast<std::byte*>(out.data());
        for_each_piece(size, 1, [&](Index begin, Index end) {
            std::memset(bytes + begin * width, 0, static_cast<std::size_t>((end - begin) * width));
        });
        return;
    }
    constexpr unsigned char zero[16] = {};
    copy(TensorRead(out.dtype(), zero, out.shape(), Dims(out.rank(), 0)), out, context);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
