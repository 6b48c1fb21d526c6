// Cancellation inside of kernels.
#pragma once

#include "tenferro/base/cancellation.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Whether somebody may cancel what this thread computes.
[[nodiscard]] inline bool is_watched() noexcept { return CancellationScope::current() != nullptr; }

/// Throws Cancelled where the result is not wanted any more. Meanwhile this thread's scratch memory is put
/// aside, since who is asked may use the library.
void look_at(const CancellationScope& scope);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
