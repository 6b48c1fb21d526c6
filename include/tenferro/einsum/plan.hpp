// EinsumPlan: everything about an einsum that does not depend on the numbers, prepared once and run many
// times; and the bounded cache of plans.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tenferro/einsum/contraction_tree.hpp"
#include "tenferro/einsum/path_search.hpp"
#include "tenferro/einsum/program.hpp"
#include "tenferro/einsum/scaled.hpp"
#include "tenferro/tensor/backend.hpp"
#include "tenferro/tensor/operand.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// Immutable after construction; may be run from several threads at once. Operands must have the shapes of
/// the plan (ShapeMismatch, InvalidArgument for a wrong count) and one dtype (DTypeMismatch; Bool is
/// Unsupported). Results are compact column-major.
class TENFERRO_API EinsumPlan {
public:
    /// Searches a path, under the options' memory limit if they have one (Unsupported where it cannot be
    /// met). The limit is for `run`; derivatives are sliced too but also keep what the gradients need.
    EinsumPlan(const Subscripts& subscripts, std::span<const Dims> shapes, const PathOptions& options = {});
    /// Follows an explicit path (shrinking-list form). Costs are those of tensors of `dtype`. With a memory
    /// limit other than 0 the path is sliced until its peak_bytes are within it (Unsupported where no labels
    /// make them so).
    EinsumPlan(const Subscripts& subscripts, std::span<const Dims> shapes,
               std::span<const std::vector<int>> path, DType dtype = DType::F64,
               std::int64_t memory_limit_bytes = 0);
    ~EinsumPlan();
    EinsumPlan(const EinsumPlan&) = delete;
    EinsumPlan& operator=(const EinsumPlan&) = delete;

    [[nodiscard]] const Network& network() const noexcept;
    [[nodiscard]] const ContractionTree& tree() const noexcept;
    [[nodiscard]] const ContractionCost& cost() const noexcept;
    /// Of `vjp`: what it computes forward again and back, and the bytes that it holds at once, gradients
    /// included (at most; of complex tensors also a conjugate of the cotangent, which is not counted).
    [[nodiscard]] ContractionCost vjp_cost() const;
    [[nodiscard]] const Dims& output_shape() const noexcept;
    /// Labels whose values are run one after the other to meet the memory limit.
    [[nodiscard]] const LabelIds& sliced_labels() const noexcept;

    /// The einsum.
    [[nodiscard]] Tensor run(BackendSession& session, std::span<const TensorRead> operands,
                             const RunOptions& options = {}) const;
    /// The einsum of operands that are known to have the plan's number and shapes, as those have for which a
    /// PlanCache gave it: these are not looked at. Operands of several dtypes are a DTypeMismatch, of Bool
    /// Unsupported; Cancelled and OutOfMemory as run.
    [[nodiscard]] Tensor run_fitting(BackendSession& session, std::span<const TensorRead> operands,
                                     const RunOptions& options = {}) const;
    /// In a session of its own.
    [[nodiscard]] Tensor run(TensorBackend& backend, std::span<const TensorRead> operands) const {
        return backend.with_backend_session([&](BackendSession& session) { return run(session, operands); });
    }
    [[nodiscard]] Tensor run(TensorBackend& backend, Operands operands) const {
        return run(backend, std::span<const TensorRead>(views(operands)));
    }
    /// The einsum over the algebra of `executor`, whatever it is, for operands of any one dtype that the
    /// executor takes. Slices run one after the other and are joined by its `add`.
    [[nodiscard]] Tensor run(PairwiseExecutor& executor, std::span<const TensorRead> operands,
                             const RunOptions& options = {}) const;
    /// One gradient per operand, in the operand's shape: the cotangent pulled back under the real inner
    /// product Re(conj(a) b), so that complex partners enter conjugated. `cotangent` has the result's shape
    /// and dtype (ShapeMismatch).
    [[nodiscard]] std::vector<Tensor> vjp(BackendSession& session, std::span<const TensorRead> operands,
                                          const TensorRead& cotangent, const RunOptions& options = {}) const;
    /// The tangent of the result; an absent tangent is zero. Tangents have the operands' shapes
    /// (TangentShapeMismatch).
    [[nodiscard]] Tensor jvp(BackendSession& session, std::span<const TensorRead> primals,
                             std::span<const std::optional<TensorRead>> tangents,
                             const RunOptions& options = {}) const;

    // The same for values out of range: every intermediate carries a power of two of its own, and so do the
    // results. Only elements far below the largest of their tensor can be lost. Integers are Unsupported, an
    // exponent of a cotangent beyond 2^62 is InvalidArgument. Slices run one after the other.
    [[nodiscard]] ScaledTensor run_scaled(BackendSession& session, std::span<const TensorRead> operands,
                                          const RunOptions& options = {}) const;
    [[nodiscard]] std::vector<ScaledTensor> vjp_scaled(BackendSession& session,
                                                       std::span<const TensorRead> operands,
                                                       const ScaledRead& cotangent,
                                                       const RunOptions& options = {}) const;
    [[nodiscard]] ScaledTensor jvp_scaled(BackendSession& session, std::span<const TensorRead> primals,
                                          std::span<const std::optional<TensorRead>> tangents,
                                          const RunOptions& options = {}) const;

private:
    struct State;
    std::unique_ptr<const State> state_;
};

/// Least-recently-used cache of plans by (string, dialect, dtype, shapes). Thread-safe.
class TENFERRO_API PlanCache {
public:
    /// Keeps at most `capacity` plans (at least 1).
    explicit PlanCache(std::size_t capacity = 256);
    ~PlanCache();
    PlanCache(const PlanCache&) = delete;
    PlanCache& operator=(const PlanCache&) = delete;

    /// The plan for these arguments, made with default options and the operands' dtype if absent; `options`
    /// watch and cancel that search.
    [[nodiscard]] std::shared_ptr<const EinsumPlan> get(std::string_view subscripts, Dialect dialect,
                                                        std::span<const TensorRead> operands,
                                                        const RunOptions& options = {});

    struct Stats {
        std::size_t hits = 0, misses = 0, entries = 0, capacity = 0;
    };
    [[nodiscard]] Stats stats() const;
    void clear();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Runs subscripts at once on a backend, without a cache.
[[nodiscard]] TENFERRO_API Tensor eager_einsum(TensorBackend& backend, const Subscripts& subscripts,
                                               std::span<const TensorRead> operands);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
