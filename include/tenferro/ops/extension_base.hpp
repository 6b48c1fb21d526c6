// ExtensionBase: an extension with everything that follows from its fields and its family name. A class of an
// operation derives from it and says what a core operation says: fields, shape rule, how it runs and, where
// it has derivatives, their rules on Expr. register_extension<Class>() makes its factory and its rule.
#pragma once

#include "tenferro/ops/extension_op.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// One for each output or input; absent is zero.
using OptionalExprs = std::vector<std::optional<Expr>>;

/// What a class's `tangents` gets: inputs x, outputs y = f(x) and the tangents of the inputs, of which at
/// least one is there.
struct ExtensionTangentArgs {
    std::span<const Expr> x, y;
    std::span<const std::optional<Expr>> dx;
    ShapeGuardContext& context;

    /// Whether anything reads output `i`; the tangents of others may be left out.
    [[nodiscard]] bool wants(std::size_t i) const noexcept { return context.wants(i); }
};

/// What a class's `cotangents` gets, where the operation is a link of a linear map because a rule applied it
/// to a tangent: cotangents of the outputs, of which at least one is there, and the inputs: residuals, or
/// values of the linear flow of which only metadata may be used.
struct ExtensionCotangentArgs {
    std::span<const std::optional<Expr>> ct;
    std::span<const Expr> inputs;
    ShapeGuardContext& context;

    [[nodiscard]] bool is_linear(std::size_t input) const { return inputs[input].is_linear(); }
};

namespace tfe_detail {
/// The bridges to the rules of ExtensionAdRule.
[[nodiscard]] TENFERRO_API OptionalValues
tangents_with(FunctionRef<OptionalExprs(const ExtensionTangentArgs&)> rule, FragmentBuilder& builder,
              std::span<const GlobalValKey> primal_in, std::span<const GlobalValKey> primal_out,
              std::span<const std::optional<LocalValId>> tangent_in, ShapeGuardContext& context);
[[nodiscard]] TENFERRO_API OptionalValues
cotangents_with(FunctionRef<OptionalExprs(const ExtensionCotangentArgs&)> rule, FragmentBuilder& builder,
                std::span<const std::optional<LocalValId>> cotangent_out, std::span<const ValRef> inputs,
                const OpMode& mode, ShapeGuardContext& context);
/// Runs `body` in a session of the current backend; throws BackendFailure where there is none.
[[nodiscard]] TENFERRO_API std::vector<Tensor> in_current_session(
    FunctionRef<std::vector<Tensor>(BackendSession&)> body);
}  // namespace tfe_detail

/// Derived is a class with
///   kFamilyId   "<crate>.<operation>.v<major>", checked when compiling
///   kFields     std::tuple of tensor_ops::Field, which may be empty, and a constructor that takes them in
///   that order
///               and refuses what no operation has: payloads that are read come from there. Fields are bool,
///               Index, double, DType, Dims, std::string, SymDim or SymShape: extents, of traced inputs too,
///               which are numbers when it runs
///   kInputs     how many operands there are; where the payload decides, a member inputs()
///   kOutputs    likewise, with outputs()
///   infer, run  below
///   tangents    OptionalExprs tangents(const ExtensionTangentArgs&) const, one for each output; none: no
///               derivatives
///   cotangents  OptionalExprs cotangents(const ExtensionCotangentArgs&) const, one for each input; none: the
///               operation is never applied to tangents
/// and perhaps with_outputs, and
///   run_consuming  std::vector<Tensor> run_consuming(BackendSession&, std::span<const TensorRead> inputs,
///                  std::span<Tensor* const> dying) const, see ExtensionOp::eager_execute_consuming: programs
///                  call it instead of run
template <class Derived>
class ExtensionBase : public ExtensionOp {
public:
    [[nodiscard]] std::string_view family_id() const noexcept final {
        static_assert(FamilyId::parsed(Derived::kFamilyId).has_value(),
                      "kFamilyId is not of the form <crate>.<operation>.v<major>");
        return Derived::kFamilyId;
    }
    void payload_hash(Hasher& hasher) const final { tensor_ops::hash_fields(hasher, self()); }
    [[nodiscard]] bool payload_eq(const ExtensionOp& other) const final {
        const auto* that = downcast<Derived>(other);
        return that != nullptr && tensor_ops::fields_equal(self(), *that);
    }
    [[nodiscard]] std::shared_ptr<const ExtensionOp> clone() const final {
        return std::make_shared<Derived>(self());
    }
    [[nodiscard]] const void* as_any() const noexcept final { return &self(); }
    [[nodiscard]] std::string payload_text() const final { return tensor_ops::fields_text(self()); }
    [[nodiscard]] std::size_t n_inputs() const noexcept final {
        if constexpr (requires { Derived::kInputs; })
            return Derived::kInputs;
        else
            return self().inputs();
    }
    [[nodiscard]] std::size_t n_outputs() const noexcept final {
        if constexpr (requires { Derived::kOutputs; })
            return Derived::kOutputs;
        else
            return self().outputs();
    }
    [[nodiscard]] std::vector<TensorMeta> infer_output_meta(std::span<const DType> dtypes,
                                                            std::span<const SymShape> shapes) const final {
        std::vector<TensorMeta> inputs;
        for (std::size_t i = 0; i < dtypes.size(); ++i) inputs.push_back({dtypes[i], shapes[i]});
        return infer(inputs);
    }
    [[nodiscard]] std::vector<Tensor> eager_execute(std::span<const TensorRead> inputs) const final {
        return tfe_detail::in_current_session([&](BackendSession& session) { return run(session, inputs); });
    }

