// The operations and their derivatives. The tangent of an einsum is an operation that is linear in the
// tangents and can only be transposed; its transpose computes the gradients.
#include "tenferro_ext_tropical/operations.hpp"

#include <algorithm>
#include <new>

#include <tenferro/api/engine.hpp>
#include <tenferro/base/text.hpp>
#include <tenferro/einsum/replay.hpp>
#include <tenferro/ops/extension_base.hpp>
#include <tenferro/ops/shape_rules.hpp>

#include "executor.hpp"
#include "tenferro_ext_tropical/einsum.hpp"

namespace tropical {

namespace {

constexpr std::string_view kNames[] = {"max_plus", "min_plus", "max_mul"};

std::string name_of(Algebra algebra) { return std::string(kNames[static_cast<std::size_t>(algebra)]); }

Algebra algebra_named(std::string_view name, std::string_view op) {
    for (std::size_t i = 0; i < std::size(kNames); ++i)
        if (kNames[i] == name) return static_cast<Algebra>(i);
    throw Error(ErrorKind::InvalidArgument, op, text("there is no algebra ", name));
}

void check_dtype(std::string_view algebra, DType dtype, std::string_view op) {
    static_cast<void>(kernels(algebra_named(algebra, op), dtype, op));
}

/// Dtype and shape of an einsum.
TensorMeta infer_einsum(std::string_view algebra, const std::string& subscripts,
                        std::span<const TensorMeta> in, std::string_view op) {
    check_dtype(algebra, in[0].dtype, op);
    std::vector<SymShape> shapes;
    for (std::size_t i = 0; i < in.size(); ++i) {
        tensor_ops::check_dtypes(in[i], in[0], op, text("operand ", i), "operand 0");
        shapes.push_back(in[i].shape);
    }
    // Only the output is asked for, so no path is worth searching.
    const tensor_network::SymbolicProgram planned = tensor_network::symbolic_program(
        tensor_network::Subscripts::parse(subscripts), shapes, {.max_exact = 2, .greedy_attempts = 1});
    SymShape shape;
    for (const tensor_network::LabelId label : planned.program.steps.back().out_labels)
        shape.push_back(planned.extents[static_cast<std::size_t>(label)]);
    return {in[0].dtype, std::move(shape)};
}

std::shared_ptr<const EinsumPlan> plan_of(const std::string& subscripts, std::span<const TensorRead> in) {
    return default_engine().plans().get(subscripts, tensor_network::Dialect::Strict, in);
}

[[noreturn]] void refuse_second_order(std::string_view op) {
    throw Error(
        ErrorKind::HvpNotSupported, op,
        "gradients go to winners, which are chosen and not computed, so there are no second derivatives");
}

/// What the operations on an einsum share: its fields, and the number of operands, which follows from them.
struct EinsumFields {
    std::string algebra, subscripts;
    std::size_t operands = 0;

    EinsumFields(std::string the_algebra, std::string_view the_subscripts, std::string_view op)
        : algebra(std::move(the_algebra)) {
        static_cast<void>(algebra_named(algebra, op));
        const auto parsed = tensor_network::Subscripts::parse(the_subscripts);
        subscripts = parsed.to_string();
        operands = parsed.inputs().size();
    }
};

/// Operands that have tangents, or whose gradients are wanted: distinct, ascending.
void check_active(const Dims& active, std::size_t operands, std::string_view op) {
    for (std::size_t i = 0; i < active.size(); ++i)
        if (active[i] < 0 || active[i] >= static_cast<Index>(operands) ||
            (i > 0 && active[i] <= active[i - 1]))
            throw Error(
                ErrorKind::InvalidArgument, op,
                text("active operands ", list_text(active), " are not ascending numbers below ", operands));
    if (active.empty()) throw Error(ErrorKind::InvalidArgument, op, "no operand is active");
}

struct EinsumVjp final : ExtensionBase<EinsumVjp> {
    static constexpr std::string_view kFamilyId = "tenferro-ext-tropical.einsum_vjp.v1";
    std::string algebra, subscripts;
    Dims active;
    std::size_t operands;
    static constexpr std::tuple kFields{tensor_ops::Field{"algebra", &EinsumVjp::algebra},
                                        tensor_ops::Field{"subscripts", &EinsumVjp::subscripts},
                                        tensor_ops::Field{"active", &EinsumVjp::active}};

