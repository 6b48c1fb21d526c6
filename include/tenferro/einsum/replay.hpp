// Einsum on handles: the step list of a contraction, replayed as operations on anything that can apply them
// (ops/functions.hpp): a graph in the making, a traced tensor, an eager tensor. Derivatives are then those of
// the operations.
#pragma once

#include <algorithm>

#include <new>

#include "tenferro/einsum/path_search.hpp"
#include "tenferro/einsum/program.hpp"
#include "tenferro/einsum/rearrange.hpp"
#include "tenferro/ops/functions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace tensor_network {

/// A step list whose extents may be symbolic.
struct SymbolicProgram {
    Program program;
    std::vector<SymDim> extents;         ///< of every label
    std::vector<SymShape> input_shapes;  ///< of the operands without axes that only broadcast
};

/// The program of an einsum on operands of these shapes. Where an extent is unknown the path is searched as
/// if it were 32. Throws as `resolve` does.
[[nodiscard]] TENFERRO_API SymbolicProgram symbolic_program(const Subscripts& subscripts,
                                                            std::span<const SymShape> shapes,
                                                            const PathOptions& options = {});

namespace tfe_detail {

/// A handle with the axes of a Rearrange step, see rearrange.hpp.
template <TensorHandle H>
struct RearrangedHandle {
    H value;
    const std::vector<SymDim>& extents;

    void extract_diagonal(Index first, Index second) {
        value = tenferro::extract_diagonal(value, first, second);
    }
    void sum(const Dims& axes) { value = reduce_sum(value, axes); }
    void arrange(const LabelIds& labels, const Dims& target) {
        SymShape shape;
        for (const LabelId label : labels) shape.push_back(extents[static_cast<std::size_t>(label)]);
        if (labels.size() != target.size()) {
            value = broadcast_in_dim(value, std::move(shape), target);
            return;
        }
        value = transpose(value, inverse_permutation(target));
    }
    void embed_diagonal(Index first, Index second) { value = tenferro::embed_diagonal(value, first, second); }
};

template <TensorHandle H>
H replay_step(const Step& step, const std::vector<std::optional<H>>& slots,
              const std::vector<SymDim>& extents) {
    const H& lhs = *slots[static_cast<std::size_t>(step.lhs)];
    if (step.kind == StepKind::Rearrange) {
        RearrangedHandle<H> handle{lhs, extents};
        rearrange(handle, step.lhs_labels, step.out_labels);
        return handle.value;
    }
    const H& rhs = *slots[static_cast<std::size_t>(step.rhs)];
    if (step.kind == StepKind::Add) return lhs + rhs;
    return lhs.apply(tensor_ops::DotGeneral(step.config, step.result_axes), {lhs, rhs});
}

}  // namespace tfe_detail

/// The result of a program with one output.
template <TensorHandle H>
[[nodiscard]] H replay(const SymbolicProgram& planned, std::span<const H> operands) try {
    std::vector<std::optional<H>> slots(static_cast<std::size_t>(planned.program.slots));
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const SymShape& shape = planned.input_shapes[i];
        slots[i] = shape.size() == operands[i].rank() ? operands[i] : reshape(operands[i], shape);
    }
    for (const Step& step : planned.program.steps)
        slots[static_cast<std::size_t>(step.out)] = tfe_detail::replay_step(step, slots, planned.extents);
    return *slots[static_cast<std::size_t>(planned.program.outputs[0])];
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

/// Emits, in `builder`, an einsum of `operands` as core operations, primal ones.
[[nodiscard]] TENFERRO_API LocalValId build_einsum_fragment(FragmentBuilder& builder,
                                                            const Subscripts& subscripts,
                                                            std::span<const ValRef> operands,
                                                            const PathOptions& options = {});

}  // namespace tensor_network

/// The einsum of `operands`, all of one dtype, at least one, as contractions, sums, broadcasts and diagonals.
/// Throws as Engine::einsum does.
template <TensorHandle H>
[[nodiscard]] H einsum(std::string_view subscripts, std::span<const H> operands,
                       tensor_network::Dialect dialect = tensor_network::Dialect::Strict,
                       const tensor_network::PathOptions& options = {}) try {
    std::vector<SymShape> shapes;
    for (const H& operand : operands) shapes.push_back(shape_of(operand));
    using namespace tensor_network;
    return replay(symbolic_program(Subscripts::parse(subscripts, dialect), shapes, options), operands);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}
template <TensorHandle H>
[[nodiscard]] H einsum(std::string_view subscripts, std::initializer_list<H> operands) {
    return einsum(subscripts, std::span<const H>(operands.begin(), operands.size()));
}

template <TensorHandle H>
[[nodiscard]] H einsum(std::string_view subscripts, const std::vector<H>& operands,
                       tensor_network::Dialect dialect = tensor_network::Dialect::Strict,
                       const tensor_network::PathOptions& options = {}) {
    return einsum(subscripts, std::span<const H>(operands), dialect, options);
}

}}  // namespace tenferro::TENFERRO_ABI
