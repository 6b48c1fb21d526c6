// The `tenferro` command but for what belongs to a process of its own, so that tests can run it in theirs.
#pragma once

#include <string_view>

namespace tenferro::cli {

/// Runs the command line, prints what it has to say and returns its exit code. Throws nothing.
int run_program(int argc, const char* const* argv);

/// Says on stderr, in one line, what went wrong, and returns `code`.
int report_failure(std::string_view message, int code);

/// Whether the command line has a command of this name.
[[nodiscard]] bool has_command(std::string_view name);

}  // namespace tenferro::cli
