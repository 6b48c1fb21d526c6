// `tenferro contract`: contracts a tensor network file and reports cost, time and a checksum.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "cli/backend_options.hpp"
#include "cli/checksum.hpp"
#include "cli/commands.hpp"
#include "cli/dtype_names.hpp"
#include "cli/input_file.hpp"
#include "cli/planned_network.hpp"
#include "cli/progress_bar.hpp"
#include "cli/quantities.hpp"
#include "cli/random_tensor.hpp"
#include "cli/search_options.hpp"
#include "cli/tensor_files.hpp"
#include "cli/tensor_text.hpp"
#include "cli/terminal_text.hpp"

namespace tenferro::cli {
namespace {

struct ContractOptions {
    std::string file, strategy, order, dtype, output;
    std::vector<std::string> tensors;
    std::uint64_t seed = 0;
    int repeat = 1;
    bool json = false, log_scaled = false;
    BackendOptions backend;
    SearchOptions search;
};

/// What one `contract` did.
struct Outcome {
    Tensor result;
    std::int64_t exponent = 0;  ///< of two, by which the result is to be multiplied
    double seconds = std::numeric_limits<double>::infinity();  ///< the best of the repeats
    int threads = 0;
    std::string kind;
    DType dtype = DType::F64;
};

/// Tensors of files say themselves of what dtype they are.
PlannedNetwork load_network(const CLI::App& command, const ContractOptions& options,
                            std::span<const Tensor> tensors) {
    std::optional<AxisOrder> order;
    if (!options.order.empty())
        order = options.order == "colmajor" ? AxisOrder::ColumnMajor : AxisOrder::RowMajor;
    Instance instance = load_instance(options.file, order);
    if (!options.dtype.empty()) instance.dtype = dtype_named(options.dtype).value();
    if (!tensors.empty()) instance.dtype = tensors.front().dtype();
    std::string strategy = options.strategy;
    const tensor_network::PathOptions search = path_options(command, options.search, strategy);
    return plan_network(std::move(instance), strategy, search);
}

Outcome contract(const ContractOptions& options, const PlannedNetwork& network,
                 std::span<const Tensor> operands) {
    const std::vector<TensorRead> views(operands.begin(), operands.end());
    const auto backend = make_backend(options.backend);
    Outcome outcome;
    ProgressBar bar("contracting");
    const tensor_network::Progress progress(bar);
    for (int i = 0; i < options.repeat; ++i) {
        const auto start = std::chrono::steady_clock::now();
        backend->with_backend_session([&](BackendSession& session) {
            if (!options.log_scaled) {
                outcome.result = network.plan->run(session, views, {.progress = &progress});
                return;
            }
            auto scaled = network.plan->run_scaled(session, views, {.progress = &progress});
            outcome.result = std::move(scaled.mantissa);
            outcome.exponent = scaled.exponent;
        });
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        outcome.seconds = std::min(outcome.seconds, elapsed.count());
    }
    outcome.threads = backend->threads();
    outcome.kind = kind_name(backend->kind());
    outcome.dtype = outcome.result.dtype();
    return outcome;
}

/// The natural logarithm of the sum of moduli, which may be out of range itself.
double log_of_absolute_sum(const Checksum& sums, const Outcome& outcome) {
    return std::log(sums.absolute) + static_cast<double>(outcome.exponent) * std::log(2.0);
}

void print_report_json(const PlannedNetwork& network, const Outcome& outcome,
                       const ContractOptions& options) {
    const auto& cost = network.plan->cost();
    const Checksum sums = checksum(outcome.result);
    const double element_bytes = static_cast<double>(info(outcome.dtype).bytes);
    Json sum = sums.sum.real();
    if (info(outcome.dtype).is_complex) sum = Json::list_of(std::array{sums.sum.real(), sums.sum.imag()});
    const bool column_major = network.instance.order == AxisOrder::ColumnMajor;
    Json report = Json::object()
                      .with("name", network.instance.name)
                      .with("operands", network.instance.shapes.size())
                      .with("dtype", info(outcome.dtype).name)
                      .with("order", column_major ? "colmajor" : "rowmajor")
                      .with("path_source", network.path_source)
                      .with("path", Json::list_of(tensor_network::path_from_tree(network.plan->tree())))
                      .with("flops", cost.flops)
                      .with("log10_flops", std::log10(cost.flops))
                      .with("largest_intermediate_elements", cost.largest_intermediate)
                      .with("largest_intermediate_bytes", cost.largest_intermediate * element_bytes)
                      .with("predicted_seconds", cost.seconds)
                      .with("peak_bytes", cost.peak_bytes)
                      .with("slices", cost.slices)
                      .with("plan_seconds", network.plan_seconds)
                      .with("threads", outcome.threads)
                      .with("kind", outcome.kind)
                      .with("seconds", outcome.seconds)
                      .with("gflops_per_second", cost.flops / outcome.seconds * 1e-9)
                      .with("shape", Json::list_of(outcome.result.shape()))
                      .with("sum", std::move(sum))
                      .with("absolute_sum", sums.absolute);
    if (options.log_scaled) {
        report.add("exponent", outcome.exponent);
        report.add("log_absolute_sum", log_of_absolute_sum(sums, outcome));
    }
    if (!options.output.empty()) report.add("output", options.output);
    print_json(report);
}

void print_text(const PlannedNetwork& network, const Outcome& outcome, const ContractOptions& options) {
    const auto& cost = network.plan->cost();
    const Checksum sums = checksum(outcome.result);
    const double bytes = cost.largest_intermediate * static_cast<double>(info(outcome.dtype).bytes);
    const auto row = [](std::string_view key, const std::string& value) {
        fmt::print("{:<22}{}\n", key, value);
    };
    row("network", printable(network.instance.name));
    row("operands", fmt::format("{} of {}", network.instance.shapes.size(), info(outcome.dtype).name));
    row("path", network.path_source);
    row("flops", fmt::format("{:.6g}  (log10 {:.4f})", cost.flops, std::log10(cost.flops)));
    row("largest intermediate",
        fmt::format("{:.0f} elements, {:.0f} bytes", cost.largest_intermediate, bytes));
    row("peak live memory", fmt::format("{} beside the operands, {:.0f} slice{}", bytes_text(cost.peak_bytes),
                                        cost.slices, cost.slices == 1 ? "" : "s"));
    row("planning time", fmt::format("{:.4g} s", network.plan_seconds));
    row("backend",
        fmt::format("{}, {} thread{}", outcome.kind, outcome.threads, outcome.threads == 1 ? "" : "s"));
    row("time", fmt::format("{:.6g} s  (best of {})", outcome.seconds, options.repeat));
    row("speed", fmt::format("{:.4g} GFLOP/s", cost.flops / outcome.seconds * 1e-9));
    row("result shape", shape_text(outcome.result.shape()));
    row("sum", info(outcome.dtype).is_complex
                   ? fmt::format("{:.17g} {:+.17g}j", sums.sum.real(), sums.sum.imag())
                   : fmt::format("{:.17g}", sums.sum.real()));
    row("sum of |elements|", fmt::format("{:.17g}", sums.absolute));
    if (!options.log_scaled) return;
    row("times", fmt::format("2^{}", outcome.exponent));
    row("log of that sum", fmt::format("{:.17g}", log_of_absolute_sum(sums, outcome)));
}

/// Asks for the memory that operands and contraction hold at once, scratch memory apart, and gives it back:
/// what cannot be had is refused before operands are drawn.
void expect_memory(const PlannedNetwork& network) {
    const Instance& instance = network.instance;
    double elements = 0;
    for (const Dims& shape : instance.shapes)
        elements += static_cast<double>(element_count(shape, "contract"));
    const double bytes =
        network.plan->cost().peak_bytes + elements * static_cast<double>(info(instance.dtype).bytes);
    constexpr auto kMost = static_cast<double>(std::numeric_limits<Index>::max());
    (void)allocate_buffer(static_cast<std::size_t>(std::min(bytes, kMost)), "contract");
}

void run_contract(const CLI::App& command, const ContractOptions& options) {
    std::vector<std::string> inputs = options.tensors;
    inputs.push_back(options.file);
    expect_one_standard_input(inputs);
    std::vector<Tensor> operands = load_operands(options.tensors);
    const PlannedNetwork network = load_network(command, options, operands);
    const Instance& instance = network.instance;
    if (options.tensors.empty()) {
        expect_memory(network);
        operands = random_operands(network.plan->network(), instance.shapes, instance.dtype, instance.order,
                                   options.seed);
    }
    const Outcome outcome = contract(options, network, operands);
    if (!options.output.empty()) save_result(options.output, outcome.result);
    options.json ? print_report_json(network, outcome, options) : print_text(network, outcome, options);
}

}  // namespace

void add_contract(CLI::App& app) {
    auto* command =
        app.add_subcommand("contract", "Contract a tensor network file; report cost, time, checksum");
    const auto options = std::make_shared<ContractOptions>();
    command
        ->add_option("network", options->file,
                     "JSON file with format_string, shapes, paths (also ..._colmajor); - is standard input")
        ->type_name("FILE")
        ->required();
    command
        ->add_option("--strategy", options->strategy,
                     "Path: opt_flops or opt_size of the file, or own search; default: opt_flops if there")
        ->check(CLI::IsMember({"opt_flops", "opt_size", "own"}));
    command
        ->add_option("--order", options->order,
                     "Fields and storage of the tensors; default: colmajor if the file has it")
        ->check(CLI::IsMember({"colmajor", "rowmajor"}));
    auto* dtype = command
                      ->add_option("--dtype", options->dtype,
                                   "Element type of random tensors, NumPy's names too; default: the file's")
                      ->check(CLI::IsMember(
                          {"f32", "f64", "c32", "c64", "float32", "float64", "complex64", "complex128"}));
    auto* seed = add_quantity(*command, "--seed", options->seed, parse_seed, kSeedForm,
                              "Seed of random tensors; one seed gives the same tensors everywhere")
                     ->type_name("SEED");
    command
        ->add_option("--tensors", options->tensors,
                     "One .npy file per operand instead of random tensors; - is standard input")
        ->type_name("FILE")
        ->excludes(dtype)
        ->excludes(seed);
    command->add_option("--repeat", options->repeat, "Contract this often, report the best time")
        ->check(CLI::Range(1, 1000000));
    add_quantity(*command, "-o,--output", options->output, parse_file_name, kFileNameForm,
                 "Write the result to this .npy file")
        ->type_name("FILE");
    command->add_flag(
        "--log-scaled", options->log_scaled,
        "Carry powers of two, for results beyond 1e308: prints and writes mantissas, prints the "
        "exponent");
    command->add_flag("--json", options->json, "Print JSON");
    add_backend_options(*command, options->backend);
    add_search_options(*command, options->search);
    command->callback([options, command] { run_contract(*command, *options); });
}

}  // namespace tenferro::cli
