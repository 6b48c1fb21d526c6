// Building graphs by tracing.
#include "tenferro/runtime/traced_tensor.hpp"

#include <algorithm>

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

TracedTensor TracedTensor::input(DType dtype, std::span<const Index> shape) {
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
}

TracedTensor TracedTensor::input(DType dtype, SymShape shape) {
    return TracedTensor(GlobalValKey::input(op_graph::new_input_id(), {dtype, std::move(shape)}));
}

TracedTensor TracedTensor::constant(DType dtype, const Number& value) {
    return apply_all(tensor_ops::constant(dtype, value), {}).front();
}

TracedTensor TracedTensor::constant(const TensorRead& array) {
    return apply_all(tensor_ops::ArrayConstant(tensor_ops::ConstantArray(array)), {}).front();
}

std::vector<TracedTensor> TracedTensor::apply_all(const StdTensorOp& op,
                                                  std::span<const TracedTensor> inputs) {
    std::vector<GlobalValKey> keys;
    for (const TracedTensor& input : inputs) keys.push_back(input.key());
    const GlobalValKey first = GlobalValKey::result(op, std::move(keys), OpMode::primal());
    const Guards guards = merged_guards(inputs);
    std::vector<TracedTensor> outputs;
    for (std::size_t slot = 0; slot < op.n_outputs(); ++slot)
        outputs.emplace_back(first.sibling(slot), guards);
    return outputs;
}

}}  // namespace tenferro::TENFERRO_ABI
