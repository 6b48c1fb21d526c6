// Plans of whole lines: long ones along C's first axis, or of several axes where the first is short.
#include <algorithm>

#include "cpu/kernels/loops/plan_steps.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kMostBytes = 1 << 14;  // of a tile
constexpr Index kLeastLine = 4;        // elements of a line of one axis

/// C's fastest axes go to the rows until the tile has `most` elements.
void add_lines(LoopAxes& axes, TilePlan& plan, LoopAxes& chunks, Index most) {
    while (!axes.empty() && plan.rows.chunked < 0) {
        const Index room = std::min(most / (plan.line.size * plan.rows.size), kMostRows / plan.rows.size);
        if (room < 2) return;
        take(axes, 0, room, plan.rows, kMostRows, chunks);
    }
}

/// Whether lines along the first axis, one after the other as in C, read each cache line of an operand once:
/// the operand is contiguous along them or one element, and lines are long, or it has C's order, or is near.
bool reads_once(const LoopAxes& loops, std::size_t tensor, Index bytes) {
    constexpr Index kLongLine = 64, kNear = 1 << 20;  // bytes
    const Index step = loops[0].stride[tensor];
    if (step != 0 && step != 1) return false;
    if (loops[0].extent * bytes >= kLongLine) return true;
    Index before = step, size = bytes;
    bool in_order = true;
    for (std::size_t i = 1; i < loops.size(); ++i) {
        const Index next = loops[i].stride[tensor];
        if (next == 0) continue;
        in_order = in_order && next > before;
        before = next;
        size *= loops[i].extent;
    }
    return in_order || size <= kNear;
}

/// The first axis along which an operand that is contiguous along lines repeats more than `most` elements;
/// loops.size() if there is none.
std::size_t repeating_axis(const LoopAxes& loops, Index most) {
    for (const std::size_t tensor : {kA, kB}) {
        Index before = 1;
        for (std::size_t i = 0; i < loops.size() && loops[0].stride[tensor] == 1; ++i) {
            if (loops[i].stride[tensor] != 0)
                before *= loops[i].extent;
            else if (before > most)
                return i;
        }
    }
    return loops.size();
}

/// The elements of an operand along `line`, repeated ones once.
Index run_along(const LoopAxes& line, std::size_t tensor) {
    Index run = 1;
    for (const LoopAxis& axis : line)
        if (axis.stride[tensor] != 0) run *= axis.extent;
    return run;
}

/// Whether the elements of an operand along `line` and then `axis` are one run, parts of it repeated or not.
bool keeps_run(const LoopAxes& line, const LoopAxis& axis, std::size_t tensor) {
    return axis.stride[tensor] == 0 || axis.stride[tensor] == run_along(line, tensor);
}

}  // namespace

TilePlan plan_lines(const LoopAxes& loops, Index bytes, bool reuses) {
    constexpr Index kReusedBytes = 1 << 12;
    TilePlan plan;
    if (loops.empty() || loops[0].extent < kLeastLine || loops[0].stride[kC] != 1) return plan;
    if (!reads_once(loops, kA, bytes) || !reads_once(loops, kB, bytes)) return plan;
    LoopAxes axes = loops, chunks;
    plan.line.is_straight = true;
    const std::size_t repeating = reuses ? repeating_axis(loops, kMostBytes / bytes) : loops.size();
    const bool cuts = repeating < loops.size();
    if (cuts) std::rotate(axes.begin() + 1, axes.begin() + repeating, axes.begin() + repeating + 1);
    take(axes, 0, (cuts ? kReusedBytes : kMostBytes) / bytes, plan.line, 2 * kMostBytes / bytes, chunks);
    if (cuts || plan.line.chunked < 0) add_lines(axes, plan, chunks, (cuts ? 4 : 1) * kMostBytes / bytes);
    loop_over_rest(axes, plan, chunks);
    return plan;
}

TilePlan plan_short_axes(const LoopAxes& loops, Index bytes, ShortAxis is_short, Index most_bytes) {
    constexpr Index kLeastBytes = 64, kLongLine = 512;
    if (loops.size() < 2 || loops[0].stride[kC] != 1) return {};
    if (!reads_once(loops, kA, bytes) || !reads_once(loops, kB, bytes)) return {};
    TilePlan plan;
    LoopAxes axes = loops, chunks;
    const Index most = most_bytes / bytes;
    while (!axes.empty() && plan.line.chunked < 0 && 2 * plan.line.size <= most &&
           axes[0].stride[kC] == plan.line.size && keeps_run(plan.line.axes, axes[0], kA) &&
           keeps_run(plan.line.axes, axes[0], kB))
        take(axes, 0, most / plan.line.size, plan.line, most, chunks);
    if (plan.line.axes.size() < 2 || plan.line.size * bytes < kLeastBytes) return {};
    const bool a_is_contiguous = run_along(plan.line.axes, kA) == plan.line.size,
               b_is_contiguous = run_along(plan.line.axes, kB) == plan.line.size;
    Index longest = plan.line.size * bytes >= kLongLine ? is_short.repeated : 0;
    if (a_is_contiguous || b_is_contiguous) longest = is_short.contiguous;
    const auto is_shared = [&](std::size_t tensor) {
        return repeats(axes, tensor) && repeats(chunks, tensor);
    };
    if ((a_is_contiguous && is_shared(kB)) || (b_is_contiguous && is_shared(kA))) longest = is_short.shared;
    if (loops[0].extent >= kLeastLine && loops[0].extent * bytes >= longest) return {};
    plan.has_runs = true;
    if (plan.line.chunked < 0) add_lines(axes, plan, chunks, kMostBytes / bytes);
    loop_over_rest(axes, plan, chunks);
    return plan;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
