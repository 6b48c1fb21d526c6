// One pass over code points.
#include "cli/terminal_text.hpp"

#include <fmt/format.h>

#include <optional>

#include "tenferro/base/utf8.hpp"

namespace tenferro::cli {
namespace {

/// Line and paragraph separators, marks and overrides of direction, the byte order mark.
bool steers_text(char32_t c) {
    return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::optional<utf8::CodePoint> point = utf8::decode(text);
        const std::size_t taken = point ? point->bytes : 1;
        if (!point || utf8::is_control(point->value))
            for (const char c : text.substr(0, taken)) out.append(utf8::escaped(c).data(), 4);
        else if (steers_text(point->value))
            out += fmt::format("\\u{{{:04x}}}", static_cast<unsigned>(point->value));
        else
            out += text.substr(0, taken);
        text.remove_prefix(taken);
    }
    return out;
}

void print_json(const Json& report) { fmt::print("{}\n", report.dump("JSON", Json::Style::Indented)); }

}  // namespace tenferro::cli
