// Builds one-line messages from strings and integers. Only error paths use it, so it favours brevity over
// speed.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace tfe_detail {
inline void append_text(std::string& out, std::string_view s) { out.append(s); }
inline void append_text(std::string& out, std::integral auto v) { out += std::to_string(v); }
}  // namespace tfe_detail

/// Concatenates strings and integers.
template <class... Parts>
[[nodiscard]] std::string text(const Parts&... parts) {
    std::string out;
    (tfe_detail::append_text(out, parts), ...);
    return out;
}

/// "[2, 3, 4]" from any range of integers.
template <class Range>
[[nodiscard]] std::string list_text(const Range& values) {
    std::string out = "[";
    for (const auto& v : values) {
        if (out.size() > 1) out += ", ";
        out += std::to_string(v);
    }
    return out + "]";
}

}}  // namespace tenferro::TENFERRO_ABI
