// The kernels of every algebra and dtype, for the instruction set of this processor.
#pragma once

#include <tenferro/cpu/contraction/kernel_table.hpp>

#include "tenferro_ext_tropical/algebra.hpp"

namespace tropical {

/// Throws Unsupported for a dtype that the algebra is not defined on, in the name of `op`.
[[nodiscard]] const tenferro::cpu::KernelTable& kernels(Algebra algebra, tenferro::DType dtype,
                                                        std::string_view op);

}  // namespace tropical
