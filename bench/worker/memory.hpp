// Resident memory of this process, from the kernel's own account.
#pragma once

#include <cstdint>

namespace tenferro::bench {

[[nodiscard]] std::int64_t resident_bytes();
/// Of those, pages of files: the program and its libraries as far as they were needed.
[[nodiscard]] std::int64_t file_bytes();
/// The largest value so far.
[[nodiscard]] std::int64_t peak_resident_bytes();

}  // namespace tenferro::bench
