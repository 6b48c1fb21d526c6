// The machines that tests of kernels simulate: caches so small that every result goes past them, and caches
// so large that none does.
#pragma once

#include <limits>

#include "tenferro/base/checked.hpp"

namespace tenferro::testing {

/// CpuContext::stream_bytes of both.
inline constexpr Index kSmallCaches = 1, kHugeCaches = std::numeric_limits<Index>::max();

}  // namespace tenferro::testing
