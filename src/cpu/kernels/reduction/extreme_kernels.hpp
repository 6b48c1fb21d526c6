// The places of extremes in vectors, a line in each lane.
#pragma once

#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Whether x takes the place of `best`: NaN is better than every number.
template <class T, class Better>
bool replaces(T x, T best, const Better& better) noexcept {
    return better(x, best) || (x != x && best == best);
}

/// Looks through `rows` rows of `width` neighbours, element (k, i) at from[k * step + i]: where one
/// replaces best[i], its row becomes places[i]. Both are of the dtype's width.
using FindInRows = void (*)(void* best, void* places, const void* from, Index width, Index step, Index rows);
/// `reduction` is ReduceMax or ReduceMin, of an ordered dtype; for the instruction set that Highway chooses.
[[nodiscard]] FindInRows row_finder(OpId reduction, DType dtype);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
