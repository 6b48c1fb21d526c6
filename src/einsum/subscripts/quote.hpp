// A piece of untrusted text, quoted in a message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// About 60 bytes of `text` around `position`, in quotes, cut between characters; "…" marks a cut, and
/// whatever is neither printable ASCII nor a code point from U+00C0 on appears as \xNN.
[[nodiscard]] std::string quote_around(std::string_view text, std::size_t position);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
