// A line in which each element of another is repeated a few times.
#pragma once

#include <cstddef>

#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

inline constexpr Index kMostRepeats = 16;

/// Writes each of `count` elements `times` times, 2 to kMostRepeats.
using RepeatEach = void (*)(std::byte* to, const std::byte* from, Index count, Index times);
/// For elements of 4, 8 or 16 bytes; null for others.
[[nodiscard]] RepeatEach repeater(Index width);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
