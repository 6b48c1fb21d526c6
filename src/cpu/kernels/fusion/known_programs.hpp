// The programs of the plans that a thread ran last: a plan that runs again is not made ready again.
#pragma once

#include <memory>

#include "cpu/kernels/fusion/fused_program.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// The program of `plan` on `tensors`, its outputs and then its inputs. Throws std::bad_alloc, OutOfMemory.
[[nodiscard]] std::shared_ptr<const FusedProgram> program_of(const ElementwiseFusionPlan& plan,
                                                             const FusedTensors& tensors);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
