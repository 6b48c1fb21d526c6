// A copy as loops over byte offsets, and the ways of it that have files of their own.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "cpu/kernels/loops/loop_axes.hpp"
#include "cpu/kernels/movement/streaming.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

inline constexpr Index kCopyForkBytes = Index{1} << 17;  // below, a fork costs more than it saves

/// `a` in the source, `c` in the target, the target's fastest axis first.
struct CopyLoops {
    const std::byte* from;
    std::byte* to;
    LoopAxes axes;
    Index word;    ///< bytes that both layouts keep together
    Index bytes;   ///< of all of it
    bool streams;  ///< write past the caches
};

inline void copy_line(std::byte* to, const std::byte* from, Index bytes) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

/// Whether steps along axes lead from cache line to cache line of the target.
[[nodiscard]] inline bool are_at_lines(std::span<const LoopAxis> axes) {
    return std::all_of(axes.begin(), axes.end(),
                       [](const LoopAxis& axis) { return axis.stride[kC] % kCacheLine == 0; });
}

/// What a run of the target is in `a`: as it is there, one word, or one behind the other.
enum class Run : Index { Reversed = -1, Repeated = 0, Same = 1 };

// These two have tables of up to 34 kB on the call stack. Not inlined: most copies need none.

/// Copies runs of so many bytes, which are no longer among the axes.
[[gnu::noinline]] void copy_runs(CopyLoops& loops, Index run, Run run_is, CpuContext& context);

/// Copies words.
[[gnu::noinline]] void copy_words(const CopyLoops& loops, CpuContext& context);

/// Copies between groups of two to four words in one layout and lines in the other; false, and nothing is
/// done, where the loops are something else.
bool copy_interleaved(const CopyLoops& loops, CpuContext& context);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
