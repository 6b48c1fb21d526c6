// Entry of the `tenferro` command.
#include <exception>
#include <iostream>
#include <new>

#include "cli/extension_program.hpp"
#include "cli/interrupt.hpp"
#include "cli/program.hpp"

int main(int argc, char** argv) try {
    std::ios::sync_with_stdio(false);  // standard input is read in large pieces
    if (const auto code = tenferro::cli::run_extension_program(argc, argv)) return *code;
    tenferro::cli::install_interrupt_handler();
    return tenferro::cli::run_program(argc, argv);
} catch (const std::bad_alloc&) {
    return tenferro::cli::report_failure("looking for the command: not enough memory",
                                         tenferro::cli::kOutOfMemoryExit);
} catch (const std::exception& error) {
    return tenferro::cli::report_failure(error.what(), tenferro::cli::kFailureExit);
}
