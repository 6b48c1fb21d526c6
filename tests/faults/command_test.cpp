// The command without memory: the reader of network files, and whole commands, which end with an exit code.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "cli/instance.hpp"
#include "cli/program.hpp"
#include "faults/sweep.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/npy.hpp"
#include "unit/cli/temporary_folder.hpp"

namespace tenferro::faults { namespace {

constexpr const char* kChain =
    R"({"name": "a chain of three matrices", "format_string": "ij,jk,kl->il",
    "shapes": [[2, 3], [3, 4], [4, 5]], "dtype": "complex64", "unread": [[[{"a": null}]], "more"],
    "paths": {"opt_flops": {"path": [[0, 1], [0, 1]]}}})";

TEST(Command, NetworkFiles) {
    sweep_of(40, {"cli::parse_instance"}, [] { (void)cli::parse_instance(kChain, "chain.json"); });
}

/// Where standard output goes nowhere and standard error to what said() gives.
class Overheard {
public:
    Overheard() {
        std::fflush(stdout);
        const int nowhere = ::open("/dev/null", O_WRONLY);
        ::dup2(nowhere, STDOUT_FILENO);
        ::close(nowhere);
        ::dup2(errors_, STDERR_FILENO);
    }
    ~Overheard() {
        std::fflush(stdout);
        ::dup2(out_, STDOUT_FILENO);
        ::dup2(error_, STDERR_FILENO);
        for (const int file : {out_, error_, errors_}) ::close(file);
    }
    Overheard(const Overheard&) = delete;
    Overheard& operator=(const Overheard&) = delete;

    [[nodiscard]] std::string_view said() {
        const auto count = ::pread(errors_, text_.data(), text_.size(), 0);
        return {text_.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
    }

private:
    int out_ = ::dup(STDOUT_FILENO), error_ = ::dup(STDERR_FILENO), errors_ = ::memfd_create("errors", 0);
    std::array<char, 1000> text_{};
};

void sweep_command(std::vector<const char*> words) {
    words.insert(words.begin(), "tenferro");
    sweep_of(100, {"cli::run_program"}, [&] {
        Overheard overheard;
        const int code = cli::run_program(static_cast<int>(words.size()), words.data());
        if (code == 0) return;
        const auto says = [&](std::string_view part) {
            return overheard.said().find(part) != std::string_view::npos;
        };
        const bool out_of_memory = code == 1 && (says("cannot be allocated") || says("memory"));
        throw Error(out_of_memory ? ErrorKind::OutOfMemory : ErrorKind::InvalidArgument, words[1],
                    text("ended with ", code, ": ", overheard.said()));
    });
}

TEST(Command, EndsWithAnExitCode) {
    const test::TemporaryFolder folder;
    const std::string chain = folder.write("chain.json", kChain), a = (folder.path() / "a.npy").string();
    save_npy(a, Tensor::from_data<double>(std::vector<double>{1, 2, 3, 4}, Dims{2, 2}));
    sweep_command({"info"});
    sweep_command({"plan", chain.c_str()});
    for (const char* const order : {"plan", "contract"}) sweep_command({order, chain.c_str(), "--json"});
    sweep_command({"grad", "ij,jk->ik", a.c_str(), a.c_str(), "--json"});
}

}}  // namespace tenferro::faults
