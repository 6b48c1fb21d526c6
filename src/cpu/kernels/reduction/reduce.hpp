// Reductions over axes, pairwise in a fixed order: the rounding error of a sum grows with the logarithm of
// the count, and the result does not depend on the number of threads.
#pragma once

#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Arguments are checked; out has a's kept axes in order.
void reduce(OpId op, const TensorRead& a, std::span<const Index> axes, const TensorWrite& out,
            CpuContext& context);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
