// The command without memory: the reader of network files, and whole commands, which end with an exit code.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
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

/// Without the allocations before the `first_one`, those of every command line.
void sweep_command(const cli::CommandInfo& command, const std::vector<std::string>& words, long first_one) {
    std::vector<const char*> line{"tenferro", command.name.c_str()};
    for (const std::string& word : words) line.push_back(word.c_str());
    const auto run = [&] {
        Overheard overheard;
        const int code = cli::run_program(static_cast<int>(line.size()), line.data());
        if (code == 0) return;
        const std::string_view said = overheard.said();
        const auto says = [&](std::string_view part) { return said.find(part) != std::string_view::npos; };
        const bool reading = said.starts_with("tenferro: error: reading the command line: "),
                   names_a_step = said.find(": ", std::string_view("tenferro: error: ").size()) != said.npos,
                   hints = says("; --memory-limit BYTES"), one_line = said.find('\n') == said.size() - 1;
        const bool good = code == cli::kOutOfMemoryExit && names_a_step && one_line &&
                          (reading || hints == command.limits_memory);
        throw Error(good ? ErrorKind::OutOfMemory : ErrorKind::InvalidArgument, command.name,
                    text("ended with ", code, ": ", said));
    };
    EXPECT_GE(sweep({"cli::run_program"}, run, first_one), first_one + 10) << command.name;
}

TEST(Command, EndsWithAnExitCode) {
    const test::TemporaryFolder folder;
    const std::string chain = folder.write("chain.json", kChain), a = (folder.path() / "a.npy").string(),
                      out = (folder.path() / "out").string();
    save_npy(a, Tensor::from_data<double>(std::vector<double>{1, 2, 3, 4}, Dims{2, 2}));
    const std::map<std::string_view, std::vector<std::vector<std::string>>> lines{
        {"info", {{}}},
        {"plan", {{chain}, {chain, "--json"}}},
        {"contract", {{chain, "--json"}}},
        {"grad", {{"ij,jk->ik", a, a, "--json"}}},
        {"einsum", {{"ij,jk->ik", a, a}, {"ij,jk->ik", a, a, "-o", out + ".npy"}}},
        {"svd", {{a, "--left", "0", "-o", out}}},
        {"demo", {{"--size", "2", "--temperatures", "1", "--svg", out + ".svg"}}},
        {"trg", {{"--steps", "1", "--ranks", "2"}}},
        {"completion", {{"bash"}}},
        {"help", {{"plan"}}},
    };
    const auto build = [] {
        try {
            (void)cli::commands();
        } catch (const std::bad_alloc&) {
            throw Error(ErrorKind::OutOfMemory, "commands", "not enough memory");
        }
    };
    const long of_all = sweep({"cli::commands"}, build);
    for (const cli::CommandInfo& command : cli::commands()) {
        const auto found = lines.find(command.name);
        ASSERT_NE(found, lines.end()) << "the command " << command.name << " is not swept";
        for (const std::vector<std::string>& words : found->second)
            sweep_command(command, words, command.name == "info" ? 1 : of_all);
    }
}

}}  // namespace tenferro::faults
