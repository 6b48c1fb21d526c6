// The carrier of extension operations: dispatch to the extension and its rule, and the table of failure modes
// (docs/semantics.md, Extensions).
#include "tenferro/ops/extension_op.hpp"

#include <algorithm>
#include <memory>
#include <new>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

ExtensionOp::~ExtensionOp() = default;
std::string ExtensionOp::payload_text() const { return {}; }
std::shared_ptr<const ExtensionOp> ExtensionOp::with_outputs(std::span<const bool>) const { return nullptr; }
MatrixPlan::MaybeValue ExtensionOp::matrix_step(MatrixPlan&, MatrixPlan::Values) const {
    return std::nullopt;
}
bool ExtensionOp::can_consume() const noexcept { return false; }
std::vector<Tensor> ExtensionOp::eager_execute_consuming(std::span<const TensorRead> inputs,
                                                         std::span<Tensor* const>) const {
    return eager_execute(inputs);
}
std::shared_ptr<const ExtensionOp> ExtensionOp::substituted(FunctionRef<SymDim(DimSymbol)>) const {
    return nullptr;
}
ExtensionFactory::~ExtensionFactory() = default;
ExtensionAdRule::~ExtensionAdRule() = default;
std::shared_ptr<const ExtensionOp> ExtensionFactory::instantiate_default() const { return nullptr; }
std::string ExtensionFactory::encode(const ExtensionOp&) const {
    throw Error(ErrorKind::Unsupported, "extension", text(family_id(), ": payloads cannot be encoded"));
}
std::shared_ptr<const ExtensionOp> ExtensionFactory::decode(std::string_view) const {
    throw Error(ErrorKind::Unsupported, "extension", text(family_id(), ": payloads cannot be decoded"));
}

namespace tensor_ops {

namespace {

constexpr std::string_view kOp = "extension", kUnknown = "it threw something that is no exception";

[[noreturn]] void throw_misfit(const ExtensionOp& op, const std::string& message) {
    throw Error(ErrorKind::InvalidConfig, kOp, text("family_id=", op.family_id(), ": ", message));
}

void check_count(const ExtensionOp& op, std::size_t expected, std::size_t got, std::string_view what) {
    if (expected != got) throw_misfit(op, text("expected ", expected, " ", what, ", got ", got));
}

[[noreturn]] void throw_failure(const ExtensionOp& op, std::string_view message) {
    throw Error(ErrorKind::BackendFailure, kOp, text("family_id=", op.family_id(), ": ", message));
}

/// Calls `f`, something that an extension computes: what it throws comes back as BackendFailure with the
/// family id in the message and, if it is an Error, as the cause.
template <class F>
auto in_extension(const ExtensionOp& op, F&& f) {
    try {
        return f();
    } catch (const Error& error) {
        throw Error(ErrorKind::BackendFailure, kOp, text("family_id=", op.family_id(), ": ", error.what()),
                    error);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::BackendFailure, kOp, text("family_id=", op.family_id(), ": out of memory"),
                    Error(ErrorKind::OutOfMemory, kOp, "out of memory"));
    } catch (const std::exception& error) {
        throw_failure(op, error.what());
    } catch (...) {
        throw_failure(op, kUnknown);
    }
}

/// Calls `f`, an inference or a derivative rule, whose errors keep their kind and get the family id.
template <class F>
auto with_family(const ExtensionOp& op, F&& f) {
    try {
        return f();
    } catch (const Error& error) {
        throw Error(error.kind(), kOp, text("family_id=", op.family_id(), ": ", error.what()), error);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        throw_misfit(op, error.what());
    } catch (...) {
        throw_failure(op, kUnknown);
    }
}

/// The rule of op's family; `kind` names what of it is asked for.
std::shared_ptr<const ExtensionAdRule> rule_of(const ExtensionOp& op, std::string_view kind) {
    auto rule = lookup_extension_rule(op.family_id());
    if (!rule)
        throw Error(ErrorKind::AdRuleUnsupported, kOp,
                    text(op.family_id(), ": no ", kind, " rule is registered"));
    return rule;
}

/// What a derivative rule returns, called `what` in messages, is of this builder, carries the linear flow
/// that came with `given`, and has the dtype and shape of `like` (InvalidConfig); extents that only a run can
/// tell become a guard.
void check_flow(const ExtensionOp& op, const FragmentBuilder& builder, LocalValId value,
                const TensorMeta& like, std::span<const std::optional<LocalValId>> given,
                ShapeGuardContext& context, const std::string& what) {
    if (!builder.has(value)) throw_misfit(op, text(what, " is no value of the builder"));
    const GlobalValKey& key = builder.key(value);
    const bool passed = std::find(given.begin(), given.end(), std::optional(value)) != given.end();
    if (!passed && (key.is_input() || !key.mode().linear))
        throw_misfit(op,
                     text(what, " is a primal value: it does not depend on those that the rule was given"));
    const TensorMeta& meta = key.meta();
    if (meta.dtype != like.dtype)
        throw_misfit(op, text(what, " has dtype ", info(meta.dtype).name, " but its value has ",
                              info(like.dtype).name));
    bool fits = meta.rank() == like.rank();
    for (std::size_t axis = 0; fits && axis < meta.rank(); ++axis)
        fits = context.guard_equal(meta.shape[axis], like.shape[axis]);
    if (!fits)
        throw_misfit(op, text(what, " has shape ", shape_text(meta.shape), " but its value has ",
                              shape_text(like.shape)));
}

void check_places(const ExtensionOp& op, std::span<const Tensor> outputs) {
    const TensorBackend* const backend = current_backend();
    for (std::size_t i = 0; backend != nullptr && i < outputs.size(); ++i)
        if (outputs[i].placement() != backend->placement())
            throw Error(ErrorKind::BackendFailure, kOp,
                        text("family_id=", op.family_id(), ": output ", i,
                             " is not in the memory of backend ", backend->name()));
}

/// The outputs have the inferred dtypes and shapes.
void check_outputs(const ExtensionOp& op, std::span<const TensorMeta> expected,
                   std::span<const Tensor> outputs) {
    check_count(op, expected.size(), outputs.size(), "outputs of eager_execute");
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Tensor& output = outputs[i];
        if (output.dtype() != expected[i].dtype)
            throw_misfit(op, text("output ", i, " has dtype ", info(output.dtype()).name, " but ",
                                  info(expected[i].dtype).name, " was inferred"));
        if (symbolic(output.shape()) != expected[i].shape)
            throw_misfit(op, text("output ", i, " has shape ", list_text(output.shape()), " but ",
                                  shape_text(expected[i].shape), " was inferred"));
    }
}

