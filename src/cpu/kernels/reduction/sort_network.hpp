// Sorting many short lines at once: a line in each lane.
#pragma once

#include <cstdint>

#include "tenferro/tensor_core/dtype.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Element k of line c is the number from[k * from_step + c * from_apart], and the one of the result
/// to[k * to_step + c * to_apart], which may be the same. In both the step is 1, or lines are 1 apart.
struct EvenLines {
    const void* from;
    Index from_step, from_apart;
    void* to;
    Index to_step, to_apart;
    Index length, count;
};

/// Sorts lines of the same length by one sequence of minima and maxima.
struct SortingNetwork {
    static constexpr Index kMostLength = 2048;  ///< beyond which lines alone are sorted as quickly

    Index width = 0;  ///< the most lines of one call; 0 where the instruction set has no vectors
    /// Bit c of what is returned is set where line c was not written: NaN or a negative zero is in it, whose
    /// bits tell equal numbers apart. `memory` is for memory_bytes(length) and aligned to kAlignment.
    std::uint64_t (*sort)(const EvenLines& lines, bool descending, void* memory) = nullptr;
    std::size_t (*memory_bytes)(Index length) = nullptr;
};
/// For an ordered dtype and the instruction set that Highway chooses.
[[nodiscard]] SortingNetwork sorting_network(DType dtype);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
