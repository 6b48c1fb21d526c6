// tenferro-spinglass, which `tenferro spinglass` runs: the ground state of a drawn lattice.
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include <tenferro/api/engine.hpp>
#include <tenferro/base/error.hpp>

#include "ground_state.hpp"
#include "picture.hpp"

namespace {

constexpr char kHelp[] =
    "Usage: tenferro spinglass [ROWSxCOLUMNS] [options]\n\n"
    "Ground-state energy, degeneracy and one ground state of a square lattice of spins with drawn couplings\n"
    "of +1 and -1 and free boundaries, by tropical tensor contraction. E = -sum of J s s' over the bonds.\n\n"
    "  ROWSxCOLUMNS      default 16x16; at most 99, the narrower side at most 30\n"
    "  --seed N          of the couplings, default 1\n"
    "  --no-degeneracy   do not count ground states, which takes longer than finding one\n"
    "  --svg FILE        writes a picture: spins, bonds at odds with them, frustrated plaquettes\n"
    "  --threads N       default: as TENFERRO_NUM_THREADS, or all\n"
    "  --json            the results as one object, without a picture in text\n"
    "  --quiet           no progress bar\n"
    "  --help\n\n"
    "In text, spins are + and -, dots bonds in accord with them, * frustrated plaquettes.\n";

/// What was asked for wrongly.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Options {
    int rows = 16, columns = 16, threads = 0;
    std::uint64_t seed = 1;
    bool count = true, json = false, quiet = false, help = false;
    std::string svg;
};

std::uint64_t number(const char* text, std::uint64_t most, const std::string& what) {
    char* end = nullptr;
    errno = 0;
    const unsigned long long value = std::strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value > most)
        throw UsageError(what + " is '" + text + "' but must be a number of at most " + std::to_string(most));
    return value;
}

Options parse(int count, char** words) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        const auto value = [&] {
            if (++i == count) throw UsageError(word + " needs a value");
            return words[i];
        };
        if (word == "--help" || word == "-h") {
            options.help = true;
        } else if (word == "--seed") {
            options.seed = number(value(), UINT64_MAX, word);
        } else if (word == "--threads") {
            options.threads = static_cast<int>(number(value(), tenferro::kMaxThreads, word));
        } else if (word == "--svg") {
            options.svg = value();
        } else if (word == "--no-degeneracy") {
            options.count = false;
        } else if (word == "--json") {
            options.json = true;
        } else if (word == "--quiet") {
            options.quiet = true;
        } else if (const auto x = word.find('x'); x != std::string::npos && word[0] != '-') {
            constexpr std::uint64_t kLongest = 99;
            options.rows =
                static_cast<int>(number(word.substr(0, x).c_str(), kLongest, "the number of rows"));
            options.columns =
                static_cast<int>(number(word.substr(x + 1).c_str(), kLongest, "the number of columns"));
        } else {
            throw UsageError("unknown argument '" + word + "'");
        }
    }
    if (options.rows == 0 || options.columns == 0)
        throw UsageError("a lattice has at least one row and column");
    if (std::min(options.rows, options.columns) > spinglass::kWidest)
        throw UsageError("the narrower side of " + std::to_string(options.rows) + "x" +
                         std::to_string(options.columns) + " is above " + std::to_string(spinglass::kWidest));
    return options;
}

std::string count_text(double count) {
    char text[64];
    std::snprintf(text, sizeof text, count < 9007199254740992.0 ? "%.0f" : "%.15e", count);
    return text;
}

