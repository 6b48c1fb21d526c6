// Decodes what it quotes, so that nothing but characters a terminal shows gets through.
#include "einsum/subscripts/quote.hpp"

#include <algorithm>

#include "tenferro/base/utf8.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

constexpr std::size_t kContext = 30;  // bytes quoted on either side of the position

bool is_continuation(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::string quote_around(std::string_view text, std::size_t position) {
    std::size_t begin = position - std::min(position, kContext);
    std::size_t end = position + std::min(text.size() - position, kContext);
    while (begin > 0 && begin < position && is_continuation(text[begin])) ++begin;
    while (end < text.size() && end > position && is_continuation(text[end])) --end;

    std::string out = begin > 0 ? "\"…" : "\"";
    while (begin < end) {
        const auto decoded = utf8::decode(text, begin);
        const std::size_t bytes = decoded ? decoded->bytes : 1;
        const bool shown =
            decoded && (decoded->value >= 0xC0 || (decoded->value >= 0x20 && decoded->value < 0x7F));
        for (const char c : text.substr(begin, bytes))
            shown ? out.push_back(c) : void(out.append(utf8::escaped(c).data(), 4));
        begin += bytes;
    }
    return out + (end < text.size() ? "…\"" : "\"");
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
