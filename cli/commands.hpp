// The commands of the program; each adds itself, its options and its action to the application.
#pragma once

#include <CLI/CLI.hpp>

namespace tenferro::cli {

void add_einsum(CLI::App& app);
void add_grad(CLI::App& app);
void add_svd(CLI::App& app);
void add_contract(CLI::App& app);
void add_plan(CLI::App& app);
void add_info(CLI::App& app);
void add_demo(CLI::App& app);
void add_trg(CLI::App& app);
/// Of the commands that `app` has when the script is asked for.
void add_completion(CLI::App& app);
/// For the commands that `app` has now.
void add_help(CLI::App& app);

}  // namespace tenferro::cli
