// Opening and sizing input files.
#include "cli/input_file.hpp"

#include <cerrno>
#include <system_error>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::cli {

InputFile::InputFile(const std::filesystem::path& path) {
    const auto fail = [&](std::string_view why) {
        throw Error(ErrorKind::InvalidArgument, path.string(), why);
    };
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (status.type() == std::filesystem::file_type::not_found) fail("no such file");
    if (code) fail(text("cannot be opened: ", code.message()));
    if (!std::filesystem::is_regular_file(status)) fail("is not a regular file");
    stream_.open(path, std::ios::binary);
    if (!stream_) fail(text("cannot be opened: ", std::generic_category().message(errno)));
    bytes_ = std::filesystem::file_size(path, code);
    if (code) fail(text("cannot be sized: ", code.message()));
}

std::string read_text_file(const std::filesystem::path& path, std::uint64_t limit) {
    InputFile file(path);
    if (file.bytes() > limit)
        throw Error(ErrorKind::InvalidArgument, path.string(),
                    text("has ", file.bytes(), " bytes; at most ", limit, " are read"));
    std::string content(static_cast<std::size_t>(file.bytes()), '\0');
    file.stream().read(content.data(), static_cast<std::streamsize>(content.size()));
    content.resize(static_cast<std::size_t>(file.stream().gcount()));
    return content;
}

}  // namespace tenferro::cli
