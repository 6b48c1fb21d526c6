// The numbers that are not finite, by short names.
#pragma once

#include <limits>

namespace tenferro::test {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace tenferro::test