    EinsumVjp(std::string the_algebra, std::string_view the_subscripts, Dims the_active)
        : active(std::move(the_active)) {
        EinsumFields fields(std::move(the_algebra), the_subscripts, "einsum_vjp");
        algebra = std::move(fields.algebra);
        subscripts = std::move(fields.subscripts);
        operands = fields.operands;
        check_active(active, operands, "einsum_vjp");
    }
    [[nodiscard]] std::size_t inputs() const noexcept { return operands + 1; }
    [[nodiscard]] std::size_t outputs() const noexcept { return active.size(); }

    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override {
        const TensorMeta result = infer_einsum(algebra, subscripts, in.subspan(1), "einsum_vjp");
        tensor_ops::check_dtypes(in[0], result, "einsum_vjp", "cotangent", "result");
        static_cast<void>(tensor_ops::common_shape(in[0], result, "einsum_vjp", "cotangent", "result"));
        std::vector<TensorMeta> metas;
        for (const Index i : active) metas.push_back(in[static_cast<std::size_t>(i) + 1]);
        return metas;
    }
    std::vector<Tensor> run(BackendSession& session, std::span<const TensorRead> in) const override {
        std::vector<Tensor> all =
            einsum_vjp(algebra_named(algebra, "einsum_vjp"), *plan_of(subscripts, in.subspan(1)), session,
                       in.subspan(1), in[0]);
        std::vector<Tensor> gradients;
        for (const Index i : active) gradients.push_back(std::move(all[static_cast<std::size_t>(i)]));
        return gradients;
    }
    [[nodiscard]] std::shared_ptr<const ExtensionOp> with_outputs(std::span<const bool> used) const override {
        Dims fewer;
        for (std::size_t i = 0; i < used.size(); ++i)
            if (used[i]) fewer.push_back(active[i]);
        return fewer.empty() || fewer.size() == active.size()
                   ? nullptr
                   : std::make_shared<EinsumVjp>(algebra, subscripts, std::move(fewer));
    }
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs&) const {
        refuse_second_order("einsum_vjp");
    }
};

struct EinsumTangent final : ExtensionBase<EinsumTangent> {
    static constexpr std::string_view kFamilyId = "tenferro-ext-tropical.einsum_tangent.v1";
    static constexpr std::size_t kOutputs = 1;
    std::string algebra, subscripts;
    Dims active;
    std::size_t operands;
    static constexpr std::tuple kFields{tensor_ops::Field{"algebra", &EinsumTangent::algebra},
                                        tensor_ops::Field{"subscripts", &EinsumTangent::subscripts},
                                        tensor_ops::Field{"active", &EinsumTangent::active}};

    EinsumTangent(std::string the_algebra, std::string_view the_subscripts, Dims the_active)
        : active(std::move(the_active)) {
        EinsumFields fields(std::move(the_algebra), the_subscripts, "einsum_tangent");
        algebra = std::move(fields.algebra);
        subscripts = std::move(fields.subscripts);
        operands = fields.operands;
        check_active(active, operands, "einsum_tangent");
    }
    [[nodiscard]] std::size_t inputs() const noexcept { return operands + active.size(); }

    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override {
        for (std::size_t i = 0; i < active.size(); ++i) {
            const TensorMeta& primal = in[static_cast<std::size_t>(active[i])];
            const std::string operand = text("operand ", active[i]), tangent = "tangent of " + operand;
            tensor_ops::check_dtypes(in[operands + i], primal, "einsum_tangent", tangent, operand);
            static_cast<void>(
                tensor_ops::common_shape(in[operands + i], primal, "einsum_tangent", tangent, operand));
        }
        return {infer_einsum(algebra, subscripts, in.first(operands), "einsum_tangent")};
    }
    std::vector<Tensor> run(BackendSession&, std::span<const TensorRead>) const override {
        throw Error(
            ErrorKind::ModeNotSupported, "einsum_tangent",
            "tropical operations have no forward mode: maxima have no directional derivative by winners");
    }
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs&) const {
        refuse_second_order("einsum_tangent");
    }
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const {
        std::vector<Expr> inputs{*args.ct[0]};
        inputs.insert(inputs.end(), args.inputs.begin(), args.inputs.begin() + static_cast<Index>(operands));
        const std::vector<Expr> gradients =
            extension::apply(std::make_shared<EinsumVjp>(algebra, subscripts, active), inputs);
        OptionalExprs result(operands);
        result.insert(result.end(), gradients.begin(), gradients.end());
        return result;
    }
};

/// The tangent of an einsum's result.
OptionalExprs einsum_tangents(const std::string& algebra, const std::string& subscripts,
                              const ExtensionTangentArgs& args) {
    std::vector<Expr> inputs(args.x.begin(), args.x.end());
    Dims active;
    for (std::size_t i = 0; i < args.dx.size(); ++i)
        if (args.dx[i]) {
            active.push_back(static_cast<Index>(i));
            inputs.push_back(*args.dx[i]);
        }
    return {extension::apply(std::make_shared<EinsumTangent>(algebra, subscripts, std::move(active)), inputs)
                .front()};
}

struct Einsum final : ExtensionBase<Einsum> {
    static constexpr std::string_view kFamilyId = "tenferro-ext-tropical.einsum.v1";
    static constexpr std::size_t kOutputs = 1;
    std::string algebra, subscripts;
    std::size_t operands;
    static constexpr std::tuple kFields{tensor_ops::Field{"algebra", &Einsum::algebra},
                                        tensor_ops::Field{"subscripts", &Einsum::subscripts}};

