// Engine: looks up the plan, opens one session, runs.
#include "tenferro/api/engine.hpp"

#include <cstdlib>
#include <new>
#include <optional>
#include <string_view>

#include "base/immortal.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/runtime/eager_tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

Engine::Engine(std::unique_ptr<TensorBackend> backend) try
    : backend_(std::move(backend)), eager_(std::make_unique<EagerContext>(*backend_)) {
} catch (const std::bad_alloc&) {
    throw_out_of_memory("Engine");
}
Engine::~Engine() = default;

TensorBackend& Engine::backend() noexcept { return *backend_; }
tensor_network::PlanCache& Engine::plans() noexcept { return plans_; }
EagerContext& Engine::eager() noexcept { return *eager_; }

Tensor Engine::einsum(std::string_view subscripts, std::span<const TensorRead> operands,
                      tensor_network::Dialect dialect, const tensor_network::RunOptions& options) {
    const auto plan = plans_.get(subscripts, dialect, operands, options);
    return backend_->with_backend_session(
        [&](BackendSession& session) { return plan->run_fitting(session, operands, options); });
}

std::vector<Tensor> Engine::einsum_vjp(std::string_view subscripts, std::span<const TensorRead> operands,
                                       const TensorRead& cotangent, tensor_network::Dialect dialect,
                                       const tensor_network::RunOptions& options) {
    const auto plan = plans_.get(subscripts, dialect, operands, options);
    return backend_->with_backend_session(
        [&](BackendSession& session) { return plan->vjp(session, operands, cotangent, options); });
}

Tensor Engine::einsum_jvp(std::string_view subscripts, std::span<const TensorRead> primals,
                          std::span<const std::optional<TensorRead>> tangents,
                          tensor_network::Dialect dialect, const tensor_network::RunOptions& options) {
    const auto plan = plans_.get(subscripts, dialect, primals, options);
    return backend_->with_backend_session(
        [&](BackendSession& session) { return plan->jvp(session, primals, tangents, options); });
}

namespace {

/// The value of a variable of the environment that is set and not empty.
std::optional<std::string_view> environment(const char* name) noexcept {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
}

std::unique_ptr<CpuBackend> default_backend() {
    CpuOptions options;
    if (const auto value = environment("TENFERRO_NUM_THREADS")) {
        char* end = nullptr;
        const long threads = std::strtol(value->data(), &end, 10);
        if (*end != '\0' || threads < 1 || threads > kMaxThreads)
            throw Error(ErrorKind::InvalidArgument, "default_engine",
                        text("TENFERRO_NUM_THREADS is '", *value, "' but must be 1 to 4096"));
        options.threads = static_cast<int>(threads);
    }
    if (const auto value = environment("TENFERRO_CPU_KIND")) {
        if (*value != "builtin" && *value != "blas")
            throw Error(ErrorKind::InvalidArgument, "default_engine",
                        text("TENFERRO_CPU_KIND is '", *value, "' but must be 'builtin' or 'blas'"));
        if (*value == "blas") options.kind = CpuKind::Blas;
    }
    return std::make_unique<CpuBackend>(options);
}

/// The default engine and its backend by its own type.
struct Default {
    CpuBackend& backend;
    Engine engine;

    explicit Default(std::unique_ptr<CpuBackend> made) : backend(*made), engine(std::move(made)) {}
};

Default& the_default() {
    static constinit Immortal<Default> made;
    return made.get([] { return std::make_unique<Default>(default_backend()); });
}

}  // namespace

Engine& default_engine() try { return the_default().engine; } catch (const std::bad_alloc&) {
    throw_out_of_memory("default_engine");
}

int num_threads() try { return the_default().backend.threads(); } catch (const std::bad_alloc&) {
    throw_out_of_memory("default_engine");
}

void set_num_threads(int threads) try {
    if (threads < 1 || threads > kMaxThreads)
        throw Error(ErrorKind::InvalidArgument, "set_num_threads",
                    text("thread count is ", threads, " but must be 1 to ", kMaxThreads));
    the_default().backend.set_threads(threads);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("set_num_threads");
}

}}  // namespace tenferro::TENFERRO_ABI
