// The carrier of extension operations: dispatch to the extension and its rule, and the table of failure modes
// (docs/semantics.md, Extensions).
#include "tenferro/ops/extension_op.hpp"

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

ExtensionOp::~ExtensionOp() = default;
std::string ExtensionOp::payload_text() const { return {}; }
ExtensionFactory::~ExtensionFactory() = default;
ExtensionAdRule::~ExtensionAdRule() = default;
std::shared_ptr<const ExtensionOp> ExtensionFactory::instantiate_default() const { return nullptr; }
std::string ExtensionFactory::encode(const ExtensionOp&) const {
    throw Error(ErrorKind::Unsupported, "extension", text(family_id(), ": payloads cannot be encoded"));
}
std::shared_ptr<const ExtensionOp> ExtensionFactory::decode(std::string_view) const {
    throw Error(ErrorKind::Unsupported, "extension", text(family_id(), ": payloads cannot be decoded"));
}

namespace ops {

namespace {

constexpr std::string_view kOp = "extension";

[[noreturn]] void throw_misfit(const ExtensionOp& op, const std::string& message) {
    throw Error(ErrorKind::InvalidConfig, kOp, text("family_id=", op.family_id(), ": ", message));
}

void check_count(const ExtensionOp& op, std::size_t expected, std::size_t got, std::string_view what) {
    if (expected != got) throw_misfit(op, text("expected ", expected, " ", what, ", got ", got));
}

/// Calls `f`, whose errors come back as `kind` with the family id in the message and themselves as the cause.
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
        throw Error(ErrorKind::BackendFailure, kOp, text("family_id=", op.family_id(), ": ", error.what()));
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

/// The outputs are where the backend computes and have the inferred dtypes and shapes.
void check_outputs(const ExtensionOp& op, std::span<const TensorMeta> expected,
                   std::span<const Tensor> outputs) {
    check_count(op, expected.size(), outputs.size(), "outputs of eager_execute");
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Tensor& output = outputs[i];
        if (const TensorBackend* backend = current_backend();
            backend != nullptr && output.placement() != backend->placement())
            throw Error(ErrorKind::BackendFailure, kOp,
                        text("family_id=", op.family_id(), ": output ", i,
                             " is not in the memory of backend ", backend->name()));
        if (output.dtype() != expected[i].dtype)
            throw_misfit(op, text("output ", i, " has dtype ", info(output.dtype()).name, " but ",
                                  info(expected[i].dtype).name, " was inferred"));
        if (symbolic(output.shape()) != expected[i].shape)
            throw_misfit(op, text("output ", i, " has shape ", list_text(output.shape()), " but ",
                                  shape_text(expected[i].shape), " was inferred"));
    }
}

}  // namespace

Extension::Extension(std::shared_ptr<const ExtensionOp> the_op) : op(std::move(the_op)) {
    if (!op) throw Error(ErrorKind::InvalidArgument, kOp, "there is no operation to carry");
}

std::string_view Extension::name() const noexcept { return kOp; }

void Extension::hash_payload(Hasher& hasher) const {
    hasher.add(op->family_id());
    op->payload_hash(hasher);
}

bool Extension::payload_equals(const Operation& other) const {
    const ExtensionOp& that = *static_cast<const Extension&>(other).op;
    return op->family_id() == that.family_id() && op->payload_eq(that);
}

std::string Extension::payload_text() const {
    const std::string payload = op->payload_text();
    return payload.empty() ? std::string(op->family_id()) : text(op->family_id(), ", ", payload);
}

std::shared_ptr<const Operation> Extension::substituted(FunctionRef<SymDim(DimSymbol)>) const {
    return nullptr;
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

std::vector<Tensor> Extension::execute(std::span<const TensorRead> inputs) const {
    static_cast<void>(require_extension(op->family_id()));
    check_count(*op, op->n_inputs(), inputs.size(), "inputs");
    std::vector<TensorMeta> metas;
    for (const TensorRead& input : inputs) metas.push_back({input.dtype(), symbolic(input.shape())});
    const std::vector<TensorMeta> expected = infer(metas);
    std::vector<Tensor> outputs = in_extension(*op, [&] { return op->eager_execute(inputs); });
    check_outputs(*op, expected, outputs);
    return outputs;
}

void Extension::execute(BackendSession&, std::span<const TensorRead> inputs,
                        std::span<Tensor> outputs) const {
    std::vector<Tensor> made = execute(inputs);
    std::move(made.begin(), made.end(), outputs.begin());
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
    return cotangents;
}

}  // namespace ops
}}  // namespace tenferro::TENFERRO_ABI
