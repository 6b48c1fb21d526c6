// Commands of extensions: `tenferro NAME …` runs the program tenferro-NAME that an extension has installed
// beside the command, or that is on the PATH.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tenferro::cli {

/// The program of a command, or nothing where there is none. Names are small letters, digits and '-'.
[[nodiscard]] std::string find_extension_program(std::string_view name);

/// Becomes the program that the first word names, with the words that follow, unless the command is one of
/// ours or there is no such program. Where the program cannot be run it says so and returns an exit code.
[[nodiscard]] std::optional<int> run_extension_program(int argc, char** argv);

}  // namespace tenferro::cli
