// The command line from its words to the exit code: every failure is one line, with code 2 for wrong usage, 3
// for a lack of memory and 1 for everything else; what fails because of an interrupt (see interrupt.hpp) says
// nothing.
#include "cli/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/terminal_text.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/error.hpp"

int tenferro::cli::report_failure(std::initializer_list<std::string_view> parts, int code) {
    if (interrupt_token().cancelled()) return kInterruptedExit;
    try {
        std::string line;
        for (const std::string_view part : parts) line += part;
        std::replace(line.begin(), line.end(), '\n', ' ');
        std::fputs(fmt::format("tenferro: error: {}\n", printable(line)).c_str(), stderr);
    } catch (const std::bad_alloc&) {
        std::fputs("tenferro: error: ", stderr);
        for (const std::string_view part : parts)
            for (const char c : part) std::fputc(c == '\n' ? ' ' : c >= ' ' && c <= '~' ? c : '?', stderr);
        std::fputc('\n', stderr);
    }
    return code;
}

namespace {

using tenferro::cli::CommandInfo;
using tenferro::cli::kFailureExit;
using tenferro::cli::kOutOfMemoryExit;
using tenferro::cli::kUsageExit;
using tenferro::cli::report_failure;

constexpr std::string_view kNoMemory = "not enough memory", kReadingTheLine = "reading the command line";

/// Output that was printed but cannot be written (a full disk) is a failure.
int finish_output() {
    const bool written = std::cout.flush().good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    return written ? 0 : report_failure("the output could not be written", kFailureExit);
}

void add_commands(CLI::App& app) {
    app.set_version_flag("--version", fmt::format("tenferro {}", tenferro::version()));
    app.require_subcommand(0, 1);  // at most one; none is refused after unknown words have been
    app.get_formatter()->column_width(34);
    tenferro::cli::add_demo(app);
    tenferro::cli::add_trg(app);
    tenferro::cli::add_einsum(app);
    tenferro::cli::add_grad(app);
    tenferro::cli::add_svd(app);
    tenferro::cli::add_contract(app);
    tenferro::cli::add_plan(app);
    tenferro::cli::add_info(app);
    tenferro::cli::add_completion(app);
    tenferro::cli::add_help(app);
    app.footer(
        "\nExamples:\n"
        "  tenferro demo --svg ising.svg\n"
        "  tenferro einsum 'ij,jk->ik' a.npy b.npy -o c.npy\n"
        "  tenferro grad 'ij,jk->ik' a.npy b.npy -o out\n"
        "  tenferro svd a.npy --left 0 --max-rank 8 -o out\n"
        "  tenferro plan 'ij,jk,kl->il' --shapes 2x30,30x4,4x5\n"
        "  tenferro contract network.json --repeat 5 --json\n\n"
        "'tenferro help COMMAND' explains a command, docs/command.md all of them. Exit codes: 0 success,\n"
        "1 failure, 2 wrong usage, 3 not enough memory, 130 interrupted.");
}

std::vector<CommandInfo> infos_of(CLI::App& app) {
    const auto is_limit = [](const CLI::Option* option) {  // get_option_no_throw() ends without memory
        return option->get_name() == "--memory-limit";
    };
    std::vector<CommandInfo> found;
    for (CLI::App* const command : app.get_subcommands({}))
        found.push_back({command->get_name(), std::ranges::any_of(command->get_options({}), is_limit)});
    return found;
}

/// Which command of a line was running, and what to do about its lack of memory. Asking needs no memory.
class Running {
public:
    explicit Running(CLI::App& app) : commands_(infos_of(app)), apps_(app.get_subcommands({})) {}

    [[nodiscard]] std::string_view step() const noexcept {
        const CommandInfo* const command = find();
        return command == nullptr ? kReadingTheLine : command->name;
    }
    [[nodiscard]] std::string_view hint() const noexcept {
        const CommandInfo* const command = find();
        const bool can_do = command != nullptr && command->limits_memory;
        return can_do ? "; --memory-limit BYTES contracts in slices that need less" : "";
    }

private:
    [[nodiscard]] const CommandInfo* find() const noexcept {
        for (std::size_t i = 0; i < apps_.size(); ++i)
            if (apps_[i]->parsed()) return &commands_[i];
        return nullptr;
    }

    std::vector<CommandInfo> commands_;
    std::vector<CLI::App*> apps_;
};

int report_error(const tenferro::Error& error, std::string_view hint) {
    if (error.root_kind() != tenferro::ErrorKind::OutOfMemory)
        return report_failure(error.what(), kFailureExit);
    return report_failure({error.what(), hint}, kOutOfMemoryExit);
}

int run(int argc, const char* const* argv) {
    CLI::App app("Dense tensors: einsum, contraction of tensor networks, and their cost.", "tenferro");
    add_commands(app);
    const Running running(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) return report_failure(error.what(), kUsageExit);
        app.exit(error);  // --help and --version
        return finish_output();
    } catch (const std::bad_alloc&) {
        return report_failure({running.step(), ": ", kNoMemory, running.hint()}, kOutOfMemoryExit);
    } catch (const tenferro::Error& error) {
        return report_error(error, running.hint());
    }
    if (app.get_subcommands().empty())
        return report_failure("a command is required; 'tenferro --help' lists them", kUsageExit);
    return finish_output();
}

}  // namespace

std::vector<CommandInfo> tenferro::cli::commands() {
    CLI::App app;
    add_commands(app);
    return infos_of(app);
}

int tenferro::cli::run_program(int argc, const char* const* argv) {
    const CancellationScope interruptible(interrupt_token(), "tenferro");
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        return report_failure({kReadingTheLine, ": ", kNoMemory}, kOutOfMemoryExit);
    } catch (const tenferro::Error& error) {
        return report_error(error, "");
    } catch (const std::exception& error) {
        return report_failure(error.what(), kFailureExit);
    }
}
