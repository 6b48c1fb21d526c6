// Whether results have a part that is free of the inputs in which they should be linear.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "replay.hpp"
#include "tenferro/ops/operations.hpp"

namespace tenferro::python {

/// Whether `a` has elements and all are 0.
[[nodiscard]] inline bool is_zero(const TensorRead& a) {
    const Tensor copy = Tensor::copy_of(a);
    return visit_dtype(copy.dtype(), [&]<class T>() {
        const T* values = copy.data_as<T>();
        return std::all_of(values, values + copy.size(), [](const T& value) { return value == T{}; });
    });
}

/// What is known of a value: it is 0, free of the inputs, or made of them.
enum class Part : std::uint8_t { Zero, Free, Moving };

/// Of an operation's outputs, by those of its operands. `is_sum` where a free part stands beside moving ones.
[[nodiscard]] inline Part part_of(const StdTensorOp& op, const std::vector<Part>& operands, bool& is_sum) {
    using namespace tensor_ops;
    const auto* elementwise = op.as<Elementwise>();
    const OpId id = elementwise != nullptr ? elementwise->op : OpId::Abs;
    std::vector<Part> added = operands;
    if (id == OpId::Select) added.erase(added.begin());
    const auto count = [](const std::vector<Part>& parts, Part part) {
        return static_cast<std::size_t>(std::count(parts.begin(), parts.end(), part));
    };
    const bool adds =
        id == OpId::Add || id == OpId::Sub || id == OpId::Select || op.as<Concatenate>() != nullptr;
    if (count(operands, Part::Moving) != 0) {
        is_sum = is_sum || (adds && count(added, Part::Moving) != 0 && count(added, Part::Free) != 0);
        return Part::Moving;
    }
    if (const std::optional<TensorRead> value = op.operation().value())
        return is_zero(*value) ? Part::Zero : Part::Free;
    const bool multiplies = id == OpId::Mul || op.as<DotGeneral>() != nullptr;
    const bool keeps = adds || id == OpId::Neg || op.as<Conversion>() != nullptr ||
                       op.as<Transpose>() != nullptr || op.as<Reshape>() != nullptr ||
                       op.as<BroadcastInDim>() != nullptr || op.as<Slice>() != nullptr;
    const std::size_t zeros = count(added, Part::Zero);
    return (multiplies && zeros != 0) || (keeps && zeros == added.size()) ? Part::Zero : Part::Free;
}

/// Whether one of `outputs` is not 0, or certainly not all of it, where all of `inputs` are.
[[nodiscard]] inline bool has_free_part(const std::vector<TracedTensor>& outputs,
                                        const std::vector<TracedTensor>& inputs) {
    std::vector<GlobalValKey> wanted, given;
    for (const TracedTensor& output : outputs) wanted.push_back(output.key());
    for (const TracedTensor& input : inputs) given.push_back(input.key());
    std::vector<Part> parts(inputs.size(), Part::Moving);
    for (const GlobalValKey& key : free_inputs(outputs, inputs)) {
        given.push_back(key);
        const EagerTensor* value = Capture::value_of(key);
        parts.push_back(value != nullptr && is_zero(value->value().read()) ? Part::Zero : Part::Free);
    }
    const auto flat = op_graph::materialise<StdTensorOp>(wanted, given).graph;
    bool is_sum = false;
    for (const auto& node : flat.nodes) {
        std::vector<Part> operands;
        for (const std::uint32_t input : node.inputs) operands.push_back(parts[input]);
        parts.insert(parts.end(), node.op.n_outputs(), part_of(node.op, operands, is_sum));
    }
    return is_sum || std::any_of(flat.outputs.begin(), flat.outputs.end(),
                                 [&](std::uint32_t output) { return parts[output] == Part::Free; });
}

}  // namespace tenferro::python
