// A function whose intermediate values reverse mode computes again instead of keeping them: an operation that
// holds the graph of the function and runs as a program of its own, so nothing of it stays alive. Its tangent
// and the transpose of that are such operations again, which need the operands alone: written out, what they
// compute would be computed long before it is used.
#include "graph.hpp"

#include <unordered_set>

#include "base/immortal.hpp"
#include "replay.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/ops/extension_base.hpp"

namespace tenferro::python {

namespace {

using Tracers = std::vector<TracedTensor>;

class Checkpoint final : public ExtensionOp {
public:
    static constexpr std::string_view kFamilyId = "tenferro-python.checkpoint.v1";

    /// Outputs of inputs; the program is made when it first runs.
    struct Function {
        Tracers inputs, outputs;
        /// Not made under a lock: shape rules written in Python are called, which may wait for one.
        mutable Lazy<std::shared_ptr<const ExecProgram>> program;

        Function(Tracers from, Tracers to) : inputs(std::move(from)), outputs(std::move(to)) {}
        [[nodiscard]] const ExecProgram& run() const {
            return *program.get([&] {
                return std::make_unique<std::shared_ptr<const ExecProgram>>(
                    tenferro::compile(outputs, std::span<const TracedTensor>(inputs)));
            });
        }
    };
    explicit Checkpoint(std::shared_ptr<const Function> function) : function_(std::move(function)) {}
    Checkpoint(Tracers inputs, Tracers outputs)
        : function_(std::make_shared<const Function>(std::move(inputs), std::move(outputs))) {}

    [[nodiscard]] std::string_view family_id() const noexcept override { return kFamilyId; }
    void payload_hash(Hasher& hasher) const override {
        for (const TracedTensor& output : function_->outputs) hasher.add(output.key().hash());
    }
    [[nodiscard]] bool payload_eq(const ExtensionOp& other) const override {
        return function_ == static_cast<const Checkpoint*>(other.as_any())->function_;
    }
    [[nodiscard]] std::shared_ptr<const ExtensionOp> clone() const override {
        return std::make_shared<Checkpoint>(*this);
    }
    [[nodiscard]] const void* as_any() const noexcept override { return this; }
    [[nodiscard]] std::size_t n_inputs() const noexcept override { return function_->inputs.size(); }
    [[nodiscard]] std::size_t n_outputs() const noexcept override { return function_->outputs.size(); }
    [[nodiscard]] std::vector<TensorMeta> infer_output_meta(std::span<const DType>,
                                                            std::span<const SymShape>) const override {
        std::vector<TensorMeta> metas;
        for (const TracedTensor& output : function_->outputs) metas.push_back(output.meta());
        return metas;
    }
    [[nodiscard]] std::vector<Tensor> eager_execute(std::span<const TensorRead> inputs) const override {
        return function_->run().run(default_engine().backend(), inputs);
    }

    /// The tangents of the outputs: an operation on the operands and on the tangents that are there.
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const {
        const auto& [from, to] = std::tie(function_->inputs, function_->outputs);
        Tracers moving, inputs = from, moved;
        std::vector<std::optional<TracedTensor>> along;
        std::vector<Expr> at(args.x.begin(), args.x.end());
        for (std::size_t i = 0; i < args.dx.size(); ++i) {
            if (!args.dx[i]) continue;
            moving.push_back(from[i]);
            along.emplace_back(TracedTensor::input(from[i].dtype(), from[i].meta().shape));
            inputs.push_back(*along.back());
            at.push_back(*args.dx[i]);
        }
        for (const TracedTensor& output : to)
            if (kFloating.contains(output.dtype())) moved.push_back(output);
        if (moved.empty()) return OptionalExprs(to.size());
        const std::vector<Expr> made = applied(inputs, tenferro::jvp(moved, moving, along), at);
        OptionalExprs tangents;
        auto next = made.begin();
        for (const TracedTensor& output : to)
            tangents.push_back(kFloating.contains(output.dtype()) ? std::optional(*next++) : std::nullopt);
        return tangents;
    }

