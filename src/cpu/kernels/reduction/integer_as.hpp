// Integers as wide as numbers: their bits when they are sorted, and their places in a lane.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// For T of 4 or 8 bytes.
template <class T>
using IntegerAs = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

}}}  // namespace tenferro::TENFERRO_ABI::cpu
