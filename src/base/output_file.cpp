// Atomic replacement by mkstemp and rename.
#include "tenferro/base/output_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {
namespace {

[[noreturn]] void fail_file(ErrorKind kind, const std::filesystem::path& path, std::string_view what,
                            int code) {
    throw Error(kind, path.string(), text(what, ": ", std::generic_category().message(code)));
}

/// Creates an empty file beside `path` with the permissions that an ordinary new file gets.
std::filesystem::path make_temporary(const std::filesystem::path& path) {
    std::string name = path.string() + ".XXXXXX";
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) fail_file(ErrorKind::InvalidArgument, path, "cannot be written", errno);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(descriptor, 0666 & ~mask);
    ::close(descriptor);
    return name;
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {
    std::error_code ignored;
    const auto status = std::filesystem::status(path_, ignored);
    if (std::filesystem::is_directory(status))
        fail_file(ErrorKind::InvalidArgument, path_, "cannot be written", EISDIR);
    const bool fresh = !std::filesystem::exists(status);
    if (fresh || std::filesystem::is_regular_file(status)) {
        if (!fresh)
            path_ = std::filesystem::canonical(path_);  // keep a symbolic link, replace what it points to
        temporary_ = make_temporary(path_);
    }
    stream_.open(temporary_.empty() ? path_ : temporary_, std::ios::binary);
    if (!stream_) fail_file(ErrorKind::InvalidArgument, path_, "cannot be written", errno);
}

OutputFile::~OutputFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::commit() {
    stream_.close();
    if (!stream_) fail_file(ErrorKind::BackendFailure, path_, "could not be written to its end", errno);
    if (temporary_.empty()) return;
    if (::rename(temporary_.c_str(), path_.c_str()) != 0)
        fail_file(ErrorKind::BackendFailure, path_, "cannot be renamed to", errno);
    temporary_.clear();
}

}}  // namespace tenferro::TENFERRO_ABI
