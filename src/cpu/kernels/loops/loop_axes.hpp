// The loops of kernels that read tensors A and B and write C, as contractions do, and copies, which have no
// B.
#pragma once

#include "cpu/kernels/loops/axes.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// The numbers of the tensors.
inline constexpr std::size_t kA = 0, kB = 1, kC = 2;

using LoopAxis = StridedAxis<3>;
using LoopAxes = Axes<3>;

/// Writes the offsets of elements [begin, end) of the loop nest `axes` (first axis fastest) in one tensor.
void fill_offsets(const LoopAxes& axes, Index begin, Index end, std::size_t tensor, Index* offsets);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
