// Derivatives of traced values: the drivers of the graph layer with arguments checked and guards carried
// along.
#include "tenferro/graph/transpose.hpp"

#include <new>

#include "tenferro/base/error.hpp"
#include "tenferro/runtime/traced_tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

using MaybeKey = std::optional<GlobalValKey>;
using MaybeTraced = std::optional<TracedTensor>;

std::vector<GlobalValKey> keys_of(std::span<const TracedTensor> values) {
    std::vector<GlobalValKey> keys;
    for (const TracedTensor& value : values) keys.push_back(value.key());
    return keys;
}

/// Of floating-point or complex dtype and distinct.
void check_differentiable(std::span<const TracedTensor> inputs, std::string_view op) {
    std::unordered_map<GlobalValKey, std::size_t, op_graph::KeyHash<StdTensorOp>> numbers;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const DTypeInfo& dtype = info(inputs[i].dtype());
        if (!dtype.is_float && !dtype.is_complex)
            throw Error(ErrorKind::DTypeMismatch, op,
                        text("input ", i, " has dtype ", dtype.name, ", which has no derivatives"));
        const auto [found, first] = numbers.try_emplace(inputs[i].key(), i);
        if (!first)
            throw Error(ErrorKind::InvalidArgument, op,
                        text("inputs ", found->second, " and ", i, " are the same"));
    }
}

/// `directions`, one for each of `values` and like it: extents that are not known yet are guarded.
std::vector<MaybeKey> checked_directions(std::span<const TracedTensor> values,
                                         std::span<const MaybeTraced> directions, std::string_view op,
                                         std::string_view name, ShapeGuardContext& context) {
    if (values.size() != directions.size())
        throw Error(ErrorKind::InvalidArgument, op,
                    text(directions.size(), " ", name, "s for ", values.size(), " values"));
    std::vector<MaybeKey> keys;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!directions[i]) {
            keys.emplace_back();
            continue;
        }
        const TensorMeta &value = values[i].meta(), &direction = directions[i]->meta();
        if (value.dtype != direction.dtype)
            throw Error(ErrorKind::DTypeMismatch, op,
                        text(name, " ", i, " has dtype ", info(direction.dtype).name, " but its value has ",
                             info(value.dtype).name));
        bool fits = value.rank() == direction.rank();
        for (std::size_t axis = 0; fits && axis < value.rank(); ++axis)
            fits = context.guard_equal(value.shape[axis], direction.shape[axis]);
        if (!fits)
            throw Error(ErrorKind::TangentShapeMismatch, op,
                        text(name, " ", i, " has shape ", shape_text(direction.shape), " but its value has ",
                             shape_text(value.shape)));
        keys.push_back(directions[i]->key());
    }
    return keys;
}

/// The guards that were recorded, with those of the values and directions.
TracedTensor::Guards guards_with(const ShapeGuardContext& context, std::span<const TracedTensor> values,
                                 std::span<const MaybeTraced> directions) {
    std::vector<ShapeGuard> all = context.guards();
    const auto add = [&](const TracedTensor& value) {
        if (value.guards()) all.insert(all.end(), value.guards()->begin(), value.guards()->end());
    };
    for (const TracedTensor& value : values) add(value);
    for (const MaybeTraced& direction : directions)
        if (direction) add(*direction);
    return all.empty() ? nullptr : std::make_shared<const std::vector<ShapeGuard>>(std::move(all));
}

/// Each result, or zeros like the value where it is absent.
std::vector<TracedTensor> instantiated(std::span<const MaybeKey> results, std::span<const TracedTensor> like,
                                       const TracedTensor::Guards& guards) {
    std::vector<TracedTensor> traced;
    for (std::size_t i = 0; i < results.size(); ++i)
        traced.emplace_back(results[i] ? *results[i] : full_like(like[i], 0).key(), guards);
    return traced;
}

}  // namespace

std::vector<TracedTensor> jvp(std::span<const TracedTensor> outputs, std::span<const TracedTensor> inputs,
                              std::span<const MaybeTraced> tangents) try {
    check_differentiable(inputs, "jvp");
    FragmentBuilder builder;
    ShapeGuardContext context(builder);
    const std::vector<MaybeKey> along = checked_directions(inputs, tangents, "jvp", "tangent", context);
    const auto map =
        op_graph::linearize<StdTensorOp>(keys_of(outputs), keys_of(inputs), along, builder, context);
    return instantiated(map.outputs, outputs, guards_with(context, outputs, tangents));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("jvp");
}

std::vector<TracedTensor> vjp(std::span<const TracedTensor> outputs, std::span<const TracedTensor> inputs,
                              std::span<const MaybeTraced> cotangents) try {
    check_differentiable(inputs, "vjp");
    FragmentBuilder builder;
    ShapeGuardContext context(builder);
    const std::vector<MaybeKey> given = checked_directions(outputs, cotangents, "vjp", "cotangent", context);
    std::vector<MaybeKey> along;
    for (const TracedTensor& input : inputs)
        along.emplace_back(
            GlobalValKey::input(op_graph::new_input_id(), StdTensorOp::tangent_meta(input.meta())));
    const auto map =
        op_graph::linearize<StdTensorOp>(keys_of(outputs), keys_of(inputs), along, builder, context);
    const std::vector<MaybeKey> results = op_graph::transpose<StdTensorOp>(map, given, builder, context);
    return instantiated(
        results, inputs,
        guards_with(context, outputs, cotangents));  // now that all rules have recorded theirs
} catch (const std::bad_alloc&) {
    throw_out_of_memory("vjp");
}

std::vector<TracedTensor> grad(const TracedTensor& loss, std::span<const TracedTensor> inputs) try {
    if (loss.rank() != 0)
        throw Error(ErrorKind::NonScalarLoss, "grad",
                    text("the loss has shape ", shape_text(loss.meta().shape), ", not rank 0"));
    if (!info(loss.dtype()).is_float)
        throw Error(ErrorKind::NonScalarLoss, "grad",
                    text("the loss has dtype ", info(loss.dtype()).name, ", which is not real"));
    const MaybeTraced one = full_like(loss, 1);
    return vjp({&loss, 1}, inputs, {&one, 1});
} catch (const std::bad_alloc&) {
    throw_out_of_memory("grad");
}

TracedTensor grad(const TracedTensor& loss, const TracedTensor& input) try {
    return grad(loss, std::span(&input, 1)).front();
} catch (const std::bad_alloc&) {
    throw_out_of_memory("grad");
}

std::vector<TracedTensor> hvp(const TracedTensor& loss, std::span<const TracedTensor> inputs,
                              std::span<const MaybeTraced> vectors) try {
    return jvp(grad(loss, inputs), inputs, vectors);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("hvp");
}

TracedTensor hvp(const TracedTensor& loss, const TracedTensor& input, const TracedTensor& vector) try {
    const MaybeTraced along = vector;
    return hvp(loss, std::span(&input, 1), std::span(&along, 1)).front();
} catch (const std::bad_alloc&) {
    throw_out_of_memory("hvp");
}

}}  // namespace tenferro::TENFERRO_ABI