std::vector<TensorMeta> metas_of(std::span<const TensorRead> tensors) {
    std::vector<TensorMeta> metas;
    for (const TensorRead& tensor : tensors) metas.push_back({tensor.dtype(), symbolic(tensor.shape())});
    return metas;
}

/// Keeps the second run.
void note(std::span<const TensorRead> inputs, std::span<const Tensor> outputs,
          tfe_detail::ExtensionRuns& runs) {
    if (runs.is_first.exchange(false, std::memory_order_relaxed)) return;
    const tfe_detail::ExtensionRun* none = nullptr;
    if (runs.known.load(std::memory_order_relaxed) != nullptr) return;
    auto made = std::make_unique<tfe_detail::ExtensionRun>();
    for (const TensorRead& input : inputs) made->inputs.push_back({input.dtype(), input.shape()});
    for (const Tensor& output : outputs) made->outputs.push_back({output.dtype(), output.shape()});
    if (runs.known.compare_exchange_strong(none, made.get(), std::memory_order_release))
        static_cast<void>(made.release());
}

template <class Tensors>
bool are_like(const Tensors& tensors, const auto& known) noexcept {
    return std::equal(tensors.begin(), tensors.end(), known.begin(), known.end(),
                      [](const auto& tensor, const auto& like) {
                          return tensor.dtype() == like.dtype && tensor.shape() == like.shape;
                      });
}

}  // namespace

Extension::Extension(std::shared_ptr<const ExtensionOp> the_op) : op(std::move(the_op)) {
    if (!op) throw Error(ErrorKind::InvalidArgument, kOp, "there is no operation to carry");
    Hasher hasher;
    in_extension(*op, [&] { op->payload_hash(hasher); });
    payload_hash_ = hasher.value();
}

std::string_view Extension::name() const noexcept { return kOp; }

void Extension::hash_payload(Hasher& hasher) const {
    hasher.add(op->family_id());
    hasher.add(payload_hash_);
}

bool Extension::payload_equals(const Operation& other) const {
    const ExtensionOp& that = *static_cast<const Extension&>(other).op;
    return op->family_id() == that.family_id() &&
           payload_hash_ == static_cast<const Extension&>(other).payload_hash_ &&
           in_extension(*op, [&] { return op->payload_eq(that); });
}

std::string Extension::payload_text() const {
    const std::string payload = in_extension(*op, [&] { return op->payload_text(); });
    return payload.empty() ? std::string(op->family_id()) : text(op->family_id(), ", ", payload);
}

std::shared_ptr<const Operation> Extension::substituted(FunctionRef<SymDim(DimSymbol)> value) const {
    auto changed = with_family(*op, [&] { return op->substituted(value); });
    if (!changed) return nullptr;
    return std::make_shared<Extension>(std::move(changed));
}

std::vector<TensorMeta> Extension::infer(std::span<const TensorMeta> inputs) const {
    check_count(*op, op->n_inputs(), inputs.size(), "inputs");
    std::vector<DType> dtypes;
    std::vector<SymShape> shapes;
    for (const TensorMeta& input : inputs) {
        dtypes.push_back(input.dtype);
        shapes.push_back(input.shape);
    }
    std::vector<TensorMeta> outputs = with_family(*op, [&] { return op->infer_output_meta(dtypes, shapes); });
    check_count(*op, op->n_outputs(), outputs.size(), "outputs of infer_output_meta");
    return outputs;
}

