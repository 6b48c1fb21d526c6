// Any bytes as a command line, one word a line, run in this process and in an empty folder of its own beside
// a few small inputs: it ends with an exit code. Left out is what would read or write elsewhere, or take
// long.
#include <unistd.h>

#include <cctype>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/program.hpp"
#include "tenferro/tensor/npy.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace {

namespace fs = std::filesystem;
using tenferro::Index;
using tenferro::Tensor;

/// The folder, which ends with the process.
class Folder {
public:
    Folder() : path_(fs::temp_directory_path() / ("tenferro_command_fuzz." + std::to_string(::getpid()))) {
        fs::create_directories(path_);
        if (std::freopen("/dev/null", "r", stdin) == nullptr) __builtin_trap();
    }
    ~Folder() { fs::remove_all(path_); }

    void fill() const {
        for (const auto& entry : fs::directory_iterator(path_)) fs::remove_all(entry);
        for (const char* const name : {"a.npy", "b.npy"}) {
            std::ofstream file(path_ / name, std::ios::binary);
            tenferro::write_npy(
                file, Tensor::from_data<double>(std::vector<double>{1, 2, 3, 4}, std::vector<Index>{2, 2}),
                name);
        }
        std::ofstream(path_ / "n.json")
            << R"({"name": "n", "format_string": "ij,jk->ik", "shapes": [[2, 3], [3, 4]], "dtype": "float64"})";
    }
    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

/// Numbers of three digits or with an exponent are extents, counts and times for which nobody waits.
bool takes_long(std::string_view text) {
    std::size_t digits = 0;
    for (const char c : text) {
        if (digits > 2 || (digits > 0 && (c == 'e' || c == 'E'))) return true;
        digits = std::isdigit(static_cast<unsigned char>(c)) != 0 ? digits + 1 : 0;
    }
    return digits > 2 || text.find("demo") != text.npos || text.find("trg") != text.npos ||
           text.find("--deadline") != text.npos || text.find("--repeat") != text.npos ||
           text.find("threads") != text.npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Folder folder;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (text.size() > 400 || text.find('/') != text.npos || text.find('\0') != text.npos || takes_long(text))
        return 0;
    std::vector<std::string> words{"tenferro"};
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        words.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());

    folder.fill();
    const fs::path here = fs::current_path();
    fs::current_path(folder.path());
    const int code = tenferro::cli::run_program(static_cast<int>(pointers.size()), pointers.data());
    fs::current_path(here);
    if (code < 0 || code > 2) __builtin_trap();
    return 0;
}
