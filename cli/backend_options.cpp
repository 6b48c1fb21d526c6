// From options to a CpuBackend.
#include "cli/backend_options.hpp"

namespace tenferro::cli {

void add_backend_options(CLI::App& command, BackendOptions& options) {
    command.add_option("--threads", options.threads, "Number of threads; default: all CPUs of the process")
        ->check(CLI::Range(1, 4096))
        ->envname("TENFERRO_NUM_THREADS");
    command
        .add_option("--kind", options.kind,
                    "Who multiplies matrices: builtin or blas; default: blas if compiled in")
        ->check(CLI::IsMember({"builtin", "blas"}));
}

std::unique_ptr<CpuBackend> make_backend(const BackendOptions& options) {
    const CpuKind kind = options.kind == "builtin" ? CpuKind::Builtin : CpuKind::Blas;
    if (options.kind.empty())
        return options.threads == 0 ? std::make_unique<CpuBackend>()
                                    : CpuBackend::with_threads(options.threads);
    return options.threads == 0 ? CpuBackend::with_kind(kind)
                                : CpuBackend::with_threads_and_kind(options.threads, kind);
}

std::string kind_name(CpuKind kind) { return kind == CpuKind::Builtin ? "builtin" : "blas"; }

}  // namespace tenferro::cli
