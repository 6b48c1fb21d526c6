// From options to a CpuBackend.
#include "cli/backend_options.hpp"

#include "tenferro/api/engine.hpp"

namespace tenferro::cli {

void add_backend_options(CLI::App& command, BackendOptions& options) {
    command
        .add_option("--threads", options.threads,
                    "Number of threads; default: TENFERRO_NUM_THREADS, else all CPUs of the process")
        ->check(CLI::Range(1, kMaxThreads));
    command.add_option("--kind", options.kind, "Who multiplies matrices: builtin or blas; default: builtin")
        ->check(CLI::IsMember({"builtin", "blas"}));
}

std::unique_ptr<CpuBackend> make_backend(const BackendOptions& options) {
    const int threads = options.threads == 0 ? num_threads() : options.threads;
    return CpuBackend::with_threads_and_kind(threads,
                                             options.kind == "blas" ? CpuKind::Blas : CpuKind::Builtin);
}

std::string kind_name(CpuKind kind) { return kind == CpuKind::Builtin ? "builtin" : "blas"; }

}  // namespace tenferro::cli
