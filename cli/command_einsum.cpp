// `tenferro einsum`: one einsum over .npy files.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/backend_options.hpp"
#include "cli/commands.hpp"
#include "cli/progress_bar.hpp"
#include "cli/search_options.hpp"
#include "cli/tensor_files.hpp"
#include "cli/tensor_text.hpp"
#include "cli/terminal_text.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro::cli {
namespace {

/// Up to this many elements are printed, as text and as JSON.
constexpr Index kMaxPrinted = 64, kMaxJson = Index{1} << 20;

struct EinsumOptions {
    std::string subscripts, output;
    std::vector<std::string> files;
    BackendOptions backend;
    SearchOptions search;
    bool json = false;
};

/// Before anything is computed that could not be shown.
void expect_printable(const einsum::EinsumPlan& plan, const EinsumOptions& options) {
    const Index count = element_count(plan.output_shape(), "einsum");
    if (options.json && options.output.empty() && count > kMaxJson)
        throw Error(ErrorKind::InvalidArgument, "einsum",
                    text("the result has ", count, " elements but at most ", kMaxJson,
                         " are printed as JSON; -o FILE writes them"));
}

void print_result(const Tensor& result, const EinsumOptions& options) {
    const std::string_view dtype = info(result.dtype()).name;
    if (options.json) {
        nlohmann::ordered_json report{
            {"dtype", dtype}, {"shape", std::vector<Index>(result.shape().begin(), result.shape().end())}};
        if (options.output.empty())
            report["values"] = values_json(result);
        else
            report["output"] = options.output;
        print_json(report);
    } else if (options.output.empty()) {
        fmt::print("shape {}, dtype {}\n", shape_text(result.shape()), dtype);
        fmt::print("{}\n", result.size() <= kMaxPrinted
                               ? values_text(result)
                               : fmt::format("{} elements; -o FILE writes them", result.size()));
    }
}

void run_einsum(const CLI::App& command, const EinsumOptions& options) {
    const auto subscripts = einsum::Subscripts::parse(options.subscripts, einsum::Dialect::NumPy);
    const std::vector<Tensor> operands = load_operands(options.files);
    const std::vector<TensorRead> views(operands.begin(), operands.end());
    std::vector<Dims> shapes;
    for (const Tensor& operand : operands)
        shapes.emplace_back(operand.shape().begin(), operand.shape().end());
    std::string strategy = "own";
    einsum::PathOptions search = path_options(command, options.search, strategy);
    search.dtype = operands.front().dtype();
    const einsum::EinsumPlan plan(subscripts, shapes, search);
    expect_printable(plan, options);
    const auto backend = make_backend(options.backend);
    const Tensor result = backend->with_backend_session([&](BackendSession& session) {
        ProgressBar bar("contracting");
        const einsum::Progress progress(bar);
        return plan.run(session, views, {.progress = &progress});
    });
    if (!options.output.empty()) save_result(options.output, result);
    print_result(result, options);
}

}  // namespace

void add_einsum(CLI::App& app) {
    auto* command = app.add_subcommand("einsum", "Compute an einsum of .npy files");
    const auto options = std::make_shared<EinsumOptions>();
    command
        ->add_option(
            "subscripts", options->subscripts,
            "As numpy.einsum has them: 'ij,jk->ik', implicit output, '...'; after -- if it begins with '->'")
        ->required();
    command
        ->add_option("operands", options->files,
                     ".npy files of one dtype, in C or Fortran order; - is standard input")
        ->type_name("FILE")
        ->required();
    command
        ->add_option("-o,--output", options->output,
                     "Write the result to this .npy file; default: print shape, dtype, values")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "Print JSON, with all values unless they go to a file");
    add_backend_options(*command, options->backend);
    add_search_options(*command, options->search);
    command->callback([options, command] { run_einsum(*command, *options); });
}

}  // namespace tenferro::cli
