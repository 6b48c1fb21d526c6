// UTF-8, one code point at a time: read strictly and written.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace utf8 {

struct CodePoint {
    char32_t value;
    std::size_t bytes;
};

/// The code point that starts at `position` < text.size(), or nullopt where the bytes are not UTF-8
/// (truncated, overlong, a surrogate, beyond U+10FFFF; Unicode 15, table 3-7).
[[nodiscard]] inline std::optional<CodePoint> decode(std::string_view text,
                                                     std::size_t position = 0) noexcept {
    const auto byte = [&](std::size_t i) -> char32_t {
        return static_cast<unsigned char>(text[position + i]);
    };
    const char32_t lead = byte(0);
    if (lead < 0x80) return CodePoint{lead, 1};
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() - position < bytes) return std::nullopt;
    char32_t value = lead & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return std::nullopt;
        value = value << 6 | (byte(i) & 0x3F);
    }
    const char32_t smallest = bytes == 4 ? 0x10000 : bytes == 3 ? 0x800 : 0x80;  // less is overlong
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < smallest || surrogate || value > 0x10FFFF) return std::nullopt;
    return CodePoint{value, bytes};
}

/// Control characters (C0, DEL, C1): they end lines and drive terminals.
[[nodiscard]] constexpr bool is_control(char32_t code_point) noexcept {
    return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
}

/// A byte that is not shown as it is: \xNN.
[[nodiscard]] constexpr std::array<char, 4> escaped(char byte) noexcept {
    constexpr char kDigits[] = "0123456789abcdef";
    const auto value = static_cast<unsigned char>(byte);
    return {'\\', 'x', kDigits[value >> 4], kDigits[value & 15]};
}

/// Appends a code point of at most U+10FFFF that is no surrogate. Throws std::bad_alloc.
inline void append(std::string& out, char32_t code_point) {
    const auto put = [&out](char32_t byte) { out += static_cast<char>(byte); };
    const auto put_tail = [&](int shift) { put(0x80 | (code_point >> shift & 0x3F)); };
    if (code_point < 0x80) {
        put(code_point);
    } else if (code_point < 0x800) {
        put(0xC0 | code_point >> 6);
        put_tail(0);
    } else if (code_point < 0x10000) {
        put(0xE0 | code_point >> 12);
        put_tail(6);
        put_tail(0);
    } else {
        put(0xF0 | code_point >> 18);
        put_tail(12);
        put_tail(6);
        put_tail(0);
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::utf8
