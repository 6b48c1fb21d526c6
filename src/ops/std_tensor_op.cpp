// What holds for every operation of the graph.
#include "tenferro/ops/std_tensor_op.hpp"

#include "tenferro/ops/extension_op.hpp"
#include "tenferro/ops/functions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

Operation::~Operation() = default;
std::optional<TensorRead> Operation::value() const { return std::nullopt; }
std::optional<TensorRead> Operation::view(const TensorRead&) const { return std::nullopt; }
bool Operation::can_consume() const noexcept { return false; }
void Operation::execute_consuming(BackendSession& session, std::span<const TensorRead> inputs,
                                  std::span<Tensor* const>, std::span<Tensor> outputs) const {
    execute(session, inputs, outputs);
}
void Operation::require_available() const {}
std::optional<OpId> Operation::fusion_step(std::span<const DType>) const { return std::nullopt; }
MatrixPlan::MaybeValue Operation::matrix_step(MatrixPlan&, MatrixPlan::Values) const { return std::nullopt; }
const tensor_ops::Constant* Operation::filled_with(
    std::span<const tensor_ops::Constant* const>) const noexcept {
    return nullptr;
}
std::optional<std::size_t> Operation::same_as(std::span<const tensor_ops::Constant* const>) const noexcept {
    return std::nullopt;
}
const Dims* Operation::permutation() const noexcept { return nullptr; }
std::shared_ptr<const Operation> Operation::normalized() const { return nullptr; }
std::shared_ptr<const Operation> Operation::before_transpose(std::size_t, const Dims&,
                                                             std::span<const TensorMeta>) const {
    return nullptr;
}
std::shared_ptr<const Operation> Operation::with_transpose(const Dims&) const { return nullptr; }
std::shared_ptr<const Operation> Operation::with_outputs(std::span<const bool>) const { return nullptr; }

std::uint64_t StdTensorOp::hash() const noexcept {
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(kind()));
    operation_->hash_payload(hasher);
    return hasher.value();
}

std::string StdTensorOp::text() const { return tenferro::text(name(), "{", operation_->payload_text(), "}"); }

std::string StdTensorOp::arity_text(std::size_t got) const {
    if (const auto* extension = as<tensor_ops::Extension>())
        return tenferro::text("family_id=", extension->op->family_id(), ": expected ", n_inputs(),
                              " inputs, got ", got);
    return tenferro::text("expected ", n_inputs(), n_inputs() == 1 ? " input, got " : " inputs, got ", got);
}

std::vector<TensorMeta> StdTensorOp::infer(std::span<const TensorMeta> inputs) const {
    if (inputs.size() != n_inputs()) throw Error(ErrorKind::InvalidConfig, name(), arity_text(inputs.size()));
    return operation_->infer(inputs);
}

StdTensorOp StdTensorOp::renumber(InputNames names) const {
    auto changed = operation_->substituted(
        [&](DimSymbol symbol) { return SymDim::input(names(symbol.input), symbol.axis); });
    return changed ? StdTensorOp(std::move(changed)) : *this;
}

TensorMeta StdTensorOp::renumber(const TensorMeta& meta, InputNames names) {
    TensorMeta renamed{meta.dtype, {}};
    for (const SymDim& dim : meta.shape)
        renamed.shape.push_back(dim.substitute(
            [&](DimSymbol symbol) { return SymDim::input(names(symbol.input), symbol.axis); }));
    return renamed;
}

StdTensorOp StdTensorOp::bind(DimBindings bindings) const {
    auto changed = operation_->substituted([&](DimSymbol symbol) { return SymDim(bindings(symbol)); });
    return changed ? StdTensorOp(std::move(changed)) : *this;
}

OptionalValues StdTensorOp::linearize(FragmentBuilder& builder, std::span<const GlobalValKey> primal_in,
                                      std::span<const GlobalValKey> primal_out,
                                      std::span<const std::optional<LocalValId>> tangent_in,
                                      ShapeGuardContext& context) const {
    return operation_->linearize(builder, primal_in, primal_out, tangent_in, context);
}

OptionalValues StdTensorOp::transpose_rule(FragmentBuilder& builder,
                                           std::span<const std::optional<LocalValId>> cotangent_out,
                                           std::span<const ValRef> inputs, const OpMode& mode,
                                           ShapeGuardContext& context) const {
    return operation_->transpose_rule(builder, cotangent_out, inputs, mode, context);
}

LocalValId StdTensorOp::add_cotangents(FragmentBuilder& builder, LocalValId a, LocalValId b) {
    return add(Expr(builder, a, true), Expr(builder, b, true)).local();
}

}}  // namespace tenferro::TENFERRO_ABI
