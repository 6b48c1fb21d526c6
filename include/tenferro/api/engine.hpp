// The C++ user's surface: an Engine composes a backend with a plan cache; free functions use the default one.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tenferro/einsum/plan.hpp"
#include "tenferro/tensor/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class EagerContext;

/// Thread-safe.
class TENFERRO_API Engine {
public:
    /// Takes over the backend.
    explicit Engine(std::unique_ptr<TensorBackend> backend);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    [[nodiscard]] TensorBackend& backend() noexcept;
    [[nodiscard]] tensor_network::PlanCache& plans() noexcept;
    /// For EagerTensors on this backend.
    [[nodiscard]] EagerContext& eager() noexcept;

    /// The einsum of `operands` (all of one dtype, at least one). Throws InvalidArgument for a malformed
    /// string or a wrong operand count, ShapeMismatch for a label of two extents, DTypeMismatch. `options`
    /// watch and cancel the search of the path too.
    [[nodiscard]] Tensor einsum(std::string_view subscripts, std::span<const TensorRead> operands,
                                tensor_network::Dialect dialect = tensor_network::Dialect::Strict,
                                const tensor_network::RunOptions& options = {});
    [[nodiscard]] Tensor einsum(std::string_view subscripts, Operands operands,
                                tensor_network::Dialect dialect = tensor_network::Dialect::Strict) {
        return einsum(subscripts, std::span<const TensorRead>(views(operands)), dialect);
    }
    /// Gradients of every operand, see EinsumPlan::vjp.
    [[nodiscard]] std::vector<Tensor> einsum_vjp(
        std::string_view subscripts, std::span<const TensorRead> operands, const TensorRead& cotangent,
        tensor_network::Dialect dialect = tensor_network::Dialect::Strict,
        const tensor_network::RunOptions& options = {});
    /// Tangent of the result, see EinsumPlan::jvp.
    [[nodiscard]] Tensor einsum_jvp(std::string_view subscripts, std::span<const TensorRead> primals,
                                    std::span<const std::optional<TensorRead>> tangents,
                                    tensor_network::Dialect dialect = tensor_network::Dialect::Strict,
                                    const tensor_network::RunOptions& options = {});

private:
    std::unique_ptr<TensorBackend> backend_;
    tensor_network::PlanCache plans_;
    std::unique_ptr<EagerContext> eager_;
};

/// A process-wide engine on the CPU, made at first use and never destroyed. The environment's
/// TENFERRO_NUM_THREADS sets its thread count, TENFERRO_CPU_KIND its kind, builtin or blas (of which
/// TENFERRO_BLAS_LIBRARY may name the library). Throws InvalidArgument for other values, and as the
/// constructor of CpuBackend.
[[nodiscard]] TENFERRO_API Engine& default_engine();

/// The largest thread count that default_engine takes.
inline constexpr int kMaxThreads = 4096;

/// Threads that the default engine uses.
[[nodiscard]] TENFERRO_API int num_threads();
/// Sets them, for operations that start from now on. Throws InvalidArgument unless 1 <= threads <=
/// kMaxThreads. Thread-safe.
TENFERRO_API void set_num_threads(int threads);

/// Library version, as in the C function tfe_version_string.
[[nodiscard]] TENFERRO_API std::string_view version() noexcept;

}}  // namespace tenferro::TENFERRO_ABI
