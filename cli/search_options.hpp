// The options of the path search: --deadline, --memory-limit, --objective, --search-threads
// and --search-seed.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "tenferro/base/text.hpp"
#include "tenferro/einsum/path_search.hpp"

namespace tenferro::cli {

struct SearchOptions {
    tensor_network::PathOptions path;
    std::string objective;
};

/// An option whose value `parse` reads (see quantities.hpp); `form` says what it takes.
template <class T>
CLI::Option* add_quantity(CLI::App& command, const std::string& name, T& target,
                          std::optional<T> (*parse)(std::string_view), std::string_view form,
                          const std::string& description) {
    const auto read = [&target, name, parse, form](const std::string& given) {
        const std::optional<T> value = parse(given);
        if (!value) throw CLI::ValidationError(name, text("is '", given, "' but must be ", form));
        target = *value;
    };
    return command.add_option_function<std::string>(name, read, description);
}

void add_search_options(CLI::App& command, SearchOptions& options);
/// What the command line asks for; an option of the search makes `strategy` "own". Throws
/// CLI::ValidationError where a search option comes with a path of the file.
[[nodiscard]] tensor_network::PathOptions path_options(const CLI::App& command, const SearchOptions& options,
                                                       std::string& strategy);
}  // namespace tenferro::cli
