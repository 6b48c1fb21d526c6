// What the buffer pool of a CPU backend holds and has done.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// Sizes are those of the blocks: up to 6.25 % larger than what was asked for, or half as large again where
/// reused; above 16 MiB the next multiple of 2 MiB.
struct PoolStats {
    std::size_t bytes_in_use = 0;  ///< held by tensors
    std::size_t bytes_cached = 0;  ///< freed by tensors and kept for others; at most `limit`
    std::size_t peak_bytes = 0;    ///< the largest sum of both so far
    std::size_t limit = 0;
    std::uint64_t hits = 0;    ///< tensors that got cached memory
    std::uint64_t misses = 0;  ///< tensors that got memory from the system
};

}}  // namespace tenferro::TENFERRO_ABI
