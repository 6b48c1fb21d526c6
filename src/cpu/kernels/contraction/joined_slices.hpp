// Batches whose results lie beside each other in short pieces, at more places than the processor follows: a
// few slices at a time are made in near memory and then copied, so that C is written in longer runs.
#pragma once

#include "cpu/kernels/contraction/contraction_axes.hpp"
#include "tenferro/base/function_ref.hpp"
#include "tenferro/cpu/cpu_context.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// How many slices at a time are worth it; 0 where C is better written as it comes.
[[nodiscard]] Index slices_to_join(const Contraction& loops);

/// Calls `multiply` for each `count` slices along the first axis of the batch, in memory of their own, and
/// brings the results to their places.
void join_slices(const Contraction& loops, Index count, CpuContext& context,
                 FunctionRef<void(Contraction&)> multiply);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
