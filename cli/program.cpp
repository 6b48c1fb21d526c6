// The command line from its words to the exit code: every failure is one line, with code 2 for wrong usage
// and 1 for everything else; what fails because of an interrupt (see interrupt.hpp) says nothing.
#include "cli/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/terminal_text.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/error.hpp"

int tenferro::cli::report_failure(std::string_view message, int code) {
    if (interrupt_token().cancelled()) return kInterruptedExit;
    try {
        std::string line(message);
        std::replace(line.begin(), line.end(), '\n', ' ');
        std::fputs(fmt::format("tenferro: error: {}\n", printable(line)).c_str(), stderr);
    } catch (const std::bad_alloc&) {
        std::fputs("tenferro: error: not enough memory\n", stderr);
    }
    return code;
}

namespace {

using tenferro::cli::report_failure;

/// Output that was printed but cannot be written (a full disk) is a failure.
int finish_output() {
    const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    return written ? 0 : report_failure("the output could not be written", 1);
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
        "1 failure, 2 wrong usage, 130 interrupted.");
}

/// What to do about a lack of memory, for commands that can do something.
std::string memory_hint(const CLI::App& app) {
    for (const CLI::App* command : app.get_subcommands())
        if (command->get_option_no_throw("--memory-limit") != nullptr)
            return "; --memory-limit BYTES contracts in slices that need less";
    return "";
}

int run(int argc, const char* const* argv) {
    CLI::App app("Dense tensors: einsum, contraction of tensor networks, and their cost.", "tenferro");
    add_commands(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) return report_failure(error.what(), 2);
        app.exit(error);  // --help and --version
        return finish_output();
    } catch (const std::bad_alloc&) {
        return report_failure("not enough memory" + memory_hint(app), 1);
    } catch (const tenferro::Error& error) {
        const bool out_of_memory = error.root_kind() == tenferro::ErrorKind::OutOfMemory;
        return report_failure(error.what() + (out_of_memory ? memory_hint(app) : ""), 1);
    }
    if (app.get_subcommands().empty())
        return report_failure("a command is required; 'tenferro --help' lists them", 2);
    return finish_output();
}

}  // namespace

bool tenferro::cli::has_command(std::string_view name) {
    CLI::App app;
    add_commands(app);
    const std::vector<CLI::App*> commands = app.get_subcommands({});
    return std::any_of(commands.begin(), commands.end(),
                       [=](const CLI::App* command) { return command->get_name() == name; });
}

int tenferro::cli::run_program(int argc, const char* const* argv) {
    const CancellationScope interruptible(interrupt_token(), "tenferro");
    try {
        return run(argc, argv);
    } catch (const std::bad_alloc&) {
        return report_failure("not enough memory", 1);
    } catch (const std::exception& error) {
        return report_failure(error.what(), 1);
    }
}
