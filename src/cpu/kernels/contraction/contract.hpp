// The contraction engine of the cpu layer: contract() analyses the axes, chooses a kernel family by shape and
// runs it; the rules of the choice are in contract.cpp. One family also serves operations element by element.
#pragma once

#include "cpu/providers/provider.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/tensor/dot_general.hpp"
#include "tenferro/tensor/op_table.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// out[lhs_free…, rhs_free…, batch…] = Σ lhs · rhs. Arguments are checked; any strides (negative, zero on
/// operands), any extents including zero; `out` is overwritten. The result does not depend on the number of
/// threads of `context`. Products that are large enough go to `blas` where it is not null.
void contract(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
              const TensorWrite& out, CpuContext& context, const Provider* blas);

/// out = a op b element by element by the engine of products without a sum, for Add, Sub, Mul and real Div of
/// operands of out's shape and one numeric dtype, of which one repeats elements or lies otherwise than `out`.
/// False, having done nothing, for others, other operations and an operand that is `out`.
[[nodiscard]] bool combine_pairs(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out,
                                 CpuContext& context);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
