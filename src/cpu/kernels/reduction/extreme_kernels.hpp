// The places of extremes in vectors, a line in each lane.
#pragma once

#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Integers as wide as T, which count places.
template <class T>
using PlaceOf = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// Looks through `rows` rows of `width` neighbours, element (k, i) at from[k * step + i]: where one is better
/// than best[i], or NaN where that is none, it becomes best[i] and its row places[i].
using FindInRows = void (*)(void* best, void* places, const void* from, Index width, Index step, Index rows);
/// `reduction` is ReduceMax or ReduceMin, of an ordered dtype; for the instruction set that Highway chooses.
[[nodiscard]] FindInRows row_finder(OpId reduction, DType dtype);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
