// `tenferro trg`: tensor renormalisation of the Ising model, and how its error falls with the kept rank.
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "cli/commands.hpp"
#include "cli/comparison_json.hpp"
#include "cli/progress_bar.hpp"
#include "cli/quantities.hpp"
#include "cli/search_options.hpp"
#include "cli/terminal_text.hpp"
#include "cli/trg_report.hpp"

namespace tenferro::cli {
namespace {

constexpr int kMaxRank = 64, kMaxSteps = 100;

std::optional<double> parse_temperature(std::string_view text) {
    const std::optional<double> number = parse_number(text);
    return number && *number >= 0.5 && *number <= 50 ? number : std::nullopt;
}
constexpr std::string_view kTemperatureForm = "a number from 0.5 to 50";

struct TrgOptions {
    double temperature = critical_temperature();
    int steps = 30;
    std::vector<int> ranks{2, 4, 8, 16};
    std::string svg;
    bool json = false;
};

TrgReport compute(const TrgOptions& options) {
    TrgReport report{options.temperature, options.steps, {}};
    ProgressBar progress("renormalising");
    for (const int rank : options.ranks) {
        progress.update(report.rows.size(), options.ranks.size());
        report.rows.push_back(compare_with_onsager(options.temperature, rank, options.steps));
    }
    return report;
}

void print_report_json(const TrgReport& report, double seconds) {
    Json rows = Json::list();
    for (const TrgRow& row : report.rows)
        rows.add(Json::object()
                     .with("rank", row.rank)
                     .with("log_z_per_site", comparison_json(row.log_z))
                     .with("energy_per_site", comparison_json(row.energy)));
    print_json(Json::object()
                   .with("temperature", report.temperature)
                   .with("critical_temperature", critical_temperature())
                   .with("steps", report.steps)
                   .with("rows", std::move(rows))
                   .with("seconds", seconds));
}

void print_text(const TrgReport& report, double seconds) {
    fmt::print(
        "Ising model on a torus of 2^{} spins at temperature {:.6g}; the critical one is {:.6g}.\n"
        "ln Z by tensor renormalisation with truncated SVDs, energy by reverse-mode differentiation through\n"
        "all steps; exact values of the infinite lattice by Onsager's formula.\n\n",
        report.steps, report.temperature, critical_temperature());
    fmt::print("{}\n{}\n{:.2f} s\n", report.table(), text_plot(report.plot()), seconds);
}

void run_trg(const TrgOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    const TrgReport report = compute(options);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    options.json ? print_report_json(report, elapsed.count()) : print_text(report, elapsed.count());
    if (!options.svg.empty()) save_svg(options.svg, report.plot());
}

}  // namespace

void add_trg(CLI::App& app) {
    auto* command = app.add_subcommand(
        "trg",
        "Solve the infinite Ising model by tensor renormalisation; show how the error falls with rank");
    const auto options = std::make_shared<TrgOptions>();
    add_quantity(*command, "--temperature", options->temperature, parse_temperature, kTemperatureForm,
                 "In units of the coupling, 0.5 to 50; default: the critical one")
        ->type_name("NUMBER");
    command->add_option("--ranks", options->ranks, "Singular values that are kept, at most; default 2,4,8,16")
        ->delimiter(',')
        ->check(CLI::Range(2, kMaxRank));
    command->add_option("--steps", options->steps, "Steps, for 2^steps spins; default 30")
        ->check(CLI::Range(1, kMaxSteps));
    add_quantity(*command, "--svg", options->svg, parse_file_name, kFileNameForm,
                 "Write the plot to this SVG file")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "Print JSON");
    command->callback([options] { run_trg(*options); });
}

}  // namespace tenferro::cli
