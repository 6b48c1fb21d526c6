// How much a cache may keep, and what it tells about itself.
#pragma once

#include <cstddef>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

struct CacheLimits {
    std::size_t entries = 256;
    std::size_t bytes = std::size_t{64} << 20;
};
struct CacheStats {
    std::size_t hits = 0, misses = 0, evictions = 0, entries = 0, bytes = 0;
};

}}  // namespace tenferro::TENFERRO_ABI
