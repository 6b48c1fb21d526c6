// Transposes of two, three or four words that lie side by side into as many lines, and back.
#pragma once

#include <cstddef>

#include "tenferro/base/checked.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

inline constexpr Index kMostWays = 4;

/// Moves `count` groups of words between a place where the words of a group are adjacent, group after group,
/// and lines of `count` words that are `pitch` bytes apart. Nothing needs to be aligned.
using MoveGroups = void (*)(const std::byte* from, std::byte* to, Index pitch, Index count);

/// From groups into lines, and from lines into groups, of words of 1, 2, 4, 8, 16 or 32 bytes; `ways` words
/// are a group, 2 to kMostWays.
[[nodiscard]] MoveGroups group_splitter(Index word, Index ways);
[[nodiscard]] MoveGroups group_joiner(Index word, Index ways);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
