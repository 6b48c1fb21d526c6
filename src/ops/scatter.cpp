// Scatter and scatter_add, linear in the operand and in the updates.
#include "ops/consume.hpp"
#include "ops/derivatives.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

namespace {

/// 1, 2, 3, … in the shape of `like`, as I64.
Expr numbering(const Expr& like) {
    const SymShape shape = shape_of(like);
    const Expr ones = repeat(like.apply(constant(DType::I64, 1), {}), {element_count(shape)});
    return reshape(cumulative_sum(ones, 0), shape);
}

/// The cotangent of updates of which only the last of overlapping ones stays: windows of `ct` where numbers
/// that are scattered in the same way come back unchanged, zero elsewhere.
Expr of_winners(const Expr& ct, const Expr& operand, const Expr& indices, const Expr& updates,
                const Scatter& scatter, const Gather& windows) {
    const Expr numbers = numbering(updates);
    const Expr none = repeat(ct.apply(constant(DType::I64, 0), {}), shape_of(operand));
    const Expr written = none.apply(scatter, {none, indices, numbers});
    const Expr won = equal(written.apply(windows, {written, indices}), numbers);
    const Expr gathered = ct.apply(windows, {ct, indices});
    return select(won, gathered, full_like(gathered, 0));
}

}  // namespace

TensorMeta Scatter::infer_one(std::span<const TensorMeta> in) const {
    return op == OpId::Scatter ? SymbolicRules::scatter(in[0], in[1], in[2], config)
                               : SymbolicRules::scatter_add(in[0], in[1], in[2], config);
}

Tensor Scatter::run(BackendSession& session, std::span<const TensorRead> in) const {
    return op == OpId::Scatter ? session.scatter_read(in[0], in[1], in[2], config)
                               : session.scatter_add_read(in[0], in[1], in[2], config);
}

void Scatter::execute_consuming(BackendSession& session, std::span<const TensorRead> in,
                                std::span<Tensor* const> dying, std::span<Tensor> out) const {
    if (dying[0] == nullptr) return execute(session, in, out);
    Consumable indices(in[1], nullptr), updates(in[2], nullptr);
    Tensor&& a = std::move(*dying[0]);
    out[0] = op == OpId::Scatter
                 ? session.scatter(std::move(a), indices.tensor(), updates.tensor(), config)
                 : session.scatter_add(std::move(a), indices.tensor(), updates.tensor(), config);
}

std::optional<Expr> Scatter::tangent(const TangentArgs& args) const {
    return args.y.apply(*this,
                        {instantiate(args.dx[0], args.x[0]), args.x[1], instantiate(args.dx[2], args.x[2])});
}

std::vector<std::optional<Expr>> Scatter::cotangents(const CotangentArgs& args) const {
    const Expr &ct = args.ct, &indices = args.inputs[1], &updates = args.inputs[2];
    const Gather windows(
        SymbolicRules::scatter_windows(op, args.inputs[0].meta(), indices.meta(), updates.meta(), config));
    if (op == OpId::ScatterAdd) return {ct, std::nullopt, ct.apply(windows, {ct, indices})};
    return {ct.apply(*this, {ct, indices, full_like(updates, 0)}), std::nullopt,
            of_winners(ct, args.inputs[0], indices, updates, *this, windows)};
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
