// Integer arithmetic that never wraps silently. Every product of extents goes through here.
#pragma once

#include <cstdint>
#include <optional>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// Extents, strides, offsets and axis numbers. Signed, so that strides may be negative and differences are
/// safe.
using Index = std::int64_t;

/// a * b, or nullopt on overflow.
[[nodiscard]] inline std::optional<Index> checked_mul(Index a, Index b) noexcept {
    Index r;
    if (__builtin_mul_overflow(a, b, &r)) return std::nullopt;
    return r;
}

/// a + b, or nullopt on overflow.
[[nodiscard]] inline std::optional<Index> checked_add(Index a, Index b) noexcept {
    Index r;
    if (__builtin_add_overflow(a, b, &r)) return std::nullopt;
    return r;
}

}}  // namespace tenferro::TENFERRO_ABI
