// `tenferro einsum`: one einsum over .npy files.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/backend_options.hpp"
#include "cli/commands.hpp"
#include "cli/planned_network.hpp"
#include "cli/progress_bar.hpp"
#include "cli/quantities.hpp"
#include "cli/search_options.hpp"
#include "cli/tensor_files.hpp"
#include "cli/tensor_report.hpp"
#include "cli/terminal_text.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro::cli {
namespace {

struct EinsumOptions {
    std::string subscripts, output;
    std::vector<std::string> files;
    BackendOptions backend;
    SearchOptions search;
    bool json = false;
};

void print_result(const Tensor& result, const EinsumOptions& options) {
    if (options.json)
        print_json(tensor_json(result, options.output));
    else if (options.output.empty())
        fmt::print("{}", tensor_text(result));
}

void run_einsum(const CLI::App& command, const EinsumOptions& options) {
    const auto subscripts =
        tensor_network::Subscripts::parse(options.subscripts, tensor_network::Dialect::NumPy);
    const std::vector<Tensor> operands = load_operands(options.files);
    const std::vector<TensorRead> views(operands.begin(), operands.end());
    std::vector<Dims> shapes;
    for (const Tensor& operand : operands)
        shapes.emplace_back(operand.shape().begin(), operand.shape().end());
    std::string strategy = "own";
    tensor_network::PathOptions search = path_options(command, options.search, strategy);
    search.dtype = operands.front().dtype();
    const auto plan = search_plan(subscripts, shapes, search);
    if (options.json && options.output.empty())
        expect_json_printable(element_count(plan->output_shape(), "einsum"), "einsum", "the result");
    const auto backend = make_backend(options.backend);
    const Tensor result = backend->with_backend_session([&](BackendSession& session) {
        ProgressBar bar("contracting");
        const tensor_network::Progress progress(bar);
        return plan->run(session, views, {.progress = &progress});
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
    add_quantity(*command, "-o,--output", options->output, parse_file_name, kFileNameForm,
                 "Write the result to this .npy file; default: print shape, dtype, values")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "Print JSON, with all values unless they go to a file");
    add_backend_options(*command, options->backend);
    add_search_options(*command, options->search);
    command->callback([options, command] { run_einsum(*command, *options); });
}

}  // namespace tenferro::cli
