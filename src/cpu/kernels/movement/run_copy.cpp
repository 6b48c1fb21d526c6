// Copies of runs that lie alike in both layouts, reversed, or are one word again and again. Past the caches
// short ones that begin anywhere are put together in near memory, so that whole lines are written.
#include <algorithm>

#include "cpu/caches.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/movement/copy_loops.hpp"
#include "cpu/kernels/movement/tile_walk.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kMostRun = 1 << 14;       // bytes of a run that one task copies in the caches,
constexpr Index kMostStreamed = 1 << 20;  // and past them
constexpr Index kLeastLooks = 4;          // whether a copy past the caches is cancelled
constexpr Index kTileRuns = 512;          // bytes of neighbouring runs in either layout
constexpr Index kJoinedRuns = 1536;       // and in the target, where they are put together first
constexpr Index kShortCopy = 512;         // bytes of a run that is copied without a call
constexpr Index kStreamedAlone = 192;     // bytes of whole lines that need not be put together for that

/// Bytes of a run that one task copies. Long pieces are streamed faster than short ones.
Index most_of_run(const CopyLoops& loops) {
    if (!loops.streams) return kMostRun;
    if (!is_watched()) return kMostStreamed;
    return std::clamp(loops.bytes / kLeastLooks / kPageBytes * kPageBytes, kMostRun, kMostStreamed);
}

/// Puts the runs of a tile together in near memory, in the order in which `a` has them, and writes whole
/// lines of them; meanwhile those of the next tile are fetched, which the processor does not foresee so far
/// apart.
void stream_tile(const CopyLoops& loops, const TileWalk& walk, const Odometer<3>& at, Index line, Index rows,
                 Index run) {
    const MoveLine write = line_streamer();
    const Index pitch = line * run + kCacheLine, next_tile = at.next_step(kB);
    std::byte* const near = scratch(ScratchUse::PackedA, static_cast<std::size_t>(rows * pitch));
    for (Index l = 0; l < line; ++l)
        for (Index r = 0; r < rows; ++r) {
            const std::byte* const from =
                loops.from + at.in(kB) + walk.row_b.offsets[r] + walk.line_b.offsets[l];
            for (Index i = 0; i < run; i += kCacheLine) __builtin_prefetch(from + next_tile + i);
            copy_line(near + r * pitch + l * run, from, run);
        }
    for (Index r = 0; r < rows; ++r)
        write(loops.to + at.in(kC) + walk.row_c.offsets[r], near + r * pitch, line * run);
}

/// Calls copy(to, from) for all runs of a tile.
template <class CopyRun>
void for_each_run(const CopyLoops& loops, const TileWalk& walk, const Odometer<3>& at, Index line, Index rows,
                  const CopyRun& copy) {
    for (Index r = 0; r < rows; ++r)
        for (Index l = 0; l < line; ++l)
            copy(loops.to + at.in(kC) + walk.row_c.offsets[r] + walk.line_c.offsets[l],
                 loops.from + at.in(kB) + walk.row_b.offsets[r] + walk.line_b.offsets[l]);
}

/// Copies at least a cache line, so little that a call would show.
void copy_short_run(std::byte* to, const std::byte* from, Index bytes) {
    const Index last = bytes - kCacheLine;
    for (Index i = 0; i < last; i += kCacheLine) std::memcpy(to + i, from + i, kCacheLine);
    std::memcpy(to + last, from + last, kCacheLine);
}

}  // namespace

// Enough of them to make good use of memory pages come together.
void copy_runs(CopyLoops& loops, Index run, Run run_is, CpuContext& context) {
    const bool repeats = run_is == Run::Repeated;
    const Index most = most_of_run(loops);
    if (run > most) {
        const Index whole = run / most, rest = run % most, step = static_cast<Index>(run_is) * most;
        if (rest != 0) {
            CopyLoops tail = loops;
            tail.from += whole * step;
            tail.to += whole * most;
            copy_runs(tail, rest, run_is, context);
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
    const bool whole = run % kCacheLine == 0 && bytes_to_line(loops.to) == 0 && are_at_lines(loops.axes),
               are_short = loops.streams && run_is == Run::Same && 2 * run <= kTileRuns &&
                           !(whole && run >= kStreamedAlone);
    const Index together = std::max<Index>(kTileRuns / run, 1),
                along = are_short && !(whole && run > kCacheLine) ? kJoinedRuns / run : together;
    const TileWish wish = loops.streams ? TileWish{along, together, along, 1} : TileWish{together, together};
    const TileWalk walk(loops.axes, wish, run);
    const bool joins = are_short && walk.line_c.walk == Walk::Unit;
    const bool is_short = !loops.streams && run_is == Run::Same && run <= kShortCopy;
    walk.run(context, loops.bytes < kCopyForkBytes, [&](const Odometer<3>& at, Index line, Index rows) {
        const auto each = [&](const auto& copy_one) { for_each_run(loops, walk, at, line, rows, copy_one); };
        if (joins) return stream_tile(loops, walk, at, line, rows, run);
        if (is_short) return each([run](auto* to, auto* from) { copy_short_run(to, from, run); });
        if (repeats) return each([&](auto* to, auto* from) { fill(to, from, loops.word, run); });
        each([&](auto* to, auto* from) { copy(to, from, run); });
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
