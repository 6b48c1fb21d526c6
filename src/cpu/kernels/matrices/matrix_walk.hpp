// Running a MatrixPlan on batches of matrices.
#pragma once

#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/tensor/backend_session.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// As BackendSession::execute_matrix_plan_into.
[[nodiscard]] bool run_matrix_plan(const MatrixPlan& plan, std::span<const TensorRead> inputs,
                                   std::span<const TensorWrite> outs, CpuContext& context);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
