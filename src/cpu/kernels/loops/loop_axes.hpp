// The loops of kernels that read tensors A and B and write C, as contractions do, and copies, which have no
// B.
#pragma once

#include <algorithm>

#include "cpu/kernels/loops/axes.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// The numbers of the tensors.
inline constexpr std::size_t kA = 0, kB = 1, kC = 2;

using LoopAxis = StridedAxis<3>;
using LoopAxes = Axes<3>;

/// Whether a tensor has the same element all along `axes`.
inline bool repeats(const LoopAxes& axes, std::size_t tensor) {
    return std::all_of(axes.begin(), axes.end(),
                       [tensor](const LoopAxis& axis) { return axis.stride[tensor] == 0; });
}

/// Writes the offsets of elements [begin, end) of the loop nest `axes` (first axis fastest) in one tensor.
void fill_offsets(const LoopAxes& axes, Index begin, Index end, std::size_t tensor, Index* offsets);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
