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

/// A code point of JSON beyond ASCII, as one unit of UTF-16 or two.
std::string escaped(char32_t c) {
    if (c < 0x10000) return fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    return escaped(0xd7c0 + (c >> 10U)) + escaped(0xdc00 + (c & 0x3ffU));
}

void append_quoted(std::string& out, std::string_view text) {
    constexpr std::string_view kNamed = "\"\\\b\f\n\r\t", kNames = "\"\\bfnrt";
    out += '"';
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        const std::size_t name = kNamed.find(text.front());
        if (point.bytes == 0)
            out += escaped(U'\ufffd');
        else if (name != std::string_view::npos)
            out.append({'\\', kNames[name]});
        else if (point.value < 0x20 || point.value >= 0x7f)
            out += escaped(point.value);
        else
            out += text.front();
        text.remove_prefix(point.bytes == 0 ? 1 : point.bytes);
    }
    out += '"';
}

void append_json(std::string& out, const Json& json, std::size_t indent) {
    const auto append_all = [&](const auto& values, char open, char close, const auto& append) {
        out += open;
        for (std::size_t i = 0; i < values.size(); ++i) {
            out.append(i == 0 ? "\n" : ",\n").append(indent + 2, ' ');
            append(values[i]);
        }
        if (!values.empty()) out.append("\n").append(indent, ' ');
        out += close;
    };
    if (const auto* const members = json.as<Json::Members>())
        append_all(*members, '{', '}', [&](const Json::Member& member) {
            append_quoted(out, member.key);
            out += ": ";
            append_json(out, member.value, indent + 2);
        });
    else if (const auto* const values = json.as<Json::List>())
        append_all(*values, '[', ']', [&](const Json& value) { append_json(out, value, indent + 2); });
    else if (const auto* const string = json.as<std::string>())
        append_quoted(out, *string);
    else
        out += json.dump("JSON");
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

void print_json(const Json& report) {
    std::string out;
    append_json(out, report, 0);
    fmt::print("{}\n", out);
}

}  // namespace tenferro::cli
