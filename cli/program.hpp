// The `tenferro` command but for what belongs to a process of its own, so that tests can run it in theirs.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tenferro::cli {

inline constexpr int kFailureExit = 1, kUsageExit = 2, kOutOfMemoryExit = 3;

/// Runs the command line, prints what it has to say and returns its exit code. Throws nothing.
int run_program(int argc, const char* const* argv);

/// Says on stderr, in one line of these parts, what went wrong, and returns `code`. Without memory too, but
/// then with '?' for what is not ASCII.
int report_failure(std::initializer_list<std::string_view> parts, int code);
inline int report_failure(std::string_view message, int code) { return report_failure({message}, code); }

struct CommandInfo {
    std::string name;
    bool limits_memory = false;  ///< has the option --memory-limit
};
/// The commands of the command line.
[[nodiscard]] std::vector<CommandInfo> commands();

}  // namespace tenferro::cli
