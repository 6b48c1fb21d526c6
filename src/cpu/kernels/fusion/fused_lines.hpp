// Fusion plans on the CPU: all operations of a plan on one block of elements after the other, in one pass
// over memory.
#pragma once

#include <span>

#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/tensor/fusion_plan.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// The outputs of `plan` on `inputs`; dtypes and shapes are checked, and each of `outs` may be exactly an
/// input. Returns false, with nothing written, for operands of more different layouts than a walk takes.
[[nodiscard]] bool fuse(const ElementwiseFusionPlan& plan, std::span<const TensorRead> inputs,
                        std::span<const TensorWrite> outs, CpuContext& context);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
