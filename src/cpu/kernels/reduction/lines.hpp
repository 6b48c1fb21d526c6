// Kernels that work along one axis, on all lines in its direction. Arguments are checked; `out` does not
// overlap `a`.
#pragma once

#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// `op` is Argmax or Argmin; the axis is not empty.
void find_extreme(OpId op, const TensorRead& a, Index axis, const TensorWrite& out, CpuContext& context);
void scan(const TensorRead& a, Index axis, bool reverse, const TensorWrite& out, CpuContext& context);
void normalize_exponentials(const TensorRead& a, Index axis, const TensorWrite& out, CpuContext& context);
void sort_lines(const TensorRead& a, Index axis, bool descending, const TensorWrite& out,
                CpuContext& context);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
