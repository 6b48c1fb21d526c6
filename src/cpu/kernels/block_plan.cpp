// The choice of blocks: enough of C's fastest axes for whole cache lines, enough of the operands' fastest axes that the
// lines they read are used while they are in cache, small enough that all of it fits the first-level cache.
#include "cpu/kernels/block_plan.hpp"

#include <algorithm>
#include <cstdlib>

namespace tenferro::inline TENFERRO_ABI::cpu {

namespace {

constexpr Index kInnerEnough = 64;
constexpr Index kOuterEnough = 16;

/// Moves axis `which` of `axes` to the end of `group`, cutting it when it is longer than `room`. The chunk loop is kept
/// aside in `chunks`.
void take(LoopAxes& axes, std::size_t which, Index room, LoopGroup& group, LoopAxes& chunks) {
    LoopAxis axis = axes[which];
    axes.erase(which);
    if (axis.extent > room) {
        group.last_extent = axis.extent;
        group.chunked = static_cast<Index>(chunks.size());
        chunks.push_back({(axis.extent + room - 1) / room, axis.a * room, axis.b * room, axis.c * room});
        axis.extent = room;
    }
    group.size *= axis.extent;
    group.axes.push_back(axis);
}

std::size_t fastest(const LoopAxes& axes, Index LoopAxis::*stride) {
    std::size_t best = axes.size();
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i].*stride == 0) continue;
        if (best == axes.size() || std::abs(axes[i].*stride) < std::abs(axes[best].*stride)) best = i;
    }
    return best;
}

/// Whether the group already walks the operand's lines: some axis of it moves by one element.
bool covers_lines(const LoopGroup& group, Index LoopAxis::*stride) {
    Index run = 1;
    for (const LoopAxis& axis : group.axes)
        if (std::abs(axis.*stride) == run) run *= axis.extent;
    return run >= 8;
}

void sort_by_c(LoopAxes& axes) {
    std::stable_sort(axes.begin(), axes.end(),
                     [](const LoopAxis& x, const LoopAxis& y) { return std::abs(x.c) < std::abs(y.c); });
}

}  // namespace

Index BlockPlan::size_at(const LoopGroup& group, const Odometer& position) {
    if (group.chunked < 0) return group.size;
    const Index chunk = group.axes.back().extent;
    const Index left = group.last_extent - position[static_cast<std::size_t>(group.chunked)] * chunk;
    return group.size / chunk * std::min(chunk, left);
}

BlockPlan plan_blocks(const Contraction& loops) {
    LoopAxes axes;
    axes.append(loops.m);
    axes.append(loops.n);
    axes.append(loops.batch);
    sort_by_c(axes);
    fuse(axes);

    BlockPlan plan;
    LoopAxes chunks;
    while (!axes.empty() && plan.inner.size < kInnerEnough) take(axes, 0, kMostInner / plan.inner.size, plan.inner, chunks);
    for (Index LoopAxis::*stride : {&LoopAxis::a, &LoopAxis::b}) {
        const bool covered = covers_lines(plan.inner, stride);
        for (Index wanted = plan.outer.size * kOuterEnough; !covered && plan.outer.size < wanted && plan.outer.chunked < 0;) {
            const std::size_t next = fastest(axes, stride);
            if (next == axes.size() || plan.outer.size * 2 > kMostOuter) break;
            take(axes, next, kMostOuter / plan.outer.size, plan.outer, chunks);
        }
    }
    if (plan.outer.axes.empty() && !axes.empty()) take(axes, 0, kMostOuter, plan.outer, chunks);

    plan.rest = chunks;
    plan.rest.append(axes);
    for (const LoopAxis& axis : plan.rest) plan.rest_size *= axis.extent;
    return plan;
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu
