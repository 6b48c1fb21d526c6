// UTF-8 in the three ways einsum strings need it: decode one code point strictly, encode one, and quote a
// piece of untrusted text in a message.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

struct CodePoint {
    char32_t value;
    std::size_t bytes;
};

/// The code point that starts at `position` < text.size(), or nullopt where the bytes are not UTF-8
/// (truncated, overlong, a surrogate, beyond U+10FFFF).
[[nodiscard]] std::optional<CodePoint> decode_utf8(std::string_view text, std::size_t position) noexcept;

void append_utf8(std::string& out, char32_t code_point);

/// About 60 bytes of `text` around `position`, in quotes, cut between characters; "…" marks a cut, and
/// whatever is neither printable ASCII nor a code point from U+00C0 on appears as \xNN.
[[nodiscard]] std::string quote_around(std::string_view text, std::size_t position);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
