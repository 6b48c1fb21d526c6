// pad and concatenate: results with the operands as parts.
#include "ops/derivatives.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace ops {

namespace {

SymShape negated(const SymShape& extents) {
    SymShape result;
    for (const SymDim& dim : extents) result.push_back(SymDim(0) - dim);
    return result;
}

}  // namespace

TensorMeta Pad::infer_one(std::span<const TensorMeta> in) const {
    check_dtypes(in[0], in[1], name(), "the operand", "value");
    if (in[1].rank() != 0)
        throw Error(ErrorKind::RankMismatch, name(),
                    text("value has rank ", in[1].rank(), " but must be a scalar"));
    check_entries(low.size(), in[0], name(), "low");
    check_entries(high.size(), in[0], name(), "high");
    check_entries(interior.size(), in[0], name(), "interior");
    TensorMeta result{in[0].dtype, {}};
    for (std::size_t axis = 0; axis < interior.size(); ++axis) {
        if (interior[axis] < 0)
            throw Error(
                ErrorKind::InvalidArgument, name(),
                text("axis ", axis, " has interior ", interior[axis], ", which must not be negative"));
        const SymDim& n = in[0].shape[axis];
        SymDim extent = low[axis] + n + high[axis];
        if (interior[axis] != 0) extent = extent + max(n - 1, 0) * interior[axis];
        if (extent.constant() && *extent.constant() < 0)
            throw Error(ErrorKind::InvalidArgument, name(),
                        text("axis ", axis, " of extent ", n.text(), " with low ", low[axis].text(),
                             " and high ", high[axis].text(), " has the negative extent ", extent.text()));
        result.shape.push_back(extent);
    }
    return result;
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
    if (in.empty())
        throw Error(ErrorKind::InvalidArgument, name(), "there are 0 operands but at least 1 is needed");
    check_axis(in[0], axis, name(), "concatenated");
    const std::size_t along = static_cast<std::size_t>(axis);
    TensorMeta result = in[0];
    for (std::size_t i = 1; i < in.size(); ++i) {
        const std::string other = text("operand ", i);
        check_dtypes(in[0], in[i], name(), "operand 0", other);
        TensorMeta aligned = in[i];
        if (in[i].rank() == result.rank()) aligned.shape[along] = result.shape[along];
        const SymDim total = in[i].rank() == result.rank() ? result.shape[along] + in[i].shape[along] : 0;
        result.shape = common_shape(result, aligned, name(), "operand 0", other);
        result.shape[along] = total;
    }
    return result;
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

}}}  // namespace tenferro::TENFERRO_ABI::ops
