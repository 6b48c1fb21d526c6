// The loops along a line of the strided engine.
#pragma once

#include "cpu/kernels/loops/tile_plan.hpp"
#include "tenferro/base/checked.hpp"
#include "tenferro/tensor_core/dtype.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// totals[i] (+)= a[..i] * b[..i], 0 <= i < size, elements of one type; totals overlaps neither operand.
using StridedLoop = void (*)(const void* a, const Index* a_offsets, const void* b, const Index* b_offsets,
                             void* totals, Index size);

/// The loop for operands that are walked like this. Not for Bool.
[[nodiscard]] StridedLoop strided_loop(DType dtype, Walk a, Walk b, bool adds);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
