// `tenferro help [COMMAND]`: what --help prints.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace tenferro::cli {

void add_help(CLI::App& app) {
    auto* command = app.add_subcommand("help", "Explain a command, or list all of them");
    std::vector<std::string> names;
    for (const CLI::App* other : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(other->get_name());
    const auto name = std::make_shared<std::string>();
    command->add_option("command", *name, "Name of the command")->check(CLI::IsMember(names));
    command->callback([&app, name] {
        // App::help() would explain the command that was given, which is this one.
        fmt::print("{}", name->empty() ? app.get_formatter()->make_help(&app, app.get_name(), {})
                                       : app.get_subcommand(*name)->help(app.get_name()));
    });
}

}  // namespace tenferro::cli
