// What the system says of the caches that one processor has for itself, and the size from which on results go
// past them.
#pragma once

#include "tenferro/base/checked.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Of memory, as processors foresee and find it.
inline constexpr Index kPageBytes = 4096;

/// Sizes in bytes; 0 is unknown.
struct Caches {
    Index second = 0;        ///< of one core
    Index third = 0;         ///< of all processors that share it,
    Index third_shares = 0;  ///< so many
};

/// Reads what Linux tells in `folder`, by default of the first processor; what is not there is unknown.
[[nodiscard]] Caches read_caches(const char* folder = "/sys/devices/system/cpu/cpu0/cache") noexcept;

/// Bytes of a result of which little would still be in these caches when it is read: the second cache and a
/// processor's share of the third.
[[nodiscard]] Index stream_bytes_for(const Caches& caches) noexcept;

/// Bytes of an operand from which on a processor with vectors that are lines reads it faster when it is asked
/// for what comes next. A third cache behind a large second one is as far as memory elsewhere.
[[nodiscard]] Index far_bytes_for(const Caches& caches) noexcept;

/// The same of the machine.
[[nodiscard]] Index far_bytes() noexcept;

/// The number of bytes that a setting names, from 1 on; throws InvalidArgument with the variable's name.
[[nodiscard]] Index parse_stream_bytes(const char* value);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
