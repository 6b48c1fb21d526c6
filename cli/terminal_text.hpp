// Text of others (file names, names in network files, labels) on its way to a terminal or into JSON.
#pragma once

#include <string>
#include <string_view>

#include "tenferro/base/json.hpp"

namespace tenferro::cli {

/// `text` with everything that could steer a terminal written out: control characters of ASCII and Latin-1
/// and bytes that are no UTF-8 as \xNN, marks that change the direction or the line of text as \u{NNNN}.
/// Other UTF-8 stays.
[[nodiscard]] std::string printable(std::string_view text);

/// Prints a report as indented JSON in ASCII; bytes that are no UTF-8 become U+FFFD.
void print_json(const Json& report);

}  // namespace tenferro::cli
