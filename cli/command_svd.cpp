// `tenferro svd`: the truncated singular value decomposition of a .npy file, by axes.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>

#include "cli/backend_options.hpp"
#include "cli/commands.hpp"
#include "cli/quantities.hpp"
#include "cli/search_options.hpp"
#include "cli/tensor_files.hpp"
#include "cli/tensor_report.hpp"
#include "cli/terminal_text.hpp"
#include "tenferro/linalg/backend.hpp"
#include "tenferro/linalg/functions.hpp"
#include "tenferro/linalg/matrices.hpp"

namespace tenferro::cli {
namespace {

struct SvdCommandOptions {
    std::string file, prefix;
    std::vector<std::size_t> left, right;
    bool rest_is_right = true;
    std::uint64_t max_rank = 0;
    double cutoff = -1;
    BackendOptions backend;
    bool json = false;

    [[nodiscard]] std::string file_of(std::string_view part) const {
        return prefix.empty() ? "" : fmt::format("{}_{}.npy", prefix, part);
    }
};

struct TruncatedSvd {
    Tensor u, s, vt;
    Index all;         ///< singular values of the tensor
    double discarded;  ///< norm of those that are left out
};

/// The axes that are not in `left`, in order.
std::vector<std::size_t> rest(std::size_t rank, const std::vector<std::size_t>& left) {
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < rank; ++axis)
        if (std::find(left.begin(), left.end(), axis) == left.end()) axes.push_back(axis);
    return axes;
}

/// Norm of the values from `first` on, scaled so that no square leaves the range.
double norm_from(const Tensor& s, Index first) {
    double norm = 0;
    for (Index i = first; i < s.size(); ++i) norm = std::hypot(norm, s(i));
    return norm;
}

TruncatedSvd decompose(const Tensor& tensor, const SvdCommandOptions& options) {
    const auto backend = make_backend(options.backend);
    const std::vector<std::size_t> right =
        options.rest_is_right ? rest(tensor.rank(), options.left) : options.right;
    const linalg::Matrices matrices(*backend, tensor, {options.left, right}, linalg::Unlisted::Mistake,
                                    "svd");
    linalg::SvdTensors svd = linalg::LinalgBackend(*backend).svd_read(matrices.view());
    constexpr std::uint64_t kMost = std::numeric_limits<Index>::max();
    const Index all = svd.s.size(),
                k = linalg::kept_rank(
                    svd.s, {static_cast<Index>(std::min(options.max_rank, kMost)), options.cutoff});
    const double discarded = norm_from(svd.s, k);
    const auto first = [&](const Tensor& part, Index rows, Index columns) {
        return backend->slice_read(part, Dims(2, 0), {rows, columns}, Dims(2, 1));
    };
    return {backend->reshape(first(svd.u, matrices.rows(), k), linalg::joined({matrices.left(), {k}})),
            backend->slice_read(svd.s, {0}, {k}, {1}),
            backend->reshape(first(svd.vh, k, matrices.columns()), linalg::joined({{k}, matrices.right()})),
            all, discarded};
}

void print_report(const TruncatedSvd& svd, const SvdCommandOptions& options) {
    print_json(Json::object()
                   .with("kept", svd.s.size())
                   .with("singular_values", svd.all)
                   .with("discarded_norm", svd.discarded)
                   .with("u", tensor_json(svd.u, options.file_of("u")))
                   .with("s", tensor_json(svd.s, options.file_of("s")))
                   .with("vt", tensor_json(svd.vt, options.file_of("vt"))));
}

void print_text(const TruncatedSvd& svd, const SvdCommandOptions& options) {
    fmt::print("kept {} of {} singular values; norm of the others {:.3g}\n", svd.s.size(), svd.all,
               svd.discarded);
    if (options.prefix.empty())
        fmt::print("u: {}s: {}vt: {}", tensor_text(svd.u), tensor_text(svd.s), tensor_text(svd.vt));
}

void run_svd(const SvdCommandOptions& options) {
    const Tensor tensor = std::move(load_operands({options.file}).front());
    const TruncatedSvd svd = decompose(tensor, options);
    if (options.json && options.prefix.empty()) {
        expect_json_printable(svd.u.size(), "svd", "U");
        expect_json_printable(svd.vt.size(), "svd", "Vt");
    }
    if (!options.prefix.empty())
        save_results(std::vector<NamedTensor>{{options.file_of("u"), &svd.u},
                                              {options.file_of("s"), &svd.s},
                                              {options.file_of("vt"), &svd.vt}});
    options.json ? print_report(svd, options) : print_text(svd, options);
}

}  // namespace

void add_svd(CLI::App& app) {
    auto* command = app.add_subcommand("svd", "Decompose a .npy file into singular values and vectors");
    const auto options = std::make_shared<SvdCommandOptions>();
    command
        ->add_option("tensor", options->file,
                     ".npy file of a floating-point or complex dtype; - is standard input")
        ->type_name("FILE")
        ->required();
    add_quantity(*command, "--left", options->left, parse_axes, kAxesForm,
                 "Axes that are rows of the matrix, such as 0,1")
        ->type_name("AXES")
        ->required();
    auto* right = add_quantity(*command, "--right", options->right, parse_axes, kAxesForm,
                               "Axes that are columns; default: all others")
                      ->type_name("AXES");
    add_quantity(*command, "--max-rank", options->max_rank, parse_seed, kSeedForm,
                 "Keep at most this many singular values; 0, the default: all")
        ->type_name("COUNT");
    add_quantity(*command, "--cutoff", options->cutoff, parse_number, kCutoffForm,
                 "Of these keep the ones that are at least as large; negative, the default: all")
        ->type_name("NUMBER");
    add_quantity(*command, "-o,--output", options->prefix, parse_file_name, kPrefixForm,
                 "Write PREFIX_u.npy, PREFIX_s.npy and PREFIX_vt.npy; default: print them")
        ->type_name("PREFIX");
    command->add_flag("--json", options->json, "Print JSON, with all values unless they go to files");
    add_backend_options(*command, options->backend);
    command->callback([options, right] {
        options->rest_is_right = right->count() == 0;
        run_svd(*options);
    });
}

}  // namespace tenferro::cli
