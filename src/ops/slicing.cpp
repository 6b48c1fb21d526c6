// Slices at fixed and at computed places; a cotangent is put back into zeros.
#include "ops/consume.hpp"
#include "ops/derivatives.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace ops {

namespace {

/// Number of elements start, start + step, … before limit. Of unknown extents only steps of 1 can be counted.
SymDim slice_extent(const SymDim& start, const SymDim& limit, Index step, std::size_t axis) {
    const SymDim span = limit - start;
    if (step == 1) return span;
    if (!span.constant())
        throw Error(
            ErrorKind::InvalidConfig, info(OpId::Slice).name,
            text("axis ", axis, " is sliced in steps of ", step, " over the unknown extent ", span.text()));
    return *span.constant() == 0 ? 0 : (*span.constant() - 1) / step + 1;
}

void check_bounds(const SymDim& start, const SymDim& limit, const SymDim& extent, Index step,
                  std::size_t axis) {
    const auto above = [](const SymDim& a, const SymDim& b) {
        return a.constant() && b.constant() && *a.constant() > *b.constant();
    };
    const auto fail = [&](auto... what) {
        throw Error(ErrorKind::InvalidArgument, info(OpId::Slice).name,
                    text("axis ", axis, " has ", what...));
    };
    if (step <= 0) fail("step ", step, ", which must be positive");
    if (above(0, start) || above(start, extent)) fail("start ", start.text(), " but extent ", extent.text());
    if (above(0, limit) || above(limit, extent)) fail("limit ", limit.text(), " but extent ", extent.text());
    if (above(start, limit)) fail("start ", start.text(), " but limit ", limit.text());
}

}  // namespace

TensorMeta Slice::infer_one(std::span<const TensorMeta> in) const {
    check_entries(starts.size(), in[0], name(), "starts");
    check_entries(limits.size(), in[0], name(), "limits");
    check_entries(steps.size(), in[0], name(), "steps");
    TensorMeta result{in[0].dtype, {}};
    for (std::size_t axis = 0; axis < steps.size(); ++axis) {
        check_bounds(starts[axis], limits[axis], in[0].shape[axis], steps[axis], axis);
        result.shape.push_back(slice_extent(starts[axis], limits[axis], steps[axis], axis));
    }
    return result;
}

Tensor Slice::run(BackendSession& session, std::span<const TensorRead> in) const {
    return session.slice_read(in[0], concrete(starts, name()), concrete(limits, name()), steps);
}
std::optional<TensorRead> Slice::view(const TensorRead& a) const {
    return a.slice_view(concrete(starts, name()), concrete(limits, name()), steps);
}
std::optional<Expr> Slice::tangent(const TangentArgs& args) const {
    return slice(*args.dx[0], starts, limits, steps);
}

std::vector<std::optional<Expr>> Slice::cotangents(const CotangentArgs& args) const {
    const SymShape& operand = args.inputs[0].meta().shape;
    SymShape high;
    Dims interior;
    for (std::size_t axis = 0; axis < steps.size(); ++axis) {
        const SymDim& kept = args.ct.extent(axis);
        SymDim after = operand[axis] - starts[axis] - kept;
        if (steps[axis] != 1) after = after - max(kept - 1, 0) * (steps[axis] - 1);
        high.push_back(after);
        interior.push_back(steps[axis] - 1);
    }
    const Expr zero = args.ct.apply(constant(args.ct.dtype(), 0), {});
    return {pad(args.ct, zero, starts, high, interior)};
}

TensorMeta DynamicSlice::infer_one(std::span<const TensorMeta> in) const {
    check_part(in[0], in[1], sizes, name());
    return {in[0].dtype, sizes};
}
Tensor DynamicSlice::run(BackendSession& session, std::span<const TensorRead> in) const {
    return session.dynamic_slice_read(in[0], in[1], concrete(sizes, name()));
}
std::optional<Expr> DynamicSlice::tangent(const TangentArgs& args) const {
    return dynamic_slice(*args.dx[0], args.x[1], sizes);
}
std::vector<std::optional<Expr>> DynamicSlice::cotangents(const CotangentArgs& args) const {
    return {dynamic_update_slice(full_like(args.inputs[0], 0), args.ct, args.inputs[1]), std::nullopt};
}

TensorMeta DynamicUpdateSlice::infer_one(std::span<const TensorMeta> in) const {
    check_dtypes(in[0], in[1], name(), "the operand", "update");
    check_part(in[0], in[2], in[1].shape, name());
    return in[0];
}
Tensor DynamicUpdateSlice::run(BackendSession& session, std::span<const TensorRead> in) const {
    return session.dynamic_update_slice_read(in[0], in[1], in[2]);
}
void DynamicUpdateSlice::execute_consuming(BackendSession& session, std::span<const TensorRead> in,
                                           std::span<Tensor* const> dying, std::span<Tensor> out) const {
    if (dying[0] == nullptr) return execute(session, in, out);
    Consumable update(in[1], nullptr), starts(in[2], nullptr);
    out[0] = session.dynamic_update_slice(std::move(*dying[0]), update.tensor(), starts.tensor());
}
std::optional<Expr> DynamicUpdateSlice::tangent(const TangentArgs& args) const {
    return dynamic_update_slice(instantiate(args.dx[0], args.x[0]), instantiate(args.dx[1], args.x[1]),
                                args.x[2]);
}
std::vector<std::optional<Expr>> DynamicUpdateSlice::cotangents(const CotangentArgs& args) const {
    const Expr &update = args.inputs[1], &starts = args.inputs[2];
    return {dynamic_update_slice(args.ct, full_like(update, 0), starts),
            dynamic_slice(args.ct, starts, shape_of(update)), std::nullopt};
}

}}}  // namespace tenferro::TENFERRO_ABI::ops
