// StdTensorOp: an operation of the graph as a small value: hashable, comparable, printable. Behind it is an
// Operation, one struct per operation with its payload, its shape rule, how it runs and its derivative rules.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tenferro/graph/fragment.hpp"
#include "tenferro/ops/operation_list.hpp"
#include "tenferro/ops/tensor_meta.hpp"
#include "tenferro/tensor/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class StdTensorOp;
class ShapeGuardContext;

using OpMode = op_graph::OpMode;
using LocalValId = op_graph::LocalValId;
using GlobalValKey = op_graph::GlobalValKey<StdTensorOp>;
using ValRef = op_graph::ValRef<StdTensorOp>;
using FragmentBuilder = op_graph::FragmentBuilder<StdTensorOp>;
/// One for each output or input; absent is zero.
using OptionalValues = std::vector<std::optional<LocalValId>>;

/// Renames the inputs that symbolic extents refer to.
using InputNames = FunctionRef<std::uint64_t(std::uint64_t)>;
/// The value of a symbolic extent.
using DimBindings = SymDim::Bindings;

/// What an operation is. Immutable; all members are thread-safe.
class TENFERRO_API Operation {
public:
    virtual ~Operation();

    [[nodiscard]] virtual OpKind kind() const noexcept = 0;
    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    [[nodiscard]] virtual std::size_t n_inputs() const noexcept = 0;
    [[nodiscard]] virtual std::size_t n_outputs() const noexcept { return 1; }

    // The payload as a value; `other` is of the same kind.
    virtual void hash_payload(Hasher& hasher) const = 0;
    [[nodiscard]] virtual bool payload_equals(const Operation& other) const = 0;
    [[nodiscard]] virtual std::string payload_text() const = 0;
    /// The operation with every symbol of its payload replaced, or null where it has none.
    [[nodiscard]] virtual std::shared_ptr<const Operation> substituted(
        FunctionRef<SymDim(DimSymbol)> value) const = 0;

    /// Description of the outputs. Total over symbolic extents; throws typed errors on what can be known to
    /// be wrong.
    [[nodiscard]] virtual std::vector<TensorMeta> infer(std::span<const TensorMeta> inputs) const = 0;

    /// Computes the outputs in `session`. Every extent of the payload is a known number.
    virtual void execute(BackendSession& session, std::span<const TensorRead> inputs,
                         std::span<Tensor> outputs) const = 0;
    /// The only output where it depends on nothing: in main memory, for as long as this lives.
    [[nodiscard]] virtual std::optional<TensorRead> value() const;
    /// The only output as a view of the first input, if it is one.
    [[nodiscard]] virtual std::optional<TensorRead> view(const TensorRead& input) const;
    /// Whether execute_consuming can write a result where an operand was.
    [[nodiscard]] virtual bool can_consume() const noexcept;
    /// As `execute`. Operand i may be taken where dying[i], which then holds it whole, is not null: nothing
    /// reads it any more.
    virtual void execute_consuming(BackendSession& session, std::span<const TensorRead> inputs,
                                   std::span<Tensor* const> dying, std::span<Tensor> outputs) const;

    // What the passes on programs ask. Null, empty or none where there is no better operation, as in the ones
    // given here.
    /// That programs with this operation can be compiled here (Unsupported).
    virtual void require_available() const;
    /// The step of an elementwise fusion plan that this is on operands of these dtypes.
    [[nodiscard]] virtual std::optional<OpId> fusion_step(std::span<const DType> inputs) const;
    /// Adds what this is on small matrices to `plan`, for operands that are values of it, and returns the
    /// only output; nothing where this is no such step.
    [[nodiscard]] virtual MatrixPlan::MaybeValue matrix_step(MatrixPlan& plan,
                                                             MatrixPlan::Values inputs) const;
    /// The number that every element of the only output is, where `operands` has it for those operands of
    /// which it is known; else null.
    [[nodiscard]] virtual const tensor_ops::Constant* filled_with(
        std::span<const tensor_ops::Constant* const> operands) const noexcept;
    /// The operand that equals the only output, element by element, where some are filled with numbers.
    [[nodiscard]] virtual std::optional<std::size_t> same_as(
        std::span<const tensor_ops::Constant* const> operands) const noexcept;
    /// perm where this is a mere transpose: axis i of the output is axis perm[i] of the input.
    [[nodiscard]] virtual const Dims* permutation() const noexcept;
    /// What computes the same and runs better.
    [[nodiscard]] virtual std::shared_ptr<const Operation> normalized() const;
    /// What computes the same from operand `input` as it is before a transpose by `perm`.
    [[nodiscard]] virtual std::shared_ptr<const Operation> before_transpose(
        std::size_t input, const Dims& perm, std::span<const TensorMeta> inputs) const;
    /// What computes the only output transposed by `perm`.
    [[nodiscard]] virtual std::shared_ptr<const Operation> with_transpose(const Dims& perm) const;
    /// What computes from the same inputs those outputs alone that are `used`, in order, for less.
    [[nodiscard]] virtual std::shared_ptr<const Operation> with_outputs(std::span<const bool> used) const;

