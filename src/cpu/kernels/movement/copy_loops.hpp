// A copy as loops over byte offsets, and the way of it that has a file of its own.
#pragma once

#include "cpu/kernels/loops/loop_axes.hpp"
#include "tenferro/cpu/cpu_context.hpp"

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

/// Copies between groups of two to four words in one layout and lines in the other; false, and nothing is
/// done, where the loops are something else.
bool copy_interleaved(const CopyLoops& loops, CpuContext& context);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
