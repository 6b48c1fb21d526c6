// A file, a pipe or standard input (named "-") opened for reading, with its size where it has one; one clear
// error for everything that can go wrong on the way.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>

#include "cli/interrupt.hpp"

namespace tenferro::cli {

/// The name of standard input on the command line.
inline constexpr std::string_view kStandardInput = "-";

class InputFile {
public:
    /// Throws InvalidArgument naming the file when it is missing, a folder, or unreadable.
    explicit InputFile(const std::filesystem::path& path);

    [[nodiscard]] std::istream& stream() noexcept { return *stream_; }
    /// Of a regular file; absent for pipes, devices and standard input.
    [[nodiscard]] std::optional<std::uint64_t> bytes() const noexcept { return bytes_; }
    /// For messages: the path, or "standard input".
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

private:
    WaitsForInput waiting_;  // from before a pipe is opened
    std::string name_;
    std::ifstream file_;
    std::istream* stream_ = &file_;
    std::optional<std::uint64_t> bytes_;
};

/// The whole file as text; refuses more than `limit` bytes.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path, std::uint64_t limit);

/// Throws InvalidArgument when standard input is among the files more than once.
void expect_one_standard_input(std::span<const std::string> files);

}  // namespace tenferro::cli
