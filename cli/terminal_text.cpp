// One pass over code points.
#include "cli/terminal_text.hpp"

#include <fmt/format.h>

namespace tenferro::cli {
namespace {

struct CodePoint {
    char32_t value = 0;
    std::size_t bytes = 0;  ///< 0 where the text is no UTF-8
};

/// The code point at the front; neither overlong forms nor surrogates are UTF-8.
CodePoint first_code_point(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    const std::size_t count = lead < 0x80                   ? 1
                              : lead >= 0xc2 && lead < 0xe0 ? 2
                              : lead >= 0xe0 && lead < 0xf0 ? 3
                              : lead >= 0xf0 && lead < 0xf5 ? 4
                                                            : 0;
    if (count == 0 || text.size() < count) return {};
    if (count == 1) return {lead, 1};
    char32_t value = lead & (0x7fU >> count);
    for (std::size_t i = 1; i < count; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) return {};
        value = value << 6U | (byte(i) & 0x3fU);
    }
    constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = value >= 0xd800 && value < 0xe000;
    if (value < kLeast[count] || value > 0x10ffff || surrogate) return {};
    return {value, count};
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

/// Line and paragraph separators, marks and overrides of direction, the byte order mark.
bool steers_text(char32_t c) {
    return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        const std::size_t taken = point.bytes == 0 ? 1 : point.bytes;
        if (point.bytes == 0 || is_control(point.value))
            for (const char c : text.substr(0, taken))
                out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else if (steers_text(point.value))
            out += fmt::format("\\u{{{:04x}}}", static_cast<unsigned>(point.value));
        else
            out += text.substr(0, taken);
        text.remove_prefix(taken);
    }
    return out;
}

void print_json(const Json& report) { fmt::print("{}\n", report.dump("JSON", Json::Style::Indented)); }

}  // namespace tenferro::cli
