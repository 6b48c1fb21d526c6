// Strips: cheap arithmetic on lines, operation after operation on a few vectors of elements at a time, so
// that what is between two operations stays in registers. The steps are those of a machine with one
// accumulator.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "cpu/kernels/elementwise/line_kernels.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// What becomes of the accumulator x, for an element y of the step's line.
enum class StripOp : std::uint8_t {
    Load,   // y
    Store,  // y becomes x
    Add,    // x + y
    Mul,
    Sub,  // x - y
    Div,
    Maximum,
    Minimum,
    ReverseSub,  // y - x
    ReverseDiv,
    ReverseMaximum,
    ReverseMinimum,
    Neg,  // -x
    Abs,
    Sqrt,
    Stream  // as Store, past the caches where vectors are aligned
};

struct StripStep {
    StripOp op;
    std::uint32_t line;  // of none, for the unary operations, it is 0
};

/// Runs the steps on elements i < count of the lines. The first is a Load, the last a Store or, as none
/// before, a Stream. Any alignment; lines may be the same memory exactly. Results have the bits that the
/// operations' line functions give (line_kernels.hpp).
using StripFunction = void (*)(std::span<const StripStep> steps, std::byte* const* lines, Index count);

/// The step that computes `op`, with the accumulator as its first operand; none where strips do not have it.
[[nodiscard]] std::optional<StripOp> strip_op(OpId op, DType dtype);
/// The step that computes the same with the accumulator as the second operand of a binary operation.
[[nodiscard]] StripOp reversed(StripOp op) noexcept;
/// Null for dtypes that strips do not have.
[[nodiscard]] StripFunction strip_function(DType dtype);

using StripTable = std::array<StripFunction, kDTypes.size()>;
/// All functions for the instruction set that Highway chooses at the call.
[[nodiscard]] StripTable make_strip_table();

}}}  // namespace tenferro::TENFERRO_ABI::cpu
