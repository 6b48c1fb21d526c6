// Atomic replacement by a new file and rename.
#include "tenferro/base/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
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

/// An empty file beside `path` with its permissions, or with those of a new file where there is none.
void OutputFile::Temporary::create(const std::filesystem::path& path) {
    static std::atomic<unsigned> files = 0;
    constexpr int kTries = 1000;
    int descriptor = -1;
    for (int i = 0; i < kTries && descriptor < 0; ++i) {
        std::string made = text(path.string(), ".", ::getpid(), "-", files.fetch_add(1), ".tmp");
        descriptor = ::open(made.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0)
            name = std::move(made);
        else if (errno != EEXIST)
            break;
    }
    if (descriptor < 0) fail_file(ErrorKind::InvalidArgument, path, "cannot be written", errno);
    struct stat replaced {};
    if (::stat(path.c_str(), &replaced) == 0) ::fchmod(descriptor, replaced.st_mode & 0777);
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
