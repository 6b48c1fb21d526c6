// Builds one-line messages from strings and integers. Only paths that are taken seldom use it, so it favours
// brevity over speed. Without memory for the text they throw OutOfMemory.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace tfe_detail {
/// A string or an integer.
class TextPart {
public:
    TextPart(std::string_view text) noexcept : text_(text) {}    // NOLINT(google-explicit-constructor)
    TextPart(const std::string& text) noexcept : text_(text) {}  // NOLINT(google-explicit-constructor)
    TextPart(const char* text) noexcept : text_(text) {}         // NOLINT(google-explicit-constructor)
    TextPart(std::signed_integral auto number) noexcept          // NOLINT(google-explicit-constructor)
        : number_(static_cast<std::uint64_t>(number)), kind_(number < 0 ? Kind::Negative : Kind::Number) {}
    TextPart(std::unsigned_integral auto number) noexcept  // NOLINT(google-explicit-constructor)
        : number_(number), kind_(Kind::Number) {}

    TENFERRO_API void append_to(std::string& out) const;

private:
    enum class Kind { Text, Number, Negative };

    std::string_view text_;
    std::uint64_t number_ = 0;  ///< modulo 2^64
    Kind kind_ = Kind::Text;
};

[[nodiscard]] TENFERRO_API std::string joined(std::initializer_list<TextPart> parts);
}  // namespace tfe_detail

/// Concatenates strings and integers.
template <class... Parts>
[[nodiscard]] std::string text(const Parts&... parts) {
    return tfe_detail::joined({tfe_detail::TextPart(parts)...});
}

/// "[2, 3, 4]" from any range of integers.
template <class Range>
[[nodiscard]] std::string list_text(const Range& values) {
    std::string out = text("[");
    for (const auto& v : values) tfe_detail::TextPart(text(out.size() > 1 ? ", " : "", v)).append_to(out);
    tfe_detail::TextPart("]").append_to(out);
    return out;
}

}}  // namespace tenferro::TENFERRO_ABI
