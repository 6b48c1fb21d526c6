// ExtensionOp: an operation that lives outside this library (contract: docs/semantics.md). An extension
// derives from ExtensionOp, registers an ExtensionFactory for its family and, for derivatives, an
// ExtensionAdRule; tensor_ops::Extension carries it through graphs.
#pragma once

#include <atomic>

#include "tenferro/ops/core_operation.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// The parts of "<crate>.<op>.v<major>".
struct TENFERRO_API FamilyId {
    std::string_view crate, op;
    std::uint32_t major = 0;

    /// None where `id` is malformed. The parts point into it.
    [[nodiscard]] static constexpr std::optional<FamilyId> parsed(std::string_view id) noexcept {
        const std::size_t last = id.rfind('.');
        const std::size_t middle =
            last == std::string_view::npos || last == 0 ? last : id.rfind('.', last - 1);
        if (middle == std::string_view::npos || middle == last) return std::nullopt;
        const FamilyId family{id.substr(0, middle), id.substr(middle + 1, last - middle - 1),
                              major_of(id.substr(last + 1))};
        return is_name(family.crate) && is_name(family.op) && family.major != kNoMajor ? std::optional(family)
                                                                                       : std::nullopt;
    }
    /// Throws MalformedFamilyId.
    [[nodiscard]] static FamilyId parse(std::string_view id);

private:
    static constexpr std::uint32_t kNoMajor = UINT32_MAX;

    /// ASCII letters, digits, '-' and '_'; at least one.
    static constexpr bool is_name(std::string_view part) noexcept {
        for (const char c : part)
            if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                  c == '-'))
                return false;
        return !part.empty();
    }
    /// The number of at most 9 digits after "v", without leading zeros.
    static constexpr std::uint32_t major_of(std::string_view part) noexcept {
        if (part.size() < 2 || part.size() > 10 || part[0] != 'v' || (part[1] == '0' && part.size() > 2))
            return kNoMajor;
        std::uint32_t major = 0;
        for (const char c : part.substr(1)) {
            if (c < '0' || c > '9') return kNoMajor;
            major = major * 10 + static_cast<std::uint32_t>(c - '0');
        }
        return major;
    }
};

/// Immutable; every member may be called from several threads at once.
class TENFERRO_API ExtensionOp {
public:
    virtual ~ExtensionOp();

    /// Stable, the same for every payload, and of the form FamilyId::parse takes. Must outlive the operation.
    [[nodiscard]] virtual std::string_view family_id() const noexcept = 0;
    /// Adds everything that payload_eq compares, and nothing transient.
    virtual void payload_hash(Hasher& hasher) const = 0;
    /// Whether the payloads are equal; `other` is of the same family (use downcast).
    [[nodiscard]] virtual bool payload_eq(const ExtensionOp& other) const = 0;
    /// A deep copy.
    [[nodiscard]] virtual std::shared_ptr<const ExtensionOp> clone() const = 0;
    /// The object itself, for downcast: `return this;` in the class that has the payload.
    [[nodiscard]] virtual const void* as_any() const noexcept = 0;
    /// The payload for people; empty if there is nothing to say.
    [[nodiscard]] virtual std::string payload_text() const;

    [[nodiscard]] virtual std::size_t n_inputs() const noexcept = 0;
    [[nodiscard]] virtual std::size_t n_outputs() const noexcept = 0;

    /// Dtype and shape of each output, for known and symbolic extents alike.
    [[nodiscard]] virtual std::vector<TensorMeta> infer_output_meta(
        std::span<const DType> input_dtypes, std::span<const SymShape> input_shapes) const = 0;
    /// Computes the outputs, in eager and in compiled execution. Chooses its own way to
    /// execute on current_backend(); the results are in that backend's memory and have the inferred shapes.
    [[nodiscard]] virtual std::vector<Tensor> eager_execute(std::span<const TensorRead> inputs) const = 0;
    /// An operation, of a registered family, that computes from the same inputs those outputs alone that are
    /// `used`, in order, for less; null if there is none, as here. Programs ask for it.
    [[nodiscard]] virtual std::shared_ptr<const ExtensionOp> with_outputs(std::span<const bool> used) const;

