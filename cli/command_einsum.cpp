// `tenferro einsum`: one einsum over .npy files in NumPy's dialect.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/backend_options.hpp"
#include "cli/commands.hpp"
#include "cli/npy.hpp"
#include "cli/tensor_text.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro::cli {
namespace {

/// Up to this many elements are printed.
constexpr Index kMaxPrinted = 64;

struct EinsumOptions {
    std::string subscripts, output;
    std::vector<std::string> files;
    BackendOptions backend;
    bool json = false;
};

std::vector<Tensor> load_operands(const std::vector<std::string>& files) {
    std::vector<Tensor> operands;
    for (const std::string& file : files) {
        operands.push_back(load_npy(file));
        if (operands.back().dtype() != operands.front().dtype())
            throw Error(ErrorKind::DTypeMismatch, "einsum",
                        text(files.front(), " has dtype ", info(operands.front().dtype()).name, " but ", file,
                             " has dtype ", info(operands.back().dtype()).name));
    }
    return operands;
}

void print_result(const Tensor& result, const EinsumOptions& options) {
    const std::string_view dtype = info(result.dtype()).name;
    const bool small = result.size() <= kMaxPrinted && options.output.empty();
    if (options.json) {
        nlohmann::json report{{"dtype", dtype},
                              {"shape", std::vector<Index>(result.shape().begin(), result.shape().end())}};
        if (small) report["values"] = values_json(result);
        if (!options.output.empty()) report["output"] = options.output;
        fmt::print("{}\n", report.dump(2));
    } else if (options.output.empty()) {
        fmt::print("shape {}, dtype {}\n", shape_text(result.shape()), dtype);
        fmt::print("{}\n", small ? values_text(result)
                                 : fmt::format("{} elements; -o FILE writes them", result.size()));
    }
}

void run_einsum(const EinsumOptions& options) {
    const auto subscripts = einsum::Subscripts::parse(options.subscripts, einsum::Dialect::NumPy);
    const std::vector<Tensor> operands = load_operands(options.files);
    const std::vector<TensorRead> views(operands.begin(), operands.end());
    const auto backend = make_backend(options.backend);
    const Tensor result = einsum::eager_einsum(*backend, subscripts, views);
    if (!options.output.empty()) save_npy(options.output, result);
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
    command->add_option("operands", options->files, ".npy files of one dtype, in C or Fortran order")
        ->required();
    command->add_option("-o,--output", options->output,
                        "Write the result to this .npy file; default: print shape, dtype, values");
    command->add_flag("--json", options->json, "Print JSON");
    add_backend_options(*command, options->backend);
    command->callback([options] { run_einsum(*options); });
}

}  // namespace tenferro::cli
