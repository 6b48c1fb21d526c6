// Runs a fuzz target without libFuzzer: over every file of a folder, the corpus as a regression test, and
// over `mutations` changed copies of each, always the same ones. `NAME_replay FOLDER [MUTATIONS]`. An input
// that ends the process is left in failed_input, which `NAME_replay failed_input` runs again.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

using Input = std::vector<std::uint8_t>;
Input running;

void keep_input() {
    const int file = ::open("failed_input", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const bool kept = file >= 0 && ::write(file, running.data(), running.size()) >= 0;
    constexpr char kWhere[] = "the input is in failed_input\n";
    if (kept) (void)!::write(2, kWhere, sizeof kWhere - 1);
}

void keep_input_of_signal(int signal) {
    keep_input();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void run(const Input& input) {
    running = input;
    LLVMFuzzerTestOneInput(running.data(), running.size());
}

Input read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return Input{std::istreambuf_iterator<char>(file), {}};
}

/// A copy with a few changes: bits, bytes, pieces left out, said twice or taken from another input.
Input mutated(Input input, const Input& other, std::mt19937& random) {
    const auto below = [&](std::size_t count) { return count == 0 ? 0 : random() % count; };
    constexpr std::uint8_t kTelling[] = {0,   1,   9,   0x7F, 0x80, 0xFF, '-', '0',
                                         '9', '"', '[', '{',  ',',  '\n', 'e'};
    for (std::size_t change = 0, changes = 1 + below(4); change < changes; ++change) {
        const std::size_t at = below(input.size());
        const std::size_t length = below(std::min<std::size_t>(input.size() - at, 16) + 1);
        const auto here = input.begin() + static_cast<std::ptrdiff_t>(at);
        switch (below(6)) {
            case 0:
                if (!input.empty()) *here ^= static_cast<std::uint8_t>(1u << below(8));
                break;
            case 1: input.insert(here, kTelling[below(std::size(kTelling))]); break;
            case 2:
                if (!input.empty()) *here = kTelling[below(std::size(kTelling))];
                break;
            case 3: input.erase(here, here + static_cast<std::ptrdiff_t>(length)); break;
            case 4: {
                const Input piece(here, here + static_cast<std::ptrdiff_t>(length));
                input.insert(here, piece.begin(), piece.end());
                break;
            }
            default: {
                const std::size_t from = below(other.size());
                const std::size_t count = std::min<std::size_t>(other.size() - from, 1 + below(16));
                const auto piece = other.begin() + static_cast<std::ptrdiff_t>(from);
                input.insert(here, piece, piece + static_cast<std::ptrdiff_t>(count));
            }
        }
    }
    return input;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const int mutations = argc > 2 ? std::atoi(argv[2]) : 0;
    const bool sanitized = __sanitizer_set_death_callback != nullptr;
    if (sanitized) __sanitizer_set_death_callback(keep_input);
    for (const int signal : {SIGILL, SIGTRAP, SIGABRT, SIGTERM}) std::signal(signal, keep_input_of_signal);
    for (const int signal : {SIGSEGV, SIGFPE})
        if (!sanitized) std::signal(signal, keep_input_of_signal);

    std::vector<std::filesystem::path> paths{argv[1]};
    if (std::filesystem::is_directory(argv[1]))
        paths.assign(std::filesystem::directory_iterator(argv[1]), std::filesystem::directory_iterator());
    std::sort(paths.begin(), paths.end());
    std::vector<Input> corpus;
    for (const auto& path : paths) corpus.push_back(read(path));
    for (const Input& input : corpus) run(input);
    std::mt19937 random(1);
    for (const Input& input : corpus)
        for (int i = 0; i < mutations; ++i) run(mutated(input, corpus[random() % corpus.size()], random));
    std::printf("%zu files replayed, each with %d mutations\n", corpus.size(), mutations);
    return corpus.empty() ? 1 : 0;
}
