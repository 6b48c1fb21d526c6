// A regular file opened for reading, with its size; one clear error for everything that can go wrong on the
// way.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace tenferro::cli {

class InputFile {
public:
    /// Throws InvalidArgument naming the file when it is missing, no regular file, or unreadable.
    explicit InputFile(const std::filesystem::path& path);

    [[nodiscard]] std::istream& stream() noexcept { return stream_; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    std::ifstream stream_;
    std::uint64_t bytes_ = 0;
};

/// The whole file as text; refuses more than `limit` bytes.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path, std::uint64_t limit);

}  // namespace tenferro::cli
