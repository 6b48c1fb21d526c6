// Building graphs by tracing.
#include "tenferro/runtime/traced_tensor.hpp"

#include <algorithm>
#include <new>

#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

/// All guards of `inputs`.
TracedTensor::Guards merged_guards(std::span<const TracedTensor> inputs) {
    TracedTensor::Guards all;
    for (const TracedTensor& input : inputs) {
        if (!input.guards() || input.guards() == all) continue;
        if (!all) {
            all = input.guards();
            continue;
        }
        std::vector<ShapeGuard> both = *all;
        for (const ShapeGuard& guard : *input.guards())
            if (std::find(both.begin(), both.end(), guard) == both.end()) both.push_back(guard);
        all = std::make_shared<const std::vector<ShapeGuard>>(std::move(both));
    }
    return all;
}

}  // namespace

TracedTensor TracedTensor::input(DType dtype, std::span<const Index> shape) try {
    const std::uint64_t id = op_graph::new_input_id();
    TensorMeta meta{dtype, {}};
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] < kAnyExtent)
            throw Error(ErrorKind::InvalidArgument, "input",
                        text("axis ", axis, " has the negative extent ", shape[axis]));
        meta.shape.push_back(shape[axis] == kAnyExtent ? SymDim::input(id, static_cast<Index>(axis))
                                                       : SymDim(shape[axis]));
    }
    return TracedTensor(GlobalValKey::input(id, std::move(meta)));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("input");
}

TracedTensor TracedTensor::input(DType dtype, SymShape shape) try {
    return TracedTensor(GlobalValKey::input(op_graph::new_input_id(), {dtype, std::move(shape)}));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("input");
}

TracedTensor TracedTensor::constant(DType dtype, const Number& value) try {
    return apply_all(tensor_ops::constant(dtype, value), {}).front();
} catch (const std::bad_alloc&) {
    throw_out_of_memory("constant");
}

TracedTensor TracedTensor::constant(const TensorRead& array) try {
    return apply_all(tensor_ops::ArrayConstant(tensor_ops::ConstantArray(array)), {}).front();
} catch (const std::bad_alloc&) {
    throw_out_of_memory("constant");
}

std::vector<TracedTensor> TracedTensor::apply_all(const StdTensorOp& op,
                                                  std::span<const TracedTensor> inputs) try {
    std::vector<GlobalValKey> keys;
    for (const TracedTensor& input : inputs) keys.push_back(input.key());
    const GlobalValKey first = GlobalValKey::result(op, std::move(keys), OpMode::primal());
    const Guards guards = merged_guards(inputs);
    std::vector<TracedTensor> outputs;
    for (std::size_t slot = 0; slot < op.n_outputs(); ++slot)
        outputs.emplace_back(first.sibling(slot), guards);
    return outputs;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(op.name());
}

}}  // namespace tenferro::TENFERRO_ABI
