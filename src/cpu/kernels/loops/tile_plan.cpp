// The choice of tiles: enough of C's fastest axes for whole cache lines, then, operand by operand, enough of
// its fastest axes that the lines read are used completely while they are in cache.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "cpu/kernels/loops/plan_steps.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kEnough = 8;  // elements of a line, after which no axis is cut to make it longer

/// The smallest nonzero stride above `floor` in absolute value, as a position in `axes`; axes.size() if there
/// is none.
std::size_t next_by(const LoopAxes& axes, std::size_t tensor, Index floor) {
    std::size_t best = axes.size();
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const Index step = std::abs(axes[i].stride[tensor]);
        if (step > floor && (best == axes.size() || step < std::abs(axes[best].stride[tensor]))) best = i;
    }
    return best;
}

/// Adds the fastest axes of one operand to the rows until the tile has as many elements along them as are
/// wished, counting those that it has already.
void cover_operand(LoopAxes& axes, TilePlan& plan, LoopAxes& chunks, std::size_t tensor, TileWish wish) {
    Index have = 1, floor = 0;
    while (have < wish.operand && plan.rows.chunked < 0) {
        const std::size_t in_line = next_by(plan.line.axes, tensor, floor),
                          in_rows = next_by(plan.rows.axes, tensor, floor),
                          left = next_by(axes, tensor, floor);
        constexpr Index kNoAxis = std::numeric_limits<Index>::max();
        const auto step = [tensor](const LoopAxes& list, std::size_t i) {
            return i == list.size() ? kNoAxis : std::abs(list[i].stride[tensor]);
        };
        const Index line_step = step(plan.line.axes, in_line), rows_step = step(plan.rows.axes, in_rows);
        const Index left_step = step(axes, left), fastest = std::min({line_step, rows_step, left_step});
        if (fastest == kNoAxis) return;
        floor = fastest;
        if (fastest == left_step) {
            const Index room = std::min((wish.operand + have - 1) / have, kMostRows / plan.rows.size);
            if (room < 2 || (have >= wish.even && axes[left].extent > 3 * room)) return;
            take(axes, left, room, plan.rows, kMostRows, chunks);
            have *= plan.rows.axes.back().extent;
        } else {
            const LoopGroup& group = fastest == line_step ? plan.line : plan.rows;
            const std::size_t position = fastest == line_step ? in_line : in_rows;
            have *= group.axes[position].extent;
            if (group.chunked >= 0 && position + 1 == group.axes.size()) return;
        }
    }
}

/// For lines that may be short: C's fastest axes go to the rows until the tile has `least` elements.
void add_rows(LoopAxes& axes, TilePlan& plan, LoopAxes& chunks, Index least) {
    while (!axes.empty() && plan.rows.chunked < 0) {
        const Index size = plan.line.size * plan.rows.size,
                    room = std::min((least + size - 1) / size, kMostRows / plan.rows.size);
        if (room < 2) return;
        take(axes, 0, room, plan.rows, kMostRows, chunks);
    }
}

/// Whether an operand goes along `line` at one step or not at all, and along `axis` otherwise.
bool bends(const LoopGroup& line, const LoopAxis& axis) {
    const LoopAxis& first = line.axes[0];
    const auto is_even = [&](std::size_t tensor) {
        Index run = 1;
        for (const LoopAxis& taken : line.axes) {
            if (taken.stride[tensor] != first.stride[tensor] * run) return false;
            run *= taken.extent;
        }
        return true;
    };
    const auto is_bent = [&](std::size_t tensor) {
        return is_even(tensor) && axis.stride[tensor] != first.stride[tensor] * line.size;
    };
    return is_bent(kA) || is_bent(kB);
}

}  // namespace

Index TilePlan::size_at(const LoopGroup& group, const Odometer<3>& position) {
    if (group.chunked < 0) return group.size;
    const Index chunk = group.axes.back().extent;
    const Index left = group.last_extent - position[static_cast<std::size_t>(group.chunked)] * chunk;
    return group.inner * std::min(chunk, left);
}

// Reads wait for memory and writes do not, so the rest loops follow the larger operand, where prefetching
// sees long streams.
TilePlan plan_tiles(const LoopAxes& loops, TileWish wish) {
    LoopAxes axes = loops;
    TilePlan plan;
    LoopAxes chunks;
    while (!axes.empty() && plan.line.size < wish.line && plan.line.chunked < 0) {
        if (plan.line.size >= wish.even && bends(plan.line, axes[0])) break;
        const Index room =
            std::min((wish.line + plan.line.size - 1) / plan.line.size, kMostLine / plan.line.size);
        if (room < 2 || (plan.line.size >= kEnough && axes[0].extent > 3 * room)) break;
        take(axes, 0, room, plan.line, kMostLine, chunks);
    }
    const std::size_t larger = distinct_elements(loops, kB) > distinct_elements(loops, kA) ? kB : kA;
    cover_operand(axes, plan, chunks, larger, wish);
    cover_operand(axes, plan, chunks, larger == kA ? kB : kA, wish);
    if (plan.line.chunked < 0 && wish.even < wish.line) add_rows(axes, plan, chunks, wish.tile);
    if (plan.line.chunked >= 0 && plan.line.size * plan.rows.size < wish.tile && wish.line < kMostLine)
        return plan_tiles(loops, {4 * wish.line, wish.operand, wish.even, wish.tile});
    std::stable_sort(axes.begin(), axes.end(), [larger](const LoopAxis& x, const LoopAxis& y) {
        return std::abs(x.stride[larger]) < std::abs(y.stride[larger]);
    });
    loop_over_rest(axes, plan, chunks);
    return plan;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