    [[nodiscard]] bool can_consume() const noexcept final { return consumes(); }
    [[nodiscard]] std::vector<Tensor> eager_execute_consuming(std::span<const TensorRead> inputs,
                                                              std::span<Tensor* const> dying) const final {
        if constexpr (consumes())
            return tfe_detail::in_current_session(
                [&](BackendSession& session) { return self().run_consuming(session, inputs, dying); });
        else
            return eager_execute(inputs);
    }
    [[nodiscard]] std::shared_ptr<const ExtensionOp> substituted(
        FunctionRef<SymDim(DimSymbol)> value) const final {
        return tensor_ops::substituted_fields(self(), value);
    }

    /// Dtype and shape of each output. Extents may not be known yet: compute with them, never ask for their
    /// numbers, and take those of common_shape where two must be equal.
    [[nodiscard]] virtual std::vector<TensorMeta> infer(std::span<const TensorMeta> inputs) const = 0;
    /// Computes the outputs in a session of the backend that the program or the eager tensors run on: with
    /// its operations, or with a kernel on its memory (session.empty, backend_info().placement), which may
    /// share work among the backend's threads (session.run_concurrently).
    [[nodiscard]] virtual std::vector<Tensor> run(BackendSession& session,
                                                  std::span<const TensorRead> inputs) const = 0;

private:
    static constexpr bool consumes() noexcept {
        return requires(const Derived& op, BackendSession& session, std::span<const TensorRead> inputs,
                        std::span<Tensor* const> dying) {
            op.run_consuming(session, inputs, dying);
        };
    }
    [[nodiscard]] const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
};

/// The factory of a class: payloads are written as "name=value, …".
template <class Derived>
class ExtensionBaseFactory final : public ExtensionFactory {
public:
    [[nodiscard]] std::string_view family_id() const noexcept override { return Derived::kFamilyId; }
    [[nodiscard]] std::uint32_t version() const noexcept override {
        return FamilyId::parsed(Derived::kFamilyId)->major;
    }
    [[nodiscard]] std::string encode(const ExtensionOp& op) const override {
        return tensor_ops::fields_text(*downcast<Derived>(op));
    }
    [[nodiscard]] std::shared_ptr<const ExtensionOp> decode(std::string_view payload) const override {
        // Not shared in the lambda: clang 14 leaves out the destructor of a control block that it first meets
        // in a lambda of a lambda.
        return std::make_shared<Derived>(tensor_ops::read_fields<Derived>(
            payload,
            [](auto&&... fields) -> Derived { return Derived(std::forward<decltype(fields)>(fields)...); }));
    }
};

/// The derivative of a class.
template <class Derived>
class ExtensionBaseRule final : public ExtensionAdRule {
public:
    [[nodiscard]] std::string_view family_id() const noexcept override { return Derived::kFamilyId; }
    [[nodiscard]] OptionalValues linearize(const ExtensionOp& op, FragmentBuilder& builder,
                                           std::span<const GlobalValKey> primal_in,
                                           std::span<const GlobalValKey> primal_out,
                                           std::span<const std::optional<LocalValId>> tangent_in,
                                           ShapeGuardContext& context) const override {
        return tfe_detail::tangents_with(
            [&](const ExtensionTangentArgs& args) { return downcast<Derived>(op)->tangents(args); }, builder,
            primal_in, primal_out, tangent_in, context);
    }
    [[nodiscard]] OptionalValues transpose_rule(const ExtensionOp& op, FragmentBuilder& builder,
                                                std::span<const std::optional<LocalValId>> cotangent_out,
                                                std::span<const ValRef> inputs, const OpMode& mode,
                                                ShapeGuardContext& context) const override {
        if constexpr (requires(const Derived& derived, const ExtensionCotangentArgs& args) {
                          derived.cotangents(args);
                      })
            return tfe_detail::cotangents_with(
                [&](const ExtensionCotangentArgs& args) { return downcast<Derived>(op)->cotangents(args); },
                builder, cotangent_out, inputs, mode, context);
        else
            throw Error(ErrorKind::AdRuleUnsupported, "extension",
                        "it is not linear, so it has no transpose rule");
    }
};

/// Registers the factory of a class and, where it has `tangents`, its derivative. Once, before graphs are
/// built.
template <class Derived>
void register_extension() {
    register_extension(std::make_shared<ExtensionBaseFactory<Derived>>());
    if constexpr (requires(const Derived& op, const ExtensionTangentArgs& args) { op.tangents(args); })
        register_extension_rule(std::make_shared<ExtensionBaseRule<Derived>>());
}

}}  // namespace tenferro::TENFERRO_ABI
