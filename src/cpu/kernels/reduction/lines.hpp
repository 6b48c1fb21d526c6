// Kernels that work along one axis, on all lines in its direction. Arguments are checked; `out` does not
// overlap `a`.
#pragma once

#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/tensor/operation_methods.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// `op` is Argmax or Argmin; the axis is not empty.
void find_extreme(OpId op, const TensorRead& a, Index axis, const TensorWrite& out, CpuContext& context);
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...)          \
    void method(TENFERRO_EACH(TENFERRO_READ, operands) TENFERRO_PARAMETERS(parameters), \
                const TensorWrite& out, CpuContext& context);
TENFERRO_AXIS_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW

}}}  // namespace tenferro::TENFERRO_ABI::cpu
