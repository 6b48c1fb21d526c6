// From strided operands to lines: how a line kernel is applied to whole tensors. Operands that are contiguous
// along the walk are handed over in place, others pass through lines in L1, so that a kernel need only know
// contiguous elements.
#pragma once

#include <optional>

#include "cpu/kernels/elementwise/line_kernels.hpp"
#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// out = line(in...), operands of one shape without a zero extent; `out` may be exactly an operand of its
/// width. `op`, where it is given, is what the line function computes: large outputs may then be streamed
/// from registers.
void map_lines(LineFunction line, const TensorRead& a, const TensorWrite& out, CpuContext& context,
               std::optional<OpId> op = std::nullopt);
void map_lines(LineFunction line, const TensorRead& a, const TensorRead& b, const TensorWrite& out,
               CpuContext& context, std::optional<OpId> op = std::nullopt);
void map_lines(LineFunction line, const TensorRead& a, const TensorRead& b, const TensorRead& c,
               const TensorWrite& out, CpuContext& context);
/// Whether `test` holds everywhere.
[[nodiscard]] bool test_lines(LineTest test, const TensorRead& a, const TensorRead& b, CpuContext& context);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
