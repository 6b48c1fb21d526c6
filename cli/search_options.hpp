// The options of the path search: --deadline, --memory-limit, --objective and its seed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tenferro/einsum/path_search.hpp"

namespace tenferro::cli {

struct SearchOptions {
    einsum::PathOptions path;
    std::string objective;
};

/// `seed_name` is the option that sets the seed.
void add_search_options(CLI::App& command, SearchOptions& options, const std::string& seed_name);
/// What the command line asks for; an option of the search makes `strategy` "own". Throws
/// CLI::ValidationError where a search option comes with a path of the file.
[[nodiscard]] einsum::PathOptions path_options(const CLI::App& command, const SearchOptions& options,
                                               std::string& strategy);
/// "1.5 GB" and the like, at most four digits.
[[nodiscard]] std::string bytes_text(double bytes);

}  // namespace tenferro::cli
