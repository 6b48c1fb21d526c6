// Sorting lines in vectors.
#pragma once

#include "tenferro/tensor_core/dtype.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Sorts `count` numbers; equal ones are indistinguishable. False, and the line is as it was, where NaN or a
/// negative zero is among them, whose bits tell equals apart. Nobody is asked whether the result is still
/// wanted.
using SortInVectors = bool (*)(void* line, Index count, bool descending);
/// For an ordered dtype and the instruction set that Highway chooses; null where that has no vectors.
[[nodiscard]] SortInVectors vector_sorter(DType dtype);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
