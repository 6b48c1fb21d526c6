// Strict UTF-8 decoding, encoding, and quoting for messages.
#include "einsum/subscripts/utf8.hpp"

#include <algorithm>
#include <array>

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

constexpr std::size_t kContext = 30;  // bytes quoted on either side of the position

bool is_continuation(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

void append_escaped(std::string& out, char c) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    out += "\\x";
    out += digits[byte >> 4];
    out += digits[byte & 15];
}

}  // namespace

std::optional<CodePoint> decode_utf8(std::string_view text, std::size_t position) noexcept {
    const unsigned lead = static_cast<unsigned char>(text[position]);
    if (lead < 0x80) return CodePoint{lead, 1};
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() - position < bytes) return std::nullopt;
    char32_t value = lead & (0x7Fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if (!is_continuation(text[position + i])) return std::nullopt;
        value = value << 6 | (static_cast<unsigned char>(text[position + i]) & 0x3F);
    }
    constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};  // less is overlong
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < smallest[bytes] || surrogate || value > 0x10FFFF) return std::nullopt;
    return CodePoint{value, bytes};
}

void append_utf8(std::string& out, char32_t code_point) {
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

std::string quote_around(std::string_view text, std::size_t position) {
    std::size_t begin = position - std::min(position, kContext);
    std::size_t end = position + std::min(text.size() - position, kContext);
    while (begin > 0 && begin < position && is_continuation(text[begin])) ++begin;
    while (end < text.size() && end > position && is_continuation(text[end])) --end;

    std::string out = begin > 0 ? "\"…" : "\"";
    while (begin < end) {
        const auto decoded = decode_utf8(text, begin);
        const std::size_t bytes = decoded ? decoded->bytes : 1;
        const bool shown =
            decoded && (decoded->value >= 0xC0 || (decoded->value >= 0x20 && decoded->value < 0x7F));
        for (const char c : text.substr(begin, bytes)) shown ? out.push_back(c) : append_escaped(out, c);
        begin += bytes;
    }
    return out + (end < text.size() ? "…\"" : "\"");
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