    /// As Operation::matrix_step; nothing, as given here.
    [[nodiscard]] virtual MatrixPlan::MaybeValue matrix_step(MatrixPlan& plan,
                                                             MatrixPlan::Values inputs) const;

    /// Whether eager_execute_consuming can write a result where an operand was; no, as given here.
    [[nodiscard]] virtual bool can_consume() const noexcept;
    /// As eager_execute; programs call it instead where can_consume. Operand i may be overwritten or taken
    /// where dying[i] is not null: a tensor that holds it whole and that nothing reads any more. Its memory
    /// may still be shared with others (Tensor::reusable).
    [[nodiscard]] virtual std::vector<Tensor> eager_execute_consuming(std::span<const TensorRead> inputs,
                                                                      std::span<Tensor* const> dying) const;
    /// The operation with every symbol of its payload replaced, or null where it has none, as here. `value`
    /// makes of the extent of one traced input another, or a number. An operation is executed without
    /// symbols.
    [[nodiscard]] virtual std::shared_ptr<const ExtensionOp> substituted(
        FunctionRef<SymDim(DimSymbol)> value) const;
};

/// `op` as a T of family T::kFamilyId, or null when it is of another family. No RTTI, so it works across
/// shared libraries.
template <class T>
[[nodiscard]] const T* downcast(const ExtensionOp& op) noexcept {
    return op.family_id() == T::kFamilyId ? static_cast<const T*>(op.as_any()) : nullptr;
}

/// What an extension registers for a family.
class TENFERRO_API ExtensionFactory {
public:
    virtual ~ExtensionFactory();
    [[nodiscard]] virtual std::string_view family_id() const noexcept = 0;
    /// The major version in family_id.
    [[nodiscard]] virtual std::uint32_t version() const noexcept = 0;
    /// An instance with a default payload, for diagnosis; null if there is none.
    [[nodiscard]] virtual std::shared_ptr<const ExtensionOp> instantiate_default() const;
    /// The payload as text, and back. The ones given here throw Unsupported.
    [[nodiscard]] virtual std::string encode(const ExtensionOp& op) const;
    [[nodiscard]] virtual std::shared_ptr<const ExtensionOp> decode(std::string_view payload) const;
};

/// The derivative of a family, registered apart from its factory. What it emits may be
/// core operations and extensions that have rules themselves. An inactive tangent is absent, never zeros.
class TENFERRO_API ExtensionAdRule {
public:
    virtual ~ExtensionAdRule();
    [[nodiscard]] virtual std::string_view family_id() const noexcept = 0;
    /// One tangent per output.
    [[nodiscard]] virtual OptionalValues linearize(const ExtensionOp& op, FragmentBuilder& builder,
                                                   std::span<const GlobalValKey> primal_in,
                                                   std::span<const GlobalValKey> primal_out,
                                                   std::span<const std::optional<LocalValId>> tangent_in,
                                                   ShapeGuardContext& context) const = 0;
    /// One cotangent per input.
    [[nodiscard]] virtual OptionalValues transpose_rule(
        const ExtensionOp& op, FragmentBuilder& builder,
        std::span<const std::optional<LocalValId>> cotangent_out, std::span<const ValRef> inputs,
        const OpMode& mode, ShapeGuardContext& context) const = 0;
};

// The registry of this process. Thread-safe; register before building graphs. Each throws MalformedFamilyId
// for an id that FamilyId::parse refuses and DuplicateFamily for a second registration.
TENFERRO_API void register_extension(std::shared_ptr<const ExtensionFactory> factory);
TENFERRO_API void register_extension_rule(std::shared_ptr<const ExtensionAdRule> rule);
/// Null where there is none.
[[nodiscard]] TENFERRO_API std::shared_ptr<const ExtensionFactory> lookup_extension_factory(
    std::string_view family_id);
[[nodiscard]] TENFERRO_API std::shared_ptr<const ExtensionAdRule> lookup_extension_rule(
    std::string_view family_id);
/// The factory of any version of "<crate>.<op>", or null.
[[nodiscard]] TENFERRO_API std::shared_ptr<const ExtensionFactory> lookup_extension_family(
    std::string_view crate, std::string_view op);
