// Slices at fixed and at computed places; a cotangent is put back into zeros.
#include "ops/consume.hpp"
#include "ops/derivatives.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

TensorMeta Slice::infer_one(std::span<const TensorMeta> in) const {
    return SymbolicRules::slice(in[0], starts, limits, steps);
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
    SymShape low, high;
    Dims interior, backwards;  // steps downwards are those upwards from the other end, reversed
    for (std::size_t axis = 0; axis < steps.size(); ++axis) {
        const SymDim& kept = args.ct.extent(axis);
        const Index step = steps[axis] > 0 ? steps[axis] : -steps[axis];
        if (steps[axis] < 0) backwards.push_back(static_cast<Index>(axis));
        low.push_back(steps[axis] > 0 ? starts[axis] : starts[axis] - max(kept - 1, 0) * step);
        SymDim after = operand[axis] - low.back() - kept;
        if (step != 1) after = after - max(kept - 1, 0) * (step - 1);
        high.push_back(after);
        interior.push_back(step - 1);
    }
    const Expr zero = args.ct.apply(constant(args.ct.dtype(), 0), {});
    const Expr ct = backwards.empty() ? args.ct : reverse(args.ct, backwards);
    return {pad(ct, zero, low, high, interior)};
}

TensorMeta DynamicSlice::infer_one(std::span<const TensorMeta> in) const {
    return SymbolicRules::dynamic_slice(in[0], in[1], sizes);
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
    return SymbolicRules::dynamic_update_slice(in[0], in[1], in[2]);
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

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
