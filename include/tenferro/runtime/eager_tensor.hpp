// EagerTensor: operations that run at once (ops/functions.hpp), with reverse-mode derivatives by backward().
// What runs is recorded only where a gradient is wanted.
#pragma once

#include <memory>
#include <vector>

#include "tenferro/ops/conveniences.hpp"
#include "tenferro/runtime/compiler.hpp"
#include "tenferro/tensor/print.hpp"

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
    /// (NonScalarLoss). With `create_graph` the gradients are recorded like any other computation, so that
    /// they can be differentiated again; they refer to the leaves, and go with the last handle of theirs.
    void backward(bool create_graph = false) const;
    /// The same for any tensor, from its cotangent, which has its dtype and shape (DTypeMismatch,
    /// TangentShapeMismatch).
    void backward(const TensorRead& cotangent, bool create_graph = false) const;
    /// Whether backward() has given this leaf a gradient since clear_grad().
    [[nodiscard]] bool has_grad() const;
    /// The accumulated gradient of a leaf (MissingValue where it has none yet); nothing is recorded of it
    /// unless a backward() did with create_graph.
    [[nodiscard]] EagerTensor grad() const;
    void clear_grad();
    /// The gradients of this real tensor of rank 0 with respect to `inputs`, each a tensor that requires one
    /// (NonScalarLoss, InvalidArgument). Nothing is accumulated. `create_graph` as for backward().
    [[nodiscard]] std::vector<EagerTensor> gradients(std::span<const EagerTensor> inputs,
                                                     bool create_graph = false) const;
    /// The same value as a leaf: the next step of an optimisation is `(p - rate * p.grad()).detach(true)`.
    [[nodiscard]] EagerTensor detach(bool requires_grad = false) const;
    /// The only element, see TensorRead::item.
    template <Scalar T = double>
    [[nodiscard]] T item() const {
        return value().template item<T>();
    }

private:
    struct Node;
    struct Gradient;
    explicit EagerTensor(std::shared_ptr<Node> node);

    void check_loss(std::string_view op) const;
    void check_recorded() const;
    /// The gradients of Re(conj(cotangent) this), or of this where there is none, with respect to `inputs`.
    [[nodiscard]] std::vector<EagerTensor> gradients(std::span<const EagerTensor> inputs,
                                                     const EagerTensor* cotangent, bool create_graph) const;
    /// The recorded leaves that require a gradient.
    [[nodiscard]] std::vector<EagerTensor> leaves() const;
    void accumulate(const EagerTensor& part) const;

    std::shared_ptr<Node> node_;
    std::shared_ptr<Gradient> gradient_;  // of a leaf that requires one
};

/// See EagerTensor::gradients.
[[nodiscard]] inline std::vector<EagerTensor> grad(const EagerTensor& loss,
                                                   std::span<const EagerTensor> inputs,
                                                   bool create_graph = false) {
    return loss.gradients(inputs, create_graph);
}
[[nodiscard]] inline EagerTensor grad(const EagerTensor& loss, const EagerTensor& input,
                                      bool create_graph = false) {
    return loss.gradients({&input, 1}, create_graph).front();
}
/// `a` as a tensor that derivatives take for a constant; nothing is copied.
[[nodiscard]] inline EagerTensor stop_gradient(const EagerTensor& a) { return a.detach(); }

inline std::ostream& operator<<(std::ostream& out, const EagerTensor& a) { return out << a.value().read(); }

}}  // namespace tenferro::TENFERRO_ABI
