// EagerTensor: operations that run at once (ops/functions.hpp), with reverse-mode derivatives by backward().
// What runs is recorded only where a gradient is wanted.
#pragma once

#include <memory>
#include <vector>

#include "tenferro/ops/functions.hpp"
#include "tenferro/runtime/compiler.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// Where eager operations run, and the programs that their derivatives were compiled to. Thread-safe.
class TENFERRO_API EagerContext {
public:
    /// `backend` must outlive the context, and the context its tensors.
    explicit EagerContext(TensorBackend& backend, CacheLimits limits = {});
    ~EagerContext();
    EagerContext(const EagerContext&) = delete;
    EagerContext& operator=(const EagerContext&) = delete;

    [[nodiscard]] TensorBackend& backend() noexcept { return backend_; }
    /// Compiles functions for functional.hpp.
    [[nodiscard]] GraphCompiler& compiler() noexcept;
    /// Of the derivatives that backward() keeps.
    [[nodiscard]] CacheStats backward_stats() const;
    void clear();

private:
    friend class EagerTensor;
    struct State;
    TensorBackend& backend_;
    std::unique_ptr<State> state_;
};

/// A handle: copies are the same tensor. The value never changes; the gradient of a leaf is set by
/// backward().
class TENFERRO_API EagerTensor {
public:
    /// A leaf. `requires_grad` asks backward() for its gradient; the dtype must be floating-point or complex
    /// then (DTypeMismatch).
    EagerTensor(EagerContext& context, Tensor value, bool requires_grad = false);

    [[nodiscard]] const Tensor& value() const noexcept;
    [[nodiscard]] DType dtype() const noexcept { return value().dtype(); }
    [[nodiscard]] std::size_t rank() const noexcept { return value().rank(); }
    [[nodiscard]] SymDim extent(std::size_t axis) const noexcept { return value().shape()[axis]; }
    [[nodiscard]] EagerContext& context() const noexcept;
    [[nodiscard]] bool requires_grad() const noexcept;

    /// Runs `op` on `inputs`, which are of one context (InvalidArgument).
    [[nodiscard]] std::vector<EagerTensor> apply_all(const StdTensorOp& op,
                                                     std::span<const EagerTensor> inputs) const;
    [[nodiscard]] EagerTensor apply(const StdTensorOp& op, std::span<const EagerTensor> inputs) const;
    [[nodiscard]] EagerTensor apply(const StdTensorOp& op, std::initializer_list<EagerTensor> inputs) const {
        return apply(op, std::span(inputs.begin(), inputs.size()));
    }

    /// Adds to the gradient of every leaf that requires one its share in this real tensor of rank 0
    /// (NonScalarLoss).
    void backward() const;
    /// The same for any tensor, from its cotangent, which has its dtype and shape (DTypeMismatch,
    /// TangentShapeMismatch).
    void backward(const TensorRead& cotangent) const;
    /// The accumulated gradient of a leaf; empty before the first backward().
    [[nodiscard]] std::optional<Tensor> grad() const;
    void clear_grad();
    /// The same value as a leaf that requires no gradient.
    [[nodiscard]] EagerTensor detach() const;

private:
    struct Node;
    explicit EagerTensor(std::shared_ptr<Node> node) noexcept : node_(std::move(node)) {}

    std::shared_ptr<Node> node_;
};

}}  // namespace tenferro::TENFERRO_ABI
