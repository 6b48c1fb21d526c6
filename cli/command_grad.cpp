// `tenferro grad`: an einsum over .npy files and its gradients by one reverse pass.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/backend_options.hpp"
#include "cli/commands.hpp"
#include "cli/input_file.hpp"
#include "cli/planned_network.hpp"
#include "cli/progress_bar.hpp"
#include "cli/quantities.hpp"
#include "cli/search_options.hpp"
#include "cli/tensor_files.hpp"
#include "cli/tensor_report.hpp"
#include "cli/terminal_text.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/einsum/plan.hpp"
#include "tenferro/tensor/creation.hpp"

namespace tenferro::cli {
namespace {

struct GradOptions {
    std::string subscripts, cotangent, prefix;
    std::vector<std::string> files;
    BackendOptions backend;
    SearchOptions search;
    bool json = false;

    [[nodiscard]] std::string value_file() const { return prefix.empty() ? "" : prefix + "_value.npy"; }
    [[nodiscard]] std::string gradient_file(std::size_t operand) const {
        return prefix.empty() ? "" : fmt::format("{}_grad{}.npy", prefix, operand);
    }
};

struct Gradients {
    Tensor value;
    std::vector<Tensor> gradients;
};

void save(const Gradients& results, const GradOptions& options) {
    std::vector<NamedTensor> files{{options.value_file(), &results.value}};
    for (std::size_t i = 0; i < results.gradients.size(); ++i)
        files.push_back({options.gradient_file(i), &results.gradients[i]});
    save_results(files);
}

void print_report(const Gradients& results, const GradOptions& options) {
    Json gradients = Json::list();
    for (std::size_t i = 0; i < results.gradients.size(); ++i)
        gradients.add(tensor_json(results.gradients[i], options.gradient_file(i)));
    print_json(Json::object()
                   .with("value", tensor_json(results.value, options.value_file()))
                   .with("gradients", std::move(gradients)));
}

void print_text(const Gradients& results) {
    fmt::print("value: {}", tensor_text(results.value));
    for (std::size_t i = 0; i < results.gradients.size(); ++i)
        fmt::print("gradient {}: {}", i, tensor_text(results.gradients[i]));
}

Gradients differentiate(const tensor_network::EinsumPlan& plan, std::span<const Tensor> operands,
                        const Tensor* cotangent, const GradOptions& options) {
    const std::vector<TensorRead> views(operands.begin(), operands.end());
    const auto backend = make_backend(options.backend);
    return backend->with_backend_session([&](BackendSession& session) {
        ProgressBar bar("contracting");
        const tensor_network::Progress progress(bar);
        Tensor value = plan.run(session, views, {.progress = &progress});
        const Tensor ones = cotangent != nullptr ? Tensor() : tenferro::ones(value.dtype(), value.shape());
        std::vector<Tensor> gradients =
            plan.vjp(session, views, cotangent != nullptr ? *cotangent : ones, {.progress = &progress});
        return Gradients{std::move(value), std::move(gradients)};
    });
}

void run_grad(const CLI::App& command, const GradOptions& options) {
    const auto subscripts =
        tensor_network::Subscripts::parse(options.subscripts, tensor_network::Dialect::NumPy);
    std::vector<std::string> files = options.files;
    if (!options.cotangent.empty()) files.push_back(options.cotangent);
    const std::vector<Tensor> tensors = load_operands(files);
    const std::span<const Tensor> operands(tensors.data(), options.files.size());
    const DType dtype = operands.front().dtype();
    if (!info(dtype).is_float && !info(dtype).is_complex)
        throw Error(ErrorKind::DTypeMismatch, "grad",
                    text("the operands have dtype ", info(dtype).name,
                         " but only floating-point and complex tensors have gradients"));
    std::vector<Dims> shapes;
    for (const Tensor& operand : operands)
        shapes.emplace_back(operand.shape().begin(), operand.shape().end());
    std::string strategy = "own";
    tensor_network::PathOptions search = path_options(command, options.search, strategy);
    search.dtype = dtype;
    const auto plan = search_plan(subscripts, shapes, search);
    if (options.json && options.prefix.empty()) {
        expect_json_printable(element_count(plan->output_shape(), "grad"), "grad", "the value");
        for (std::size_t i = 0; i < operands.size(); ++i)
            expect_json_printable(operands[i].size(), "grad", fmt::format("gradient {}", i));
    }
    const Gradients results =
        differentiate(*plan, operands, options.cotangent.empty() ? nullptr : &tensors.back(), options);
    if (!options.prefix.empty()) save(results, options);
    if (options.json)
        print_report(results, options);
    else if (options.prefix.empty())
        print_text(results);
}

}  // namespace

void add_grad(CLI::App& app) {
    auto* command = app.add_subcommand("grad", "Compute an einsum of .npy files and its gradients");
    const auto options = std::make_shared<GradOptions>();
    command->add_option("subscripts", options->subscripts, "As for einsum")->required();
    command
        ->add_option("operands", options->files,
                     ".npy files of one floating-point or complex dtype; - is standard input")
        ->type_name("FILE")
        ->required();
    add_quantity(*command, "--cotangent", options->cotangent, parse_file_name, kFileNameForm,
                 "A .npy file of the result's shape and dtype: what the result is weighted with; default: "
                 "ones")
        ->type_name("FILE");
    add_quantity(*command, "-o,--output", options->prefix, parse_file_name, kPrefixForm,
                 "Write PREFIX_value.npy and PREFIX_grad0.npy, one per operand; default: print them")
        ->type_name("PREFIX");
    command->add_flag("--json", options->json, "Print JSON, with all values unless they go to files");
    add_backend_options(*command, options->backend);
    add_search_options(*command, options->search);
    command->callback([options, command] { run_grad(*command, *options); });
}

}  // namespace tenferro::cli