void write_file(const std::string& path, const std::string& content) {
    std::FILE* const file = std::fopen(path.c_str(), "w");
    const bool written =
        file != nullptr && std::fwrite(content.data(), 1, content.size(), file) == content.size();
    if ((file == nullptr || std::fclose(file) != 0) || !written)
        throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

void show_progress(int done, int total) {
    constexpr int kWidth = 40;
    std::string bar(static_cast<std::size_t>(kWidth * done / total), '#');
    bar.resize(kWidth, ' ');
    std::fprintf(stderr, "\r[%s] %d of %d rows", bar.c_str(), done, total);
    if (done == total) std::fprintf(stderr, "\r%*s\r", kWidth + 24, "");
}

void run(const Options& options) {
    if (options.threads > 0) tenferro::set_num_threads(options.threads);
    const auto lattice = spinglass::Lattice::drawn(options.rows, options.columns, options.seed);
    int frustrated = 0;
    for (int r = 0; r + 1 < lattice.rows; ++r)
        for (int c = 0; c + 1 < lattice.columns; ++c) frustrated += lattice.is_frustrated(r, c) ? 1 : 0;
    const bool bar = !options.quiet && ::isatty(STDERR_FILENO) != 0;
    const auto begin = std::chrono::steady_clock::now();
    const spinglass::GroundState state =
        spinglass::find_ground_state(lattice, options.count, [=](int done, int total) {
            if (bar) show_progress(done, total);
        });
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    if (lattice.energy(state.spins) != state.energy) throw std::logic_error("the state has another energy");
    if (!options.svg.empty()) write_file(options.svg, spinglass::svg_picture(lattice, state.spins));
    const double per_spin = static_cast<double>(state.energy) / (options.rows * options.columns);
    if (options.json) {
        std::string spins;
        for (const int spin : state.spins) spins += spin > 0 ? '+' : '-';
        std::printf(
            "{\"rows\": %d, \"columns\": %d, \"seed\": %llu, \"energy\": %d, \"energy_per_spin\": %.6f, "
            "\"degeneracy\": %s, \"frustrated_plaquettes\": %d, \"spins\": \"%s\", "
            "\"multiply_adds\": %.0f, \"seconds\": %.3f, \"threads\": %d}\n",
            options.rows, options.columns, static_cast<unsigned long long>(options.seed), state.energy,
            per_spin, options.count ? count_text(state.degeneracy).c_str() : "null", frustrated,
            spins.c_str(), state.multiply_adds, time.count(), tenferro::num_threads());
        return;
    }
    std::fputs(spinglass::text_picture(lattice, state.spins).c_str(), stdout);
    std::printf("\nenergy       %d (%.4f a spin)\n", state.energy, per_spin);
    if (options.count) std::printf("degeneracy   %s\n", count_text(state.degeneracy).c_str());
    std::printf("frustrated   %d of %d plaquettes\n", frustrated, (options.rows - 1) * (options.columns - 1));
    std::printf("time         %.2f s for %.3g multiply-adds, %.1f Gflop/s\n", time.count(),
                state.multiply_adds, 2e-9 * state.multiply_adds / time.count());
}

int fail(const char* message, int code) {
    std::fprintf(stderr, "tenferro spinglass: error: %s\n", message);
    return code;
}

}  // namespace

int main(int count, char** words) {
    constexpr int kFailure = 1, kUsage = 2, kNoMemory = 3;  // as the command `tenferro` ends
    Options options;
    try {
        options = parse(count, words);
        if (options.help)
            std::fputs(kHelp, stdout);
        else
            run(options);
        return std::fflush(stdout) == 0 && std::ferror(stdout) == 0
                   ? 0
                   : fail("the output could not be written", kFailure);
    } catch (const UsageError& error) {
        return fail(error.what(), kUsage);
    } catch (const std::bad_alloc&) {
        char message[128];
        std::snprintf(message, sizeof message,
                      "a lattice of %dx%d needs more memory than there is; a narrower one needs less",
                      options.rows, options.columns);
        return fail(message, kNoMemory);
    } catch (const tenferro::Error& error) {
        return fail(error.what(), error.kind() == tenferro::ErrorKind::OutOfMemory ? kNoMemory : kFailure);
    } catch (const std::exception& error) {
        return fail(error.what(), kFailure);
    }
}
