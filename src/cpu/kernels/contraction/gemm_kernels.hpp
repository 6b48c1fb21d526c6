// The kernels of the ordinary algebra (sums of products) for the best instruction set of this machine.
#pragma once

#include "tenferro/cpu/contraction/kernel_table.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// The kernels for all types but Bool. Complex panels and tiles are planar, and there are no lines of
/// complex numbers.
[[nodiscard]] const KernelTable& gemm_kernels(DType dtype);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