    Einsum(std::string the_algebra, std::string_view the_subscripts) {
        EinsumFields fields(std::move(the_algebra), the_subscripts, "einsum");
        algebra = std::move(fields.algebra);
        subscripts = std::move(fields.subscripts);
        operands = fields.operands;
    }
    [[nodiscard]] std::size_t inputs() const noexcept { return operands; }

    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override {
        return {infer_einsum(algebra, subscripts, in, "einsum")};
    }
    std::vector<Tensor> run(BackendSession& session, std::span<const TensorRead> in) const override {
        std::vector<Tensor> result;
        result.push_back(
            tropical::einsum(algebra_named(algebra, "einsum"), *plan_of(subscripts, in), session, in));
        return result;
    }
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const {
        return einsum_tangents(algebra, subscripts, args);
    }
};

struct FusedDotGeneral final : ExtensionBase<FusedDotGeneral> {
    static constexpr std::string_view kFamilyId = "tenferro-ext-tropical.fused_dot_general.v1";
    static constexpr std::size_t kInputs = 2, kOutputs = 1;
    std::string algebra;
    Dims lhs_contract, rhs_contract, lhs_batch, rhs_batch;
    static constexpr std::tuple kFields{tensor_ops::Field{"algebra", &FusedDotGeneral::algebra},
                                        tensor_ops::Field{"lhs_contract", &FusedDotGeneral::lhs_contract},
                                        tensor_ops::Field{"rhs_contract", &FusedDotGeneral::rhs_contract},
                                        tensor_ops::Field{"lhs_batch", &FusedDotGeneral::lhs_batch},
                                        tensor_ops::Field{"rhs_batch", &FusedDotGeneral::rhs_batch}};

    FusedDotGeneral(std::string the_algebra, Dims lhs_contracted, Dims rhs_contracted, Dims lhs_batched,
                    Dims rhs_batched)
        : algebra(std::move(the_algebra)),
          lhs_contract(std::move(lhs_contracted)),
          rhs_contract(std::move(rhs_contracted)),
          lhs_batch(std::move(lhs_batched)),
          rhs_batch(std::move(rhs_batched)) {
        static_cast<void>(algebra_named(algebra, "fused_dot_general"));
    }
    [[nodiscard]] DotGeneralConfig config() const {
        return {lhs_contract, rhs_contract, lhs_batch, rhs_batch};
    }

    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override {
        check_dtype(algebra, in[0].dtype, "fused_dot_general");
        return {ShapeRules<SymDim>::dot_general_permuted(in[0], in[1], config(), {})};
    }
    std::vector<Tensor> run(BackendSession& session, std::span<const TensorRead> in) const override {
        Executor executor(algebra_named(algebra, "fused_dot_general"), in[0].dtype(), session);
        std::vector<Tensor> result;
        result.push_back(
            executor.allocate(in[0].dtype(), dot_general_shape(in[0].shape(), in[1].shape(), config())));
        executor.contract(in[0], in[1], config(), result[0].write());
        return result;
    }
    /// Those of the einsum that it is.
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const {
        return einsum_tangents(algebra, subscripts(args.x[0].rank(), args.x[1].rank()), args);
    }

private:
    [[nodiscard]] std::string subscripts(std::size_t lhs_rank, std::size_t rhs_rank) const {
        std::vector<std::int32_t> lhs(lhs_rank), rhs(rhs_rank), out;
        for (std::size_t i = 0; i < lhs_rank; ++i) lhs[i] = static_cast<std::int32_t>(i);
        for (std::size_t i = 0; i < rhs_rank; ++i) rhs[i] = static_cast<std::int32_t>(lhs_rank + i);
        const auto join = [&](const Dims& from, const Dims& to) {
            for (std::size_t i = 0; i < from.size(); ++i)
                rhs[static_cast<std::size_t>(to[i])] = lhs[static_cast<std::size_t>(from[i])];
        };
        join(lhs_contract, rhs_contract);
        join(lhs_batch, rhs_batch);
        for (const Index axis : free_axes(lhs_rank, lhs_contract, lhs_batch))
            out.push_back(lhs[static_cast<std::size_t>(axis)]);
        for (const Index axis : free_axes(rhs_rank, rhs_contract, rhs_batch))
            out.push_back(rhs[static_cast<std::size_t>(axis)]);
        for (const Index axis : lhs_batch) out.push_back(lhs[static_cast<std::size_t>(axis)]);
        const std::span<const std::int32_t> inputs[] = {lhs, rhs};
        return tensor_network::Subscripts::from_labels(inputs, out).to_string();
    }
};

}  // namespace

void register_operations() {
    register_extension<FusedDotGeneral>();
    register_extension<Einsum>();
    register_extension<EinsumTangent>();
    register_extension<EinsumVjp>();
}

std::shared_ptr<const ExtensionOp> dot_general_operation(Algebra algebra, DotGeneralConfig config) try {
    return std::make_shared<FusedDotGeneral>(name_of(algebra), std::move(config.lhs_contract),
                                             std::move(config.rhs_contract), std::move(config.lhs_batch),
                                             std::move(config.rhs_batch));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("fused_dot_general");
}

std::shared_ptr<const ExtensionOp> einsum_operation(Algebra algebra, std::string_view subscripts) try {
    return std::make_shared<Einsum>(name_of(algebra), subscripts);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

}  // namespace tropical
