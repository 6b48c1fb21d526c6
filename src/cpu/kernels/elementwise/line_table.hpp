// The table behind line_function, and the families that fill it. Those compiled once per instruction set add
// the functions of the one Highway chooses.
#pragma once

#include <array>

#include "cpu/kernels/elementwise/line_kernels.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

class LineTable {
public:
    [[nodiscard]] LineFunction find(OpId op, DType dtype) const noexcept {
        return lines_[static_cast<std::size_t>(op)][static_cast<std::size_t>(dtype)];
    }
    /// The same stored past the caches.
    [[nodiscard]] LineFunction find_streaming(OpId op, DType dtype) const noexcept {
        return streaming_[static_cast<std::size_t>(op)][static_cast<std::size_t>(dtype)];
    }
    /// The same for lines that wait for memory.
    [[nodiscard]] LineFunction find_far(OpId op, DType dtype) const noexcept {
        return far_[static_cast<std::size_t>(op)][static_cast<std::size_t>(dtype)];
    }
    /// The same where the operand of this number, 0 or 1, is one element.
    [[nodiscard]] FixedLine find_fixed(OpId op, DType dtype, std::size_t operand) const noexcept {
        return fixed_[static_cast<std::size_t>(op)][static_cast<std::size_t>(dtype)][operand];
    }
    void set(OpId op, DType dtype, LineFunction line, LineFunction streaming = nullptr) noexcept {
        lines_[static_cast<std::size_t>(op)][static_cast<std::size_t>(dtype)] = line;
        streaming_[static_cast<std::size_t>(op)][static_cast<std::size_t>(dtype)] = streaming;
    }
    void set_far(OpId op, DType dtype, LineFunction far, LineFunction streaming) noexcept {
        far_[static_cast<std::size_t>(op)][static_cast<std::size_t>(dtype)] = far;
        streaming_[static_cast<std::size_t>(op)][static_cast<std::size_t>(dtype)] = streaming;
    }
    void set_fixed(OpId op, DType dtype, const std::array<FixedLine, 2>& of_operands) noexcept {
        fixed_[static_cast<std::size_t>(op)][static_cast<std::size_t>(dtype)] = of_operands;
    }

private:
    template <class Entry>
    using Table = std::array<std::array<Entry, kDTypes.size()>, kOps.size()>;
    Table<LineFunction> lines_{}, far_{}, streaming_{};
    Table<std::array<FixedLine, 2>> fixed_{};
};

using ConversionTable = std::array<std::array<LineFunction, kDTypes.size()>, kDTypes.size()>;

void add_scalar_lines(LineTable& table);
void add_arithmetic_lines(LineTable& table);
void add_comparison_lines(LineTable& table);
void add_exponential_lines(LineTable& table);
void add_hyperbolic_lines(LineTable& table);
void add_logarithm_lines(LineTable& table);
void add_sine_lines(LineTable& table);
void add_power_lines(LineTable& table);
void add_angle_lines(LineTable& table);
void add_complex_lines(LineTable& table);
void add_error_function_lines(LineTable& table);
void add_inverse_hyperbolic_lines(LineTable& table);
void add_far_lines(LineTable& table);
void add_conversion_lines(ConversionTable& table);

/// The whole table for the instruction set that Highway chooses at the call.
[[nodiscard]] LineTable make_line_table();

}}}  // namespace tenferro::TENFERRO_ABI::cpu
