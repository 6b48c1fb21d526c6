// Opening and sizing input files.
#include "cli/input_file.hpp"

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <system_error>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::cli {

InputFile::InputFile(const std::filesystem::path& path) : name_(path.string()) {
    if (name_ == kStandardInput) {
        name_ = "standard input";
        stream_ = &std::cin;
        return;
    }
    const auto fail = [&](std::string_view why) { throw Error(ErrorKind::InvalidArgument, name_, why); };
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (status.type() == std::filesystem::file_type::not_found) fail("no such file");
    if (code) fail(text("cannot be opened: ", code.message()));
    if (std::filesystem::is_directory(status)) fail("is a folder");
    file_.open(path, std::ios::binary);
    if (!file_) fail(text("cannot be opened: ", std::generic_category().message(errno)));
    if (!std::filesystem::is_regular_file(status)) return;
    bytes_ = std::filesystem::file_size(path, code);
    if (code) fail(text("cannot be sized: ", code.message()));
}

std::string read_text_file(const std::filesystem::path& path, std::uint64_t limit) {
    constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;
    InputFile file(path);
    std::string content;
    while (content.size() <= limit && file.stream()) {
        const std::size_t have = content.size();
        const std::uint64_t wanted = std::max(file.bytes().value_or(0) + 1, have + kChunk);
        content.resize(static_cast<std::size_t>(std::min(limit + 1, wanted)));
        file.stream().read(content.data() + have, static_cast<std::streamsize>(content.size() - have));
        content.resize(have + static_cast<std::size_t>(file.stream().gcount()));
    }
    if (content.size() > limit)
        throw Error(ErrorKind::InvalidArgument, file.name(),
                    text("has more than ", limit, " bytes, which is the most that is read"));
    return content;
}

void expect_one_standard_input(std::span<const std::string> files) {
    if (std::count(files.begin(), files.end(), kStandardInput) > 1)
        throw Error(ErrorKind::InvalidArgument, "standard input", "can be read once, but '-' is given twice");
}

}  // namespace tenferro::cli
