// How the strided engine cuts C into blocks: `inner` runs over the fastest axes of C, `outer` over the fastest axes of the
// operands, and `rest` over everything else. The last axis of inner and of outer may be cut into chunks.
#pragma once

#include "cpu/kernels/contraction_axes.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

inline constexpr Index kMostInner = 256, kMostOuter = 32;  ///< elements of the groups

struct LoopGroup {
    LoopAxes axes;
    Index size = 1;
    Index chunked = -1;     ///< index in `rest` of the loop over the chunks of the last axis, or -1
    Index last_extent = 0;  ///< extent of the last axis before it was cut
};

struct BlockPlan {
    LoopGroup inner, outer;
    LoopAxes rest;
    Index rest_size = 1;

    /// Elements of `group` that exist in the block at `position` of the rest loops.
    [[nodiscard]] static Index size_at(const LoopGroup& group, const Odometer& position);
};

/// Cuts the loops over all axes of C.
[[nodiscard]] BlockPlan plan_blocks(const Contraction& loops);

}  // namespace tenferro::inline TENFERRO_ABI::cpu
