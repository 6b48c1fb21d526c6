// FusedProgram: a fusion plan made ready for tensors of one kind, as calls of line functions and runs of
// arithmetic steps on numbered lines. Values that nothing needs are left out, those that only the next step
// of a run reads stay in registers, and lines of scratch memory are given out by the lives of the others, so
// that few of them stay in L1.
#pragma once

#include "cpu/kernels/elementwise/line_kernels.hpp"
#include "cpu/kernels/elementwise/strips.hpp"
#include "tenferro/tensor/fusion_plan.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// How a block of a tensor's elements is a line.
enum class LineSource : std::uint8_t {
    Memory,   // as it lies there
    Copy,     // gathered before the block, or scattered after it
    Repeated  // one element, of which a line is made once
};

/// An output or input of the plan, as the walk sees it.
struct FusedTensor {
    std::byte* data;
    Index width, stride;   // of an element in bytes; along the run in elements
    std::uint32_t layout;  // its number among the walk's operands
    LineSource source;
    bool streams;  // is stored past the caches, by a run in memory or from a line
};
using FusedTensors = SmallVector<FusedTensor, 16>;

/// The line function of a step; null for a conversion that changes nothing.
[[nodiscard]] LineFunction line_of_step(const ElementwiseFusionPlan& plan, const FusionStep& step);

struct FusedProgram {
    /// The lines of the tensors come first, in their order, then those of scratch memory.
    using Line = std::uint32_t;
    /// A line function and its lines, or a function of strips and how many of `steps` it runs.
    struct Call {
        LineFunction function;  // null for a run
        Line out;
        std::array<Line, 3> in;
        StripFunction strips;
        std::uint32_t steps;
    };
    struct Transfer {
        std::uint32_t tensor;
        Line line;
    };

    /// `tensors` are the plan's outputs, then its inputs.
    FusedProgram(const ElementwiseFusionPlan& plan, const FusedTensors& tensors);

    std::uint32_t scratch_lines = 0;
    SmallVector<Call, 16> calls;
    SmallVector<StripStep, 32> steps;  // of all runs
    SmallVector<Transfer, 8> loads;    // before the calls, for each block
    SmallVector<Transfer, 8> fills;    // once
    SmallVector<Transfer, 8> stores;   // after the calls, for each block
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
