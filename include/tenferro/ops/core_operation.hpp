// The base of the structs in operations.hpp: what follows from a payload's fields, and the bridge from
// derivative rules written with Expr to those of the graph. Core operations have one output.
#pragma once

#include "tenferro/ops/expr.hpp"
#include "tenferro/ops/fields.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

/// Inputs x, output y = f(x) and the tangents of the inputs, of which at least one is there.
struct TangentArgs {
    std::span<const Expr> x;
    const Expr& y;
    std::span<const std::optional<Expr>> dx;
    ShapeGuardContext& context;
};

/// The cotangent of the output, and the inputs: residuals, or values of the linear flow of which only
/// metadata may be used.
struct CotangentArgs {
    const Expr& ct;
    std::span<const Expr> inputs;
    ShapeGuardContext& context;

    [[nodiscard]] bool is_linear(std::size_t input) const { return inputs[input].is_linear(); }
};

class TENFERRO_API CoreOperation : public Operation {
public:
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> inputs) const final {
        return {infer_one(inputs)};
    }
    void execute(BackendSession& session, std::span<const TensorRead> inputs,
                 std::span<Tensor> outputs) const final {
        outputs[0] = run(session, inputs);
    }
    [[nodiscard]] OptionalValues linearize(FragmentBuilder& builder, std::span<const GlobalValKey> primal_in,
                                           std::span<const GlobalValKey> primal_out,
                                           std::span<const std::optional<LocalValId>> tangent_in,
                                           ShapeGuardContext& context) const final;
    [[nodiscard]] OptionalValues transpose_rule(FragmentBuilder& builder,
                                                std::span<const std::optional<LocalValId>> cotangent_out,
                                                std::span<const ValRef> inputs, const OpMode& mode,
                                                ShapeGuardContext& context) const final;

protected:
    [[nodiscard]] virtual TensorMeta infer_one(std::span<const TensorMeta> in) const = 0;
    [[nodiscard]] virtual Tensor run(BackendSession& session, std::span<const TensorRead> in) const = 0;
    /// The tangent of the output, absent where it is zero.
    [[nodiscard]] virtual std::optional<Expr> tangent(const TangentArgs& args) const = 0;
    /// Of a link: one for each input, absent for residuals and where it is zero.
    [[nodiscard]] virtual std::vector<std::optional<Expr>> cotangents(const CotangentArgs& args) const = 0;

    /// For operations that never are links of a linear flow.
    [[noreturn]] void throw_not_linear() const;
};

/// The base of a core operation's struct. The struct says, once each:
///   kName      its name in documents and, unless it has variants, that of the operation
///   kVariants  where it is several operations: the rows of op_table.hpp that its field `op` may name
///   kInputs    how many operands there are; where the payload decides, a member inputs()
///   kFields    the members that are its payload
template <class Derived>
class TENFERRO_API CoreOp : public CoreOperation {
public:
    [[nodiscard]] OpKind kind() const noexcept final { return kind_of<Derived>(); }
    [[nodiscard]] std::string_view name() const noexcept final {
        if constexpr (requires { Derived::kVariants; })
            return info(self().op).name;
        else
            return Derived::kName;
    }
    [[nodiscard]] std::size_t n_inputs() const noexcept final {
        if constexpr (requires { Derived::kInputs; })
            return Derived::kInputs;
        else
            return self().inputs();
    }
    /// Whether `op` may be the field of that name.
    [[nodiscard]] static constexpr bool takes(OpId op) noexcept {
        bool found = false;
        if constexpr (requires { Derived::kVariants; })
            for (const OpId variant : Derived::kVariants) found = found || variant == op;
        return found;
    }

    void hash_payload(Hasher& hasher) const final { hash_fields(hasher, self()); }
    [[nodiscard]] bool payload_equals(const Operation& other) const final {
        return fields_equal(self(), static_cast<const Derived&>(other));
    }
    [[nodiscard]] std::string payload_text() const final { return fields_text(self()); }
    [[nodiscard]] std::shared_ptr<const Operation> substituted(
        FunctionRef<SymDim(DimSymbol)> value) const final {
        return substituted_fields(self(), value);
    }

private:
    [[nodiscard]] const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
