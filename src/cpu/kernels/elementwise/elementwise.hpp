// Elementwise kernels on strided operands. Shapes and dtypes are checked; `out` may be exactly an operand.
#pragma once

#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

void unary(OpId op, const TensorRead& a, const TensorWrite& out, CpuContext& context);
void binary(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out, CpuContext& context);
void select(const TensorRead& predicate, const TensorRead& on_true, const TensorRead& on_false,
            const TensorWrite& out, CpuContext& context);
void clamp(const TensorRead& low, const TensorRead& x, const TensorRead& high, const TensorWrite& out,
           CpuContext& context);
/// Between different dtypes.
void convert(const TensorRead& a, const TensorWrite& out, CpuContext& context);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
