// Matrix products through the BLAS that the library was built with.
#pragma once

#include "cpu/kernels/contraction/contraction_axes.hpp"
#include "tenferro/cpu/cpu_context.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

#ifdef TENFERRO_BLAS
/// Computes the contraction with one ?gemm per block of columns and batch slice if every slice is a large
/// enough product of matrices with unit stride along one axis; otherwise does nothing and returns false.
[[nodiscard]] bool blas_product(const Contraction& loops, CpuContext& context);
#else
[[nodiscard]] inline bool blas_product(const Contraction&, CpuContext&) { return false; }
#endif

}}}  // namespace tenferro::TENFERRO_ABI::cpu
