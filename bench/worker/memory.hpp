// Resident memory of this process, from the kernel's own account.
#pragma once

#include <cstddef>

namespace tenferro::bench {

[[nodiscard]] std::size_t resident_bytes();
/// Of those, pages of files: the program and its libraries as far as they were needed.
[[nodiscard]] std::size_t file_bytes();
/// The largest value so far.
[[nodiscard]] std::size_t peak_resident_bytes();

}  // namespace tenferro::bench
