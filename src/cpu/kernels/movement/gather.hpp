// Reading and writing windows of a tensor at places that an index tensor gives.
#pragma once

#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/tensor/gather_scatter.hpp"
#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Arguments are checked; index vectors are clamped.
void gather_windows(const TensorRead& a, const TensorRead& indices, const GatherConfig& config,
                    const TensorWrite& out, CpuContext& context);
/// Scatter or ScatterAdd: every element sees the windows in the order of the batch, whatever the number of
/// threads.
void write_windows(OpId op, const TensorRead& updates, const TensorRead& indices, const GatherConfig& config,
                   const TensorWrite& out, CpuContext& context);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
