// The last error message of each thread: a fixed buffer, so that running out of memory can be reported too.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

/// Stores the concatenated parts as one line of valid UTF-8 (control characters and invalid bytes escaped),
/// then, if any, the backtrace as further lines; `detail` is a TFE_DETAIL_ value. What does not fit is cut
/// off between two characters, and an ellipsis (U+2026) stands for it.
void set_last_error(std::initializer_list<std::string_view> parts, std::string_view backtrace = {},
                    std::int32_t detail = 0) noexcept;

/// The stored message, empty before the first error; data() is NUL-terminated.
[[nodiscard]] std::string_view last_error() noexcept;
[[nodiscard]] std::int32_t last_error_detail() noexcept;

}}}  // namespace tenferro::TENFERRO_ABI::capi