    /// Emits the tangents of the outputs; see StdTensorOp.
    [[nodiscard]] virtual OptionalValues linearize(FragmentBuilder& builder,
                                                   std::span<const GlobalValKey> primal_in,
                                                   std::span<const GlobalValKey> primal_out,
                                                   std::span<const std::optional<LocalValId>> tangent_in,
                                                   ShapeGuardContext& context) const = 0;
    [[nodiscard]] virtual OptionalValues transpose_rule(
        FragmentBuilder& builder, std::span<const std::optional<LocalValId>> cotangent_out,
        std::span<const ValRef> inputs, const OpMode& mode, ShapeGuardContext& context) const = 0;
};

/// Cheap to copy.
class TENFERRO_API StdTensorOp {
public:
    using Meta = TensorMeta;

    explicit StdTensorOp(std::shared_ptr<const Operation> operation) noexcept
        : operation_(std::move(operation)) {}
    template <std::derived_from<Operation> T>
    StdTensorOp(T operation)  // NOLINT(google-explicit-constructor)
        : operation_(shared(std::move(operation))) {}

    [[nodiscard]] OpKind kind() const noexcept { return operation_->kind(); }
    [[nodiscard]] std::string_view name() const noexcept { return operation_->name(); }
    [[nodiscard]] std::size_t n_inputs() const noexcept { return operation_->n_inputs(); }
    [[nodiscard]] std::size_t n_outputs() const noexcept { return operation_->n_outputs(); }
    /// The struct, if this is one.
    template <class T>
    [[nodiscard]] const T* as() const noexcept {
        return kind() == kind_of<T>() ? static_cast<const T*>(operation_.get()) : nullptr;
    }
    [[nodiscard]] const Operation& operation() const noexcept { return *operation_; }

    [[nodiscard]] std::uint64_t hash() const noexcept;
    friend bool operator==(const StdTensorOp& a, const StdTensorOp& b) {
        return a.operation_ == b.operation_ ||
               (a.kind() == b.kind() && a.operation_->payload_equals(*b.operation_));
    }
    /// "transpose{perm=[1, 0]}".
    [[nodiscard]] std::string text() const;
    /// "expected 2 inputs, got 3".
    [[nodiscard]] std::string arity_text(std::size_t got) const;

    /// Description of the outputs; the number of inputs must be right (InvalidConfig).
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> inputs) const;
    [[nodiscard]] StdTensorOp renumber(InputNames names) const;
    [[nodiscard]] static TensorMeta renumber(const TensorMeta& meta, InputNames names);
    [[nodiscard]] StdTensorOp bind(DimBindings bindings) const;

    /// Emits, in `builder`, the linear map from tangents of the inputs to tangents of the outputs at the
    /// primal values. Throws AdRuleUnsupported where there is no rule.
    [[nodiscard]] OptionalValues linearize(FragmentBuilder& builder, std::span<const GlobalValKey> primal_in,
                                           std::span<const GlobalValKey> primal_out,
                                           std::span<const std::optional<LocalValId>> tangent_in,
                                           ShapeGuardContext& context) const;
    /// For a link of the linear flow: emits cotangents of its active inputs from those of its outputs.
    [[nodiscard]] OptionalValues transpose_rule(FragmentBuilder& builder,
                                                std::span<const std::optional<LocalValId>> cotangent_out,
                                                std::span<const ValRef> inputs, const OpMode& mode,
                                                ShapeGuardContext& context) const;

    /// Tangents have the dtype and shape of their primal.
    [[nodiscard]] static TensorMeta tangent_meta(const TensorMeta& primal) { return primal; }
    [[nodiscard]] static LocalValId add_cotangents(FragmentBuilder& builder, LocalValId a, LocalValId b);

private:
    /// Without a constraint, which compilers do not agree on how to write in a symbol.
    template <class T>
    static std::shared_ptr<const Operation> shared(T operation);

    std::shared_ptr<const Operation> operation_;
};

template <class T>
std::shared_ptr<const Operation> StdTensorOp::shared(T operation) try {
    return std::make_shared<const T>(std::move(operation));
} catch (const std::bad_alloc&) {
    throw_out_of_memory(operation.name());
}

}}  // namespace tenferro::TENFERRO_ABI
