// The options --threads and --kind, and the backend they ask for.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro::cli {

struct BackendOptions {
    int threads = 0;   ///< 0: the default of the library, which the environment sets
    std::string kind;  ///< "builtin" (also when empty) or "blas"
};

void add_backend_options(CLI::App& command, BackendOptions& options);
/// Throws Unsupported when the kind is not compiled in, InvalidArgument when TENFERRO_NUM_THREADS is needed
/// and no thread count.
[[nodiscard]] std::unique_ptr<CpuBackend> make_backend(const BackendOptions& options);
[[nodiscard]] std::string kind_name(CpuKind kind);

}  // namespace tenferro::cli