std::shared_ptr<const Operation> Extension::with_outputs(std::span<const bool> used) const {
    auto cheaper = in_extension(*op, [&] { return op->with_outputs(used); });
    if (!cheaper) return nullptr;
    static_cast<void>(require_extension(cheaper->family_id()));
    check_count(*op, op->n_inputs(), cheaper->n_inputs(), "inputs of with_outputs");
    return std::make_shared<Extension>(std::move(cheaper));
}

std::vector<Tensor> Extension::execute(std::span<const TensorRead> inputs,
                                       std::span<Tensor* const> dying) const {
    const tfe_detail::ExtensionRun* const known = runs_.known.load(std::memory_order_acquire);
    const bool is_known = known != nullptr && are_like(inputs, known->inputs);
    std::vector<TensorMeta> expected;
    if (!is_known) {
        static_cast<void>(require_extension(op->family_id()));
        check_count(*op, op->n_inputs(), inputs.size(), "inputs");
        expected = infer(metas_of(inputs));
    }
    std::vector<Tensor> outputs = in_extension(*op, [&] {
        return dying.empty() ? op->eager_execute(inputs) : op->eager_execute_consuming(inputs, dying);
    });
    check_places(*op, outputs);
    if (is_known && are_like(outputs, known->outputs)) return outputs;
    check_outputs(*op, is_known ? infer(metas_of(inputs)) : expected, outputs);
    if (!is_known) note(inputs, outputs, runs_);
    return outputs;
}

void Extension::execute(BackendSession&, std::span<const TensorRead> inputs,
                        std::span<Tensor> outputs) const {
    std::ranges::move(execute(inputs), outputs.begin());
}
void Extension::execute_consuming(BackendSession&, std::span<const TensorRead> inputs,
                                  std::span<Tensor* const> dying, std::span<Tensor> outputs) const {
    // An operand that is given twice is still read where it is the other.
    std::vector<Tensor*> alone(dying.begin(), dying.end());
    for (std::size_t i = 0; i < alone.size(); ++i)
        for (std::size_t k = 0; alone[i] != nullptr && k < inputs.size(); ++k)
            if (k != i && inputs[k].data() == inputs[i].data()) alone[i] = nullptr;
    std::ranges::move(execute(inputs, alone), outputs.begin());
}

OptionalValues Extension::linearize(FragmentBuilder& builder, std::span<const GlobalValKey> primal_in,
                                    std::span<const GlobalValKey> primal_out,
                                    std::span<const std::optional<LocalValId>> tangent_in,
                                    ShapeGuardContext& context) const {
    check_count(*op, op->n_inputs(), primal_in.size(), "inputs");
    check_count(*op, op->n_inputs(), tangent_in.size(), "tangents of inputs");
    check_count(*op, op->n_outputs(), primal_out.size(), "outputs");
    const auto rule = rule_of(*op, "linearize");
    OptionalValues tangents = with_family(
        *op, [&] { return rule->linearize(*op, builder, primal_in, primal_out, tangent_in, context); });
    check_count(*op, op->n_outputs(), tangents.size(), "tangents of the linearize rule");
    for (std::size_t i = 0; i < tangents.size(); ++i)
        if (tangents[i])
            check_flow(*op, builder, *tangents[i], primal_out[i].meta(), tangent_in, context,
                       text("the tangent of output ", i));
    return tangents;
}

OptionalValues Extension::transpose_rule(FragmentBuilder& builder,
                                         std::span<const std::optional<LocalValId>> cotangent_out,
                                         std::span<const ValRef> inputs, const OpMode& mode,
                                         ShapeGuardContext& context) const {
    check_count(*op, op->n_inputs(), inputs.size(), "inputs");
    check_count(*op, op->n_outputs(), cotangent_out.size(), "cotangents of outputs");
    const auto rule = rule_of(*op, "transpose");
    OptionalValues cotangents = with_family(
        *op, [&] { return rule->transpose_rule(*op, builder, cotangent_out, inputs, mode, context); });
    check_count(*op, op->n_inputs(), cotangents.size(), "cotangents of the transpose rule");
    for (std::size_t i = 0; i < cotangents.size(); ++i)
        if (cotangents[i])
            check_flow(*op, builder, *cotangents[i], builder.key(inputs[i]).meta(), cotangent_out, context,
                       text("the cotangent of input ", i));
    return cotangents;
}

}  // namespace tensor_ops

std::vector<Expr> extension::apply(std::shared_ptr<const ExtensionOp> op, std::span<const Expr> inputs) try {
    const tensor_ops::Extension carrier(std::move(op));
    if (inputs.empty())
        throw Error(ErrorKind::InvalidArgument, "extension",
                    text("family_id=", carrier.op->family_id(), ": no inputs to take a builder from"));
    return inputs.front().apply_all(carrier, inputs);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extension");
}
}}  // namespace tenferro::TENFERRO_ABI
