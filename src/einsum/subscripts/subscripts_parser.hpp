// The grammar of einsum strings: text in, label lists and groups out.
#pragma once

#include <string_view>
#include <vector>

#include "tenferro/einsum/subscripts.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

struct ParsedSubscripts {
    std::vector<std::vector<Label>> inputs;
    std::vector<Label> output;
    /// As Subscripts::groups().
    std::vector<std::vector<int>> groups;
};

/// See Subscripts::parse.
[[nodiscard]] ParsedSubscripts parse_subscripts(std::string_view text, Dialect dialect);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
