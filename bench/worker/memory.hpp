// Resident memory of this process, from the kernel's own account.
#pragma once

#include <cstddef>

namespace tenferro::bench {

[[nodiscard]] std::size_t resident_bytes();
/// The largest value so far.
[[nodiscard]] std::size_t peak_resident_bytes();

}  // namespace tenferro::bench
