// Fault points. In a TENFERRO_FAULTS build a test can make the n-th fault point that is passed throw; in
// every other build the call compiles to nothing. Every allocation of ours and every entry of the C ABI
// passes one.
#pragma once

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace fault {

/// What an injected fault throws.
enum class Kind { OutOfMemory, Internal };

#if defined(TENFERRO_FAULTS)
/// Passes a fault point on the calling thread; throws when an armed countdown reaches it.
TENFERRO_API void point();
/// Arms the calling thread: the `countdown`-th point from now throws (1 = the next one); when `forever`, so
/// do all later ones.
TENFERRO_API void arm(long countdown, Kind kind, bool forever) noexcept;
/// Disarms the calling thread; returns whether a fault was thrown since `arm`.
TENFERRO_API bool disarm() noexcept;
#else
inline void point() noexcept {}
#endif

}}}  // namespace tenferro::TENFERRO_ABI::fault
