#include "cpu/kernels/loops/plan_steps.hpp"

#include <algorithm>

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kGrain = 16;  // chunks are multiples of this many elements, so that vectors fill them

/// Length of the chunks that an axis of `extent` is cut into when about `room` elements of it are wanted.
Index chunk_length(Index extent, Index room) {
    if (room < kGrain) return room;
    const Index chunks = (extent + room - 1) / room;
    return std::min((extent + chunks - 1) / chunks + kGrain - 1, room) / kGrain * kGrain;
}

}  // namespace

void take(LoopAxes& axes, std::size_t which, Index room, LoopGroup& group, Index most, LoopAxes& chunks) {
    LoopAxis axis = axes[which];
    axes.erase(which);
    if (axis.extent > 3 * room || axis.extent * group.size > most) {
        const Index length = chunk_length(axis.extent, room);
        group.last_extent = axis.extent;
        group.chunked = static_cast<Index>(chunks.size());
        LoopAxis chunk{(axis.extent + length - 1) / length, axis.stride};
        for (Index& stride : chunk.stride) stride *= length;
        chunks.push_back(chunk);
        axis.extent = length;
    }
    group.inner = group.size;
    group.size *= axis.extent;
    group.axes.push_back(axis);
}

void loop_over_rest(const LoopAxes& axes, TilePlan& plan, LoopAxes& chunks) {
    if (plan.line.chunked >= 0 && plan.rows.chunked >= 0) {
        std::swap(chunks[0], chunks[1]);
        std::swap(plan.line.chunked, plan.rows.chunked);
    }
    plan.rest = chunks;
    plan.rest.append(axes);
    plan.rest_size = size_of(plan.rest);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
