// Atomic replacement by mkstemp and rename.
#include "tenferro/base/output_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {
namespace {

[[noreturn]] void fail_file(ErrorKind kind, const std::filesystem::path& path, std::string_view what,
                            int code) {
    throw Error(kind, path.string(), text(what, ": ", std::generic_category().message(code)));
}

}  // namespace

OutputFile::Temporary::~Temporary() {
    if (!name.empty()) ::unlink(name.c_str());
}

/// An empty file beside `path` with the permissions that an ordinary new file gets.
void OutputFile::Temporary::create(const std::filesystem::path& path) {
    std::string made = path.string() + ".XXXXXX";
    const int descriptor = ::mkstemp(made.data());
    if (descriptor < 0) fail_file(ErrorKind::InvalidArgument, path, "cannot be written", errno);
    name = std::move(made);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(descriptor, 0666 & ~mask);
    ::close(descriptor);
}

OutputFile::OutputFile(std::filesystem::path path) try : path_(std::move(path)) {
    std::error_code ignored;
    const auto status = std::filesystem::status(path_, ignored);
    if (std::filesystem::is_directory(status))
        fail_file(ErrorKind::InvalidArgument, path_, "cannot be written", EISDIR);
    const bool fresh = !std::filesystem::exists(status);
    if (fresh || std::filesystem::is_regular_file(status)) {
        if (!fresh)
            path_ = std::filesystem::canonical(path_);  // keep a symbolic link, replace what it points to
        temporary_.create(path_);
    }
    stream_.open(temporary_.name.empty() ? path_.string() : temporary_.name, std::ios::binary);
    if (!stream_) fail_file(ErrorKind::InvalidArgument, path_, "cannot be written", errno);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("output");
}

OutputFile::~OutputFile() = default;

void OutputFile::commit() try {
    stream_.close();
    if (!stream_) fail_file(ErrorKind::BackendFailure, path_, "could not be written to its end", errno);
    if (temporary_.name.empty()) return;
    if (::rename(temporary_.name.c_str(), path_.c_str()) != 0)
        fail_file(ErrorKind::BackendFailure, path_, "cannot be renamed to", errno);
    temporary_.name.clear();
} catch (const std::bad_alloc&) {
    throw_out_of_memory("output");
}

}}  // namespace tenferro::TENFERRO_ABI
