// What the plans of tiles have in common: axes move to the line or the rows, and what is left goes around.
#pragma once

#include "cpu/kernels/loops/tile_plan.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Moves axis `which` of `axes` to the end of `group`, cutting it when it is much longer than the `room`
/// elements that are wanted of it or makes the group larger than `most`. The chunk loop is kept aside in
/// `chunks`.
void take(LoopAxes& axes, std::size_t which, Index room, LoopGroup& group, Index most, LoopAxes& chunks);

/// What is left of `axes` goes around the tiles, the loops over chunks inside.
void loop_over_rest(const LoopAxes& axes, TilePlan& plan, LoopAxes& chunks);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
