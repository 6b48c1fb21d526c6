// Copies between layouts. Shapes and dtypes are checked.
#pragma once

#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

void fill_zero(const TensorWrite& out, CpuContext& context);
/// `out` may be exactly `a`.
void copy(const TensorRead& a, const TensorWrite& out, CpuContext& context);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
