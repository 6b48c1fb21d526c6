// `tenferro completion SHELL`: a completion script, made from the commands and options as CLI11 knows them.
#include <fmt/format.h>

#include <memory>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"

namespace tenferro::cli {
namespace {

using Words = std::vector<std::string>;

std::string joined(const Words& words, std::string_view between) {
    return fmt::format("{}", fmt::join(words, between));
}

/// "-o" and "--output" of one option.
Words names_of(const CLI::Option& option) {
    Words names;
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    return names;
}

/// The values that the option takes if they are a list; its type then reads "TEXT:{a,b}".
Words choices_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const std::size_t open = type.find('{'), close = type.rfind('}');
    if (open == std::string::npos || close == std::string::npos) return {};
    std::set<std::string> choices;
    std::istringstream list(type.substr(open + 1, close - open - 1));
    for (std::string choice; std::getline(list, choice, ',');) choices.insert(choice);
    return {choices.begin(), choices.end()};
}

bool takes_file(const CLI::Option& option) {
    return option.get_type_name() == "FILE" || option.get_type_name() == "PREFIX";
}
bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

/// Options of the program itself, which has no other words but commands.
Words first_words(const CLI::App& app) {
    Words words;
    for (const CLI::App* command : commands_of(app)) words.push_back(command->get_name());
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : names_of(*option)) words.push_back(name);
    return words;
}

/// The cases of one command: values after an option that takes one, else options and files.
std::string bash_cases(const CLI::App& command) {
    std::string cases;
    Words words;
    bool files = false;
    for (const CLI::Option* option : command.get_options()) {
        const Words names = names_of(*option), choices = choices_of(*option);
        if (names.empty()) {
            files = files || takes_file(*option);
            words.insert(words.end(), choices.begin(), choices.end());
            continue;
        }
        words.insert(words.end(), names.begin(), names.end());
        if (is_flag(*option)) continue;
        Words patterns;
        for (const std::string& name : names)
            patterns.push_back(fmt::format("\"{} {}\"", command.get_name(), name));
        cases += fmt::format("        {}) words=\"{}\" files={} ;;\n", joined(patterns, "|"),
                             joined(choices, " "), takes_file(*option) ? 1 : 0);
    }
    return cases + fmt::format("        \"{} \"*) words=\"{}\" files={} ;;\n", command.get_name(),
                               joined(words, " "), files ? 1 : 0);
}

std::string bash_script(const CLI::App& app) {
    std::string cases;
    for (const CLI::App* command : commands_of(app)) cases += bash_cases(*command);
    return fmt::format(R"script(# Completion of {0} for bash: eval "$({0} completion bash)"
_{0}() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} words="" files=0
    if ((COMP_CWORD == 1)); then
        words="{1}"
    else
        case "${{COMP_WORDS[1]}} ${{COMP_WORDS[COMP_CWORD-1]}}" in
{2}        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"; ((files)) && compgen -f -- "$word")
}}
complete -o filenames -F _{0} {0}
)script",
                       app.get_name(), joined(first_words(app), " "), cases);
}

/// Inside single quotes and a specification of _arguments, where ':', '[' and ']' mean something.
std::string zsh_quoted(const std::string& text) {
    std::string out;
    for (const char c : text)
        out += c == '\''                          ? std::string("'\\''")
               : c == ':' || c == '[' || c == ']' ? std::string("\\") + c
                                                  : std::string(1, c);
    return out;
}

/// ":what:action" for the value of an option or an operand.
std::string zsh_value(const CLI::Option& option) {
    const Words choices = choices_of(option);
    if (!choices.empty()) return fmt::format(":value:({})", joined(choices, " "));
    return takes_file(option) ? ":file:_files" : ":value: ";
}

std::string zsh_specification(const CLI::Option& option) {
    const Words names = names_of(option);
    if (names.empty())
        return fmt::format(" '{}{}'", option.get_items_expected_max() > 1 ? "*" : "", zsh_value(option));
    std::string specifications;
    for (const std::string& name : names)
        specifications += fmt::format(" '{}[{}]{}'", name, zsh_quoted(option.get_description()),
                                      is_flag(option) ? "" : zsh_value(option));
    return specifications;
}

std::string zsh_script(const CLI::App& app) {
    std::string described, cases;
    for (const CLI::App* command : commands_of(app)) {
        described += fmt::format(" '{}:{}'", command->get_name(), zsh_quoted(command->get_description()));
        std::string specifications;
        for (const CLI::Option* option : command->get_options()) specifications += zsh_specification(*option);
        cases += fmt::format("        {}) _arguments{} ;;\n", command->get_name(), specifications);
    }
    return fmt::format(R"script(#compdef {0}
# Completion of {0} for zsh: {0} completion zsh > a file _{0} in $fpath, or eval "$({0} completion zsh)"
_{0}() {{
    local -a commands=({1})
    if ((CURRENT == 2)); then
        _describe command commands
        return
    fi
    shift words
    ((CURRENT--))
    case $words[1] in
{2}    esac
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _{0} "$@"; else compdef _{0} {0}; fi
)script",
                       app.get_name(), described, cases);
}

}  // namespace

void add_completion(CLI::App& app) {
    auto* command = app.add_subcommand("completion", "Print a completion script for a shell");
    const auto shell = std::make_shared<std::string>();
    command->add_option("shell", *shell, "bash or zsh; use it by: eval \"$(tenferro completion bash)\"")
        ->check(CLI::IsMember({"bash", "zsh"}))
        ->required();
    command->callback(
        [&app, shell] { fmt::print("{}", *shell == "bash" ? bash_script(app) : zsh_script(app)); });
}

}  // namespace tenferro::cli
