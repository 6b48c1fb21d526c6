// TracedTensor: a value that is going to be computed. Operations on it (ops/functions.hpp) extend a graph;
// compiler.hpp turns graphs into programs. Derivatives are graphs too, so they nest.
#pragma once

#include <optional>

#include "tenferro/ops/conveniences.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// An extent that is only known when a program runs.
inline constexpr Index kAnyExtent = -1;

/// Cheap to copy; immutable.
class TENFERRO_API TracedTensor {
public:
    using Guards = std::shared_ptr<const std::vector<ShapeGuard>>;

    /// An input of `dtype` and `shape`, where kAnyExtent stands for a symbolic extent of its own.
    [[nodiscard]] static TracedTensor input(DType dtype, std::span<const Index> shape);
    [[nodiscard]] static TracedTensor input(DType dtype, std::initializer_list<Index> shape) {
        return input(dtype, std::span(shape.begin(), shape.size()));
    }
    /// An input whose extents may be expressions in those of other inputs.
    [[nodiscard]] static TracedTensor input(DType dtype, SymShape shape);
    /// A number as a rank-0 value.
    [[nodiscard]] static TracedTensor constant(DType dtype, const Number& value);
    /// A copy of an array in main memory, which becomes part of the graph (BackendFailure elsewhere).
    [[nodiscard]] static TracedTensor constant(const TensorRead& array);
    explicit TracedTensor(GlobalValKey key, Guards guards = nullptr)
        : key_(std::move(key)), guards_(std::move(guards)) {}

    [[nodiscard]] const TensorMeta& meta() const noexcept { return key_.meta(); }
    [[nodiscard]] DType dtype() const noexcept { return meta().dtype; }
    [[nodiscard]] std::size_t rank() const noexcept { return meta().rank(); }
    [[nodiscard]] const SymDim& extent(std::size_t axis) const noexcept { return meta().shape[axis]; }
    [[nodiscard]] const GlobalValKey& key() const noexcept { return key_; }
    /// What derivative rules assumed about symbolic extents on the way here.
    [[nodiscard]] const Guards& guards() const noexcept { return guards_; }

    /// The outputs of `op` on `inputs`. Throws the typed errors of its shape rule.
    [[nodiscard]] static std::vector<TracedTensor> apply_all(const StdTensorOp& op,
                                                             std::span<const TracedTensor> inputs);
    [[nodiscard]] TracedTensor apply(const StdTensorOp& op, std::span<const TracedTensor> inputs) const {
        return apply_all(op, inputs).front();
    }
    [[nodiscard]] TracedTensor apply(const StdTensorOp& op,
                                     std::initializer_list<TracedTensor> inputs) const {
        return apply(op, std::span(inputs.begin(), inputs.size()));
    }

private:
    GlobalValKey key_;
    Guards guards_;
};

// Derivatives under the real inner product Re(conj(a) b) (docs/semantics.md). `inputs` may be any
// distinct values (InvalidArgument) that the outputs depend on or not, of floating-point or complex dtype
// (DTypeMismatch). Throws AdRuleUnsupported where an operation has no rule.

/// Tangents of `outputs` along `tangents`, one per input in its dtype and shape (TangentShapeMismatch);
/// absent ones are zero.
[[nodiscard]] TENFERRO_API std::vector<TracedTensor> jvp(
    std::span<const TracedTensor> outputs, std::span<const TracedTensor> inputs,
    std::span<const std::optional<TracedTensor>> tangents);
/// Cotangents of `inputs` for those of `outputs`, given likewise.
[[nodiscard]] TENFERRO_API std::vector<TracedTensor> vjp(
    std::span<const TracedTensor> outputs, std::span<const TracedTensor> inputs,
    std::span<const std::optional<TracedTensor>> cotangents);
/// Gradients of a real loss of rank 0 (NonScalarLoss).
[[nodiscard]] TENFERRO_API std::vector<TracedTensor> grad(const TracedTensor& loss,
                                                          std::span<const TracedTensor> inputs);
[[nodiscard]] TENFERRO_API TracedTensor grad(const TracedTensor& loss, const TracedTensor& input);
/// The Hessian of a real loss at `inputs` times `vectors`.
[[nodiscard]] TENFERRO_API std::vector<TracedTensor> hvp(
    const TracedTensor& loss, std::span<const TracedTensor> inputs,
    std::span<const std::optional<TracedTensor>> vectors);
[[nodiscard]] TENFERRO_API TracedTensor hvp(const TracedTensor& loss, const TracedTensor& input,
                                            const TracedTensor& vector);

}}  // namespace tenferro::TENFERRO_ABI
