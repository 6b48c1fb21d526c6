// How work is shared by threads: ranges of equal length, a few for each thread, so that one that is held up
// leaves its rest to the others. Where the ranges end depends on the number of threads; results must not.
#pragma once

#include <algorithm>

#include "cpu/kernels/loops/watched.hpp"
#include "tenferro/cpu/cpu_context.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Elements below which starting the workers costs more than they save.
inline constexpr Index kParallelElements = 32768;

/// The number of ranges that work is cut into where it can be: many where somebody may cancel it.
[[nodiscard]] inline Index wanted_ranges(const CpuContext& context) noexcept {
    constexpr Index kRangesPerThread = 4, kWatchedRangesPerThread = 128;
    const bool watched = is_watched();
    return (watched ? kWatchedRangesPerThread : kRangesPerThread) * context.threads();
}

/// How long parts of at most `most` are that `count`, not 0, is cut into, as equal as can be.
[[nodiscard]] constexpr Index even_part(Index count, Index most) noexcept {
    const Index parts = (count + most - 1) / most;
    return (count + parts - 1) / parts;
}

struct Range {
    Index begin, end;
};

/// Range `part` of the `parts` that [0, count) is cut into.
[[nodiscard]] constexpr Range range_of(Index count, Index part, Index parts) noexcept {
    return {count * part / parts, count * (part + 1) / parts};
}

/// Calls body(begin, end) for ranges that are [0, count) together, in parallel; for all of it at once on this
/// thread where `alone`, or where there is one thread and nobody who may cancel, or nothing to share.
template <class Body>
void for_each_range(CpuContext& context, Index count, bool alone, const Body& body) {
    if (alone || count <= 1) return body(Index{0}, count);
    if (context.threads() == 1 && !is_watched()) return body(Index{0}, count);
    const Index parts = std::min(count, wanted_ranges(context));
    context.parallel_for(parts, [&](Index part) {
        const Range range = range_of(count, part, parts);
        body(range.begin, range.end);
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