    /// The cotangents of the operands in which it is linear: an operation on the others and on the cotangents
    /// of the outputs.
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const {
        Tracers linear, inputs, outputs;
        std::vector<Expr> at;
        for (std::size_t i = 0; i < args.inputs.size(); ++i) {
            (args.is_linear(i) ? linear : inputs).push_back(function_->inputs[i]);
            if (!args.is_linear(i)) at.push_back(args.inputs[i]);
        }
        std::vector<std::optional<TracedTensor>> given;
        for (std::size_t i = 0; i < args.ct.size(); ++i) {
            if (!args.ct[i]) continue;
            const TracedTensor& output = function_->outputs[i];
            outputs.push_back(output);
            given.emplace_back(TracedTensor::input(output.dtype(), output.meta().shape));
            inputs.push_back(*given.back());
            at.push_back(*args.ct[i]);
        }
        const std::vector<Expr> made = applied(inputs, tenferro::vjp(outputs, linear, given), at);
        OptionalExprs cotangents;
        auto next = made.begin();
        for (std::size_t i = 0; i < args.inputs.size(); ++i)
            cotangents.push_back(args.is_linear(i) ? std::optional(*next++) : std::nullopt);
        return cotangents;
    }

private:
    /// Of those inputs that the outputs depend on alone: a tangent does not depend on what it is linear in.
    static std::vector<Expr> applied(const Tracers& inputs, const Tracers& outputs,
                                     const std::vector<Expr>& at) {
        std::unordered_set<const void*> needed;
        for (const GlobalValKey& key : free_inputs(outputs, {})) needed.insert(key.node());
        Tracers kept;
        std::vector<Expr> operands;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (needed.count(inputs[i].key().node()) != 0 || (i + 1 == inputs.size() && kept.empty())) {
                kept.push_back(inputs[i]);
                operands.push_back(at[i]);
            }
        return extension::apply(std::make_shared<const Checkpoint>(std::move(kept), outputs),
                                std::span<const Expr>(operands));
    }

    std::shared_ptr<const Function> function_;
};

class CheckpointFactory final : public ExtensionFactory {
public:
    [[nodiscard]] std::string_view family_id() const noexcept override { return Checkpoint::kFamilyId; }
    [[nodiscard]] std::uint32_t version() const noexcept override { return 1; }
};

class CheckpointRule final : public ExtensionAdRule {
public:
    [[nodiscard]] std::string_view family_id() const noexcept override { return Checkpoint::kFamilyId; }
    [[nodiscard]] OptionalValues linearize(const ExtensionOp& op, FragmentBuilder& builder,
                                           std::span<const GlobalValKey> primal_in,
                                           std::span<const GlobalValKey> primal_out,
                                           std::span<const std::optional<LocalValId>> tangent_in,
                                           ShapeGuardContext& context) const override {
        const auto& checkpoint = *static_cast<const Checkpoint*>(op.as_any());
        return tfe_detail::tangents_with(
            [&](const ExtensionTangentArgs& args) { return checkpoint.tangents(args); }, builder, primal_in,
            primal_out, tangent_in, context);
    }
    [[nodiscard]] OptionalValues transpose_rule(const ExtensionOp& op, FragmentBuilder& builder,
                                                std::span<const std::optional<LocalValId>> cotangent_out,
                                                std::span<const ValRef> inputs, const OpMode& mode,
                                                ShapeGuardContext& context) const override {
        const auto& checkpoint = *static_cast<const Checkpoint*>(op.as_any());
        return tfe_detail::cotangents_with(
            [&](const ExtensionCotangentArgs& args) { return checkpoint.cotangents(args); }, builder,
            cotangent_out, inputs, mode, context);
    }
};

/// f, which takes and returns lists of tensors, at `arguments`, inside a trace.
nb::list checkpointed(nb::handle f, nb::handle arguments) {
    std::vector<Value> values;
    for (const nb::handle argument : arguments) values.push_back(as_value(argument));
    Tracers inputs, outputs;
    nb::list handles, results;
    for (const Value& value : values) {
        inputs.push_back(TracedTensor::input(value.dtype(), shape_of(value)));
        handles.append(nb::cast(Value(inputs.back())));
    }
    for (const nb::handle output : f(handles)) outputs.push_back(as_value(output).traced());
    if (outputs.empty()) return results;
    // What f met on its way, tensors and values of the trace around, are operands too.
    for (const GlobalValKey& key : free_inputs(outputs, inputs)) {
        inputs.emplace_back(key);
        values.emplace_back(TracedTensor(key));
    }
    const tensor_ops::Extension op(std::make_shared<const Checkpoint>(std::move(inputs), std::move(outputs)));
    for (Value& result : values.front().apply_all(op, values)) results.append(nb::cast(std::move(result)));
    return results;
}

}  // namespace

void bind_checkpoint(nb::module_& module) {
    register_extension(std::make_shared<CheckpointFactory>());
    register_extension_rule(std::make_shared<CheckpointRule>());
    module.def("_checkpoint", checkpointed);
}

}  // namespace tenferro::python
