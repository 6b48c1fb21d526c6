// The contraction engine of the cpu layer: one entry point that analyses the axes, chooses a kernel family by
// shape and runs it. The rules of the choice are in contract.cpp.
#pragma once

#include "cpu/providers/provider.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/tensor/dot_general.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// out[lhs_free…, rhs_free…, batch…] = Σ lhs · rhs. Arguments are checked; any strides (negative, zero on
/// operands), any extents including zero; `out` is overwritten. The result does not depend on the number of
/// threads of `context`. Products that are large enough go to `blas` where it is not null.
void contract(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
              const TensorWrite& out, CpuContext& context, const Provider* blas);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
