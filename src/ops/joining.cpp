// pad and concatenate: results with the operands as parts.
#include "ops/derivatives.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

namespace {

SymShape negated(const SymShape& extents) {
    SymShape result;
    for (const SymDim& dim : extents) result.push_back(SymDim(0) - dim);
    return result;
}

}  // namespace

TensorMeta Pad::infer_one(std::span<const TensorMeta> in) const {
    return SymbolicRules::pad(in[0], in[1], {low, high, interior});
}

Tensor Pad::run(BackendSession& session, std::span<const TensorRead> in) const {
    return session.pad_read(in[0], in[1], {concrete(low, name()), concrete(high, name()), interior});
}

std::optional<Expr> Pad::tangent(const TangentArgs& args) const {
    return pad(instantiate(args.dx[0], args.x[0]), instantiate(args.dx[1], args.x[1]), low, high, interior);
}

std::vector<std::optional<Expr>> Pad::cotangents(const CotangentArgs& args) const {
    // Without its edges the result is the operand with gaps; edges that were cut off come back as zeros.
    const Expr zero = args.ct.apply(constant(args.ct.dtype(), 0), {});
    Expr operand = pad(args.ct, zero, negated(low), negated(high), Dims(interior.size(), 0));
    bool gaps = false;
    Dims steps;
    for (const Index between : interior) {
        steps.push_back(between + 1);
        gaps = gaps || between != 0;
    }
    if (gaps) operand = slice(operand, SymShape(steps.size(), SymDim(0)), shape_of(operand), steps);
    if (!args.is_linear(1)) return {operand, std::nullopt};
    return {operand, reduce_sum(args.ct) - reduce_sum(operand)};
}

TensorMeta Concatenate::infer_one(std::span<const TensorMeta> in) const {
    return SymbolicRules::concatenate(std::vector<OperandMeta<SymDim>>(in.begin(), in.end()), axis);
}

Tensor Concatenate::run(BackendSession& session, std::span<const TensorRead> in) const {
    return session.concatenate_read(in, axis);
}

std::optional<Expr> Concatenate::tangent(const TangentArgs& args) const {
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < args.x.size(); ++i) parts.push_back(instantiate(args.dx[i], args.x[i]));
    return concatenate(std::span<const Expr>(parts), axis);
}

std::vector<std::optional<Expr>> Concatenate::cotangents(const CotangentArgs& args) const {
    std::vector<std::optional<Expr>> result;
    SymShape starts(args.ct.rank(), SymDim(0)), limits = shape_of(args.ct);
    const std::size_t along = static_cast<std::size_t>(axis);
    for (const Expr& input : args.inputs) {
        limits[along] = starts[along] + input.extent(along);
        result.push_back(input.is_linear()
                             ? std::optional(slice(args.ct, starts, limits, Dims(args.ct.rank(), 1)))
                             : std::nullopt);
        starts[along] = limits[along];
    }
    return result;
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
