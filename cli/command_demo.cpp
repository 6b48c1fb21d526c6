// `tenferro demo`: the Ising model as a tensor network, checked against its exact solution.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <stdexcept>

#include "cli/commands.hpp"
#include "cli/comparison_json.hpp"
#include "cli/ising.hpp"
#include "cli/ising_report.hpp"
#include "cli/progress_bar.hpp"
#include "cli/quantities.hpp"
#include "cli/search_options.hpp"
#include "cli/terminal_text.hpp"

namespace tenferro::cli {
namespace {

/// The demonstration fails when a value is further than this from the exact one.
constexpr double kMaxRelativeError = 1e-11;

struct DemoOptions {
    int size = 8, temperatures = 9;
    std::string svg;
    bool json = false;
};

IsingReport compute(const DemoOptions& options) {
    IsingReport report{options.size, {}};
    ProgressBar progress("contracting");
    for (const double temperature : temperatures_around_critical(options.temperatures)) {
        progress.update(report.rows.size(), static_cast<std::size_t>(options.temperatures));
        report.rows.push_back(compare_with_kaufman(options.size, temperature));
    }
    return report;
}

void print_report_json(const IsingReport& report, double seconds) {
    Json rows = Json::list();
    for (const IsingRow& row : report.rows)
        rows.add(Json::object()
                     .with("temperature", row.temperature)
                     .with("log_z_per_site", comparison_json(row.log_z))
                     .with("energy_per_site", comparison_json(row.energy)));
    print_json(Json::object()
                   .with("size", report.size)
                   .with("operands", 2 * report.size * report.size)
                   .with("critical_temperature", critical_temperature())
                   .with("rows", std::move(rows))
                   .with("largest_relative_error", report.largest_error())
                   .with("seconds", seconds));
}

void print_text(const IsingReport& report, double seconds) {
    const int sites = report.size * report.size;
    fmt::print(
        "Ising model on the {0} x {0} torus: {1} spins and {2} bonds, that is one einsum with {1} labels and "
        "{2} operands.\n"
        "ln Z by contraction, energy by reverse-mode differentiation; exact values by Kaufman's formula.\n\n",
        report.size, sites, 2 * sites);
    fmt::print("{}\n{}\n", report.table(), text_plot(report.plot()));
    fmt::print("largest relative error {:.1e}, {:.2f} s\n", report.largest_error(), seconds);
}

void run_demo(const DemoOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    const IsingReport report = compute(options);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    options.json ? print_report_json(report, elapsed.count()) : print_text(report, elapsed.count());
    if (!options.svg.empty()) save_svg(options.svg, report.plot());
    if (!(report.largest_error() <= kMaxRelativeError))
        throw std::runtime_error(
            fmt::format("demo: the largest relative error is {:.1e} but at most {:.0e} is allowed",
                        report.largest_error(), kMaxRelativeError));
}

}  // namespace

void add_demo(CLI::App& app) {
    auto* command = app.add_subcommand(
        "demo", "Solve the Ising model as a tensor network and compare with the exact solution");
    const auto options = std::make_shared<DemoOptions>();
    command->add_option("--size", options->size, "Spins per side of the torus, 2 to 10; default 8")
        ->check(CLI::Range(kMinIsingSize, kMaxIsingSize));
    command
        ->add_option("--temperatures", options->temperatures,
                     "Number of temperatures around the critical one; default 9")
        ->check(CLI::Range(1, 1000));
    add_quantity(*command, "--svg", options->svg, parse_file_name, kFileNameForm,
                 "Write the plot to this SVG file")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "Print JSON");
    command->callback([options] { run_demo(*options); });
}

}  // namespace tenferro::cli
