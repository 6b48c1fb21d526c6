// Commands of extensions.
#include "cli/extension_program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "cli/program.hpp"

namespace tenferro::cli {

namespace {

bool is_name(std::string_view word) {
    const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
    return !word.empty() && word[0] != '-' && std::all_of(word.begin(), word.end(), fits);
}

/// The folders that are searched, this program's own first. An empty entry of the PATH, the current folder,
/// is left out.
std::vector<std::filesystem::path> folders() {
    std::vector<std::filesystem::path> found;
    std::error_code error;
    const auto own = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) found.push_back(own.parent_path());
    const char* const variable = std::getenv("PATH");
    std::string_view rest = variable != nullptr ? variable : "";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        if (end > 0) found.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return found;
}

}  // namespace

std::string find_extension_program(std::string_view name) {
    if (!is_name(name)) return {};
    const std::string file = "tenferro-" + std::string(name);
    for (const std::filesystem::path& folder : folders()) {
        const std::string path = (folder / file).string();
        std::error_code error;
        if (std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0) return path;
    }
    return {};
}

std::optional<int> run_extension_program(int argc, char** argv) {
    if (argc < 2) return std::nullopt;
    const auto is_ours = [&](const CommandInfo& command) { return command.name == argv[1]; };
    if (std::ranges::any_of(commands(), is_ours)) return std::nullopt;
    const std::string path = find_extension_program(argv[1]);
    if (path.empty()) return std::nullopt;
    ::execv(path.c_str(), argv + 1);
    return report_failure(path + ": cannot be run: " + std::generic_category().message(errno), kFailureExit);
}

}  // namespace tenferro::cli
