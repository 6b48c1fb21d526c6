// A file that appears whole or not at all: written under a temporary name in the same folder, renamed at the
// end.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class TENFERRO_API OutputFile {
public:
    /// Throws InvalidArgument naming the file when the folder cannot be written to. An existing target that
    /// is no regular file (a device, a pipe) is written directly, since renaming would replace it.
    explicit OutputFile(std::filesystem::path path);
    /// Removes the temporary file unless it was committed.
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    [[nodiscard]] std::ostream& stream() noexcept { return stream_; }
    /// What lies in the folder until it is committed; empty when the target is written directly.
    [[nodiscard]] std::filesystem::path temporary() const { return temporary_.name; }
    /// Flushes and renames. Throws BackendFailure when anything did not reach the file.
    void commit();

private:
    /// Created by create(), removed with this object.
    struct Temporary {
        std::string name;  ///< empty where there is none

        Temporary() = default;
        Temporary(const Temporary&) = delete;
        Temporary& operator=(const Temporary&) = delete;
        ~Temporary();
        void create(const std::filesystem::path& beside);
    };

    std::filesystem::path path_;
    Temporary temporary_;  ///< none when the target is written directly
    std::ofstream stream_;
};

}}  // namespace tenferro::TENFERRO_ABI