/// The factory of `family_id`; throws Unsupported, and says whether the family is not registered or in
/// another version.
TENFERRO_API std::shared_ptr<const ExtensionFactory> require_extension(std::string_view family_id);

namespace tfe_detail {

/// Operands that an extension ran on, and what was inferred for them.
struct ExtensionRun {
    struct Like {
        DType dtype;
        Dims shape;
    };
    std::vector<Like> inputs, outputs;
};

/// The second run, for all threads: a compiled program runs again and again on the same shapes, for which
/// nothing has to be inferred and looked up each time. A copy has seen none.
struct ExtensionRuns {
    ExtensionRuns() noexcept = default;
    ExtensionRuns(const ExtensionRuns&) noexcept {}
    ExtensionRuns& operator=(const ExtensionRuns&) = delete;
    ~ExtensionRuns() { delete known.load(std::memory_order_acquire); }

    std::atomic<bool> is_first = true;
    std::atomic<const ExtensionRun*> known = nullptr;
};

}  // namespace tfe_detail

namespace tensor_ops {

/// The carrier of an ExtensionOp. Turns the failures of an extension into the errors of docs/semantics.md.
struct TENFERRO_API Extension final : Operation {
    std::shared_ptr<const ExtensionOp> op;

    /// Throws InvalidArgument for null, and BackendFailure where the payload cannot be hashed.
    explicit Extension(std::shared_ptr<const ExtensionOp> the_op);

    [[nodiscard]] OpKind kind() const noexcept override { return kind_of<Extension>(); }
    [[nodiscard]] std::string_view name() const noexcept override;
    [[nodiscard]] std::size_t n_inputs() const noexcept override { return op->n_inputs(); }
    [[nodiscard]] std::size_t n_outputs() const noexcept override { return op->n_outputs(); }
    void hash_payload(Hasher& hasher) const override;
    [[nodiscard]] bool payload_equals(const Operation& other) const override;
    [[nodiscard]] std::string payload_text() const override;
    [[nodiscard]] std::shared_ptr<const Operation> substituted(
        FunctionRef<SymDim(DimSymbol)> value) const override;
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> inputs) const override;
    void require_available() const override { static_cast<void>(require_extension(op->family_id())); }
    [[nodiscard]] std::shared_ptr<const Operation> with_outputs(std::span<const bool> used) const override;
    [[nodiscard]] MatrixPlan::MaybeValue matrix_step(MatrixPlan& plan,
                                                     MatrixPlan::Values inputs) const override {
        return op->matrix_step(plan, inputs);
    }
    void execute(BackendSession& session, std::span<const TensorRead> inputs,
                 std::span<Tensor> outputs) const override;
    [[nodiscard]] bool can_consume() const noexcept override { return op->can_consume(); }
    void execute_consuming(BackendSession& session, std::span<const TensorRead> inputs,
                           std::span<Tensor* const> dying, std::span<Tensor> outputs) const override;
    /// `execute` outside any session; with `dying` operands as execute_consuming, else without any.
    [[nodiscard]] std::vector<Tensor> execute(std::span<const TensorRead> inputs,
                                              std::span<Tensor* const> dying = {}) const;
    [[nodiscard]] OptionalValues linearize(FragmentBuilder& builder, std::span<const GlobalValKey> primal_in,
                                           std::span<const GlobalValKey> primal_out,
                                           std::span<const std::optional<LocalValId>> tangent_in,
                                           ShapeGuardContext& context) const override;
    [[nodiscard]] OptionalValues transpose_rule(FragmentBuilder& builder,
                                                std::span<const std::optional<LocalValId>> cotangent_out,
                                                std::span<const ValRef> inputs, const OpMode& mode,
                                                ShapeGuardContext& context) const override;

private:
    std::uint64_t payload_hash_;  // taken once, where an extension that throws can be reported
    mutable tfe_detail::ExtensionRuns runs_;
};

}  // namespace tensor_ops

namespace extension {
/// The outputs of `op` on values inside a derivative rule.
[[nodiscard]] TENFERRO_API std::vector<Expr> apply(std::shared_ptr<const ExtensionOp> op,
                                                   std::span<const Expr> inputs);
}  // namespace extension
}}  // namespace tenferro::TENFERRO_ABI
