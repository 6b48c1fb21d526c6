// Matrix products through the BLAS of the machine.
#pragma once

#include "cpu/kernels/contraction/contraction_axes.hpp"
#include "cpu/providers/provider.hpp"
#include "tenferro/cpu/cpu_context.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Below this extent of M, N or K our own kernels are faster than a call: by two at 128 and 256, measured on
/// AVX-512.
inline constexpr Index kSmallestBlasExtent = 512;

#ifdef TENFERRO_BLAS
/// Computes the contraction with one ?gemm per block of columns and batch slice if every slice is a large
/// enough product of matrices with unit stride along one axis. False where it is not or where the result,
/// whose memory is then undefined, is not finite.
[[nodiscard]] bool blas_product(const Contraction& loops, const Provider& blas, CpuContext& context);
#else
[[nodiscard]] inline bool blas_product(const Contraction&, const Provider&, CpuContext&) { return false; }
#endif

}}}  // namespace tenferro::TENFERRO_ABI::cpu
