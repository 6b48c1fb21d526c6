// The contraction engine for an algebra of the caller's: any strides, batches and extents, cache-blocked, on
// the threads of a context. The algebra comes as the KernelTable that kernels-inl.hpp makes of a Semiring;
// see docs/semirings.md.
#pragma once

#include "tenferro/cpu/contraction/kernel_table.hpp"
#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/tensor/dot_general.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class BackendSession;

namespace cpu {

/// The threads of a session of CpuBackend, for operations that contract in an algebra of their own. Throws
/// BackendFailure for a session of another backend.
[[nodiscard]] TENFERRO_API CpuContext& context_of(BackendSession& session);

/// out[lhs_free…, rhs_free…, batch…] = plus over the contracted axes of times(lhs, rhs). Nothing to contract
/// gives zero(). The result does not depend on the number of threads. Throws DTypeMismatch where a tensor
/// does not have the dtype of the algebra, InvalidArgument where `out` overlaps an operand, and what
/// dot_general_shape throws.
TENFERRO_API void contract(const KernelTable& kernels, const TensorRead& lhs, const TensorRead& rhs,
                           const DotGeneralConfig& config, const TensorWrite& out, CpuContext& context);

/// contract(), which also tells where to look for the winners: `origins` (I64, of the shape and strides of
/// `out`) receives for each element a linear index over the contracted axes, in the order of `config`, the
/// first fastest, such that the first equal product is there or among the tracked_depth - 1 that follow.
/// False, having done nothing, where that costs more than contract_winners: for short sums, for algebras
/// without vector forms, and where the strides differ. Throws what contract throws.
[[nodiscard]] TENFERRO_API bool contract_tracked(const KernelTable& kernels, const TensorRead& lhs,
                                                 const TensorRead& rhs, const DotGeneralConfig& config,
                                                 const TensorWrite& out, const TensorWrite& origins,
                                                 CpuContext& context);

/// Which product each element of `result` is. `result` is what contract() made of the same operands.
/// `winners` (I64, the shape of `result`) receives for each element the smallest linear index of an equal
/// product, where the contracted axes are counted in the order of `config`, the first fastest. A NaN equals a
/// NaN. Elements equal to zero() get index 0. Throws Unsupported where the algebra's sum does not select.
TENFERRO_API void contract_winners(const KernelTable& kernels, const TensorRead& lhs, const TensorRead& rhs,
                                   const DotGeneralConfig& config, const TensorRead& result,
                                   const TensorWrite& winners, CpuContext& context);

}  // namespace cpu
}}  // namespace tenferro::TENFERRO_ABI
