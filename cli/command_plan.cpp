// `tenferro plan`: shows in which order a network would be contracted and what that costs; runs nothing.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/plan_view.hpp"
#include "cli/planned_network.hpp"
#include "cli/quantities.hpp"
#include "cli/search_options.hpp"
#include "cli/tensor_text.hpp"
#include "cli/terminal_text.hpp"

namespace tenferro::cli {
namespace {

/// Rows of the table of dearest contractions, and lines of the tree.
constexpr std::size_t kTableRows = 10, kTreeLines = 200;

struct PlanOptions {
    std::string network, shapes, strategy;
    bool has_shapes = false, json = false;
    SearchOptions search;
};

PlannedNetwork load_network(const PlanOptions& options, const tensor_network::PathOptions& search,
                            const std::string& strategy) {
    if (!options.has_shapes) {
        const bool is_subscripts =
            options.network.find("->") != std::string::npos && !std::filesystem::exists(options.network);
        if (is_subscripts) throw CLI::ValidationError("plan", "subscripts need --shapes");
        return plan_network(load_instance(options.network), strategy, search);
    }
    Instance instance;
    instance.name = instance.subscripts = options.network;
    instance.shapes = parse_shapes(options.shapes);
    return plan_network(std::move(instance), strategy, search);
}

void print_text(const PlannedNetwork& network, const PlanView& view) {
    const auto& plan = *network.plan;
    const auto row = [](std::string_view key, const std::string& value) {
        fmt::print("{:<22}{}\n", key, value);
    };
    row("network", printable(network.instance.name));
    row("operands", fmt::format("{}", network.instance.shapes.size()));
    row("path", network.path_source);
    row("flops", fmt::format("{:.6g}  (log10 {:.4f})", plan.cost().flops, std::log10(plan.cost().flops)));
    row("bytes moved", bytes_text(plan.cost().bytes));
    row("predicted time", fmt::format("{:.4g} s on one thread", plan.cost().seconds));
    row("peak live memory", fmt::format("{} beside the operands", bytes_text(plan.cost().peak_bytes)));
    row("slices", view.slices_text());
    row("planning time", fmt::format("{:.4g} s", network.plan_seconds));
    row("largest intermediate", fmt::format("{:.0f} elements", plan.cost().largest_intermediate));
    row("elements written", fmt::format("{:.6g}", plan.cost().total_writes));
    row("result shape", shape_text(plan.output_shape()));
    fmt::print("\n{}", view.tree_text(kTreeLines));
    if (view.merges().empty()) return;
    fmt::print("\nDearest contractions\n{}", view.table_text(kTableRows));
}

void run_plan(const CLI::App& command, const PlanOptions& options) {
    std::string strategy = options.strategy;
    const tensor_network::PathOptions search = path_options(command, options.search, strategy);
    const PlannedNetwork network = load_network(options, search, strategy);
    const PlanView view(*network.plan);
    if (!options.json) return print_text(network, view);
    Json report = Json::object()
                      .with("name", network.instance.name)
                      .with("path_source", network.path_source)
                      .with("plan_seconds", network.plan_seconds);
    view.add_to(report);
    print_json(report);
}

}  // namespace

void add_plan(CLI::App& app) {
    auto* command =
        app.add_subcommand("plan", "Show the contraction tree of a network and its cost; run nothing");
    const auto options = std::make_shared<PlanOptions>();
    command
        ->add_option("network", options->network,
                     "JSON file (see contract), - for standard input, or subscripts such as 'ij,jk->ik'")
        ->type_name("FILE")
        ->required();
    const auto* shapes =
        command->add_option("--shapes", options->shapes, "Shapes for subscripts, such as 2x3,3x4");
    command
        ->add_option("--strategy", options->strategy,
                     "Path: opt_flops or opt_size of the file, or own search; default: opt_flops if there")
        ->check(CLI::IsMember({"opt_flops", "opt_size", "own"}));
    command->add_flag("--json", options->json, "Print JSON");
    add_search_options(*command, options->search);
    command->callback([options, shapes, command] {
        options->has_shapes = shapes->count() > 0;
        run_plan(*command, *options);
    });
}

}  // namespace tenferro::cli
