// Lowering and the passes on contractions and dead code.
#include "runtime/passes.hpp"

#include <algorithm>
#include <numeric>

#include "tenferro/ops/operations.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace runtime {

namespace {

using ops::DotGeneral;
using ops::Transpose;

/// The number of instructions that read each value, outputs counted too.
std::vector<std::uint32_t> uses_of(const Draft& draft) {
    std::vector<std::uint32_t> uses(draft.values, 0);
    for (const ExecInstruction& instruction : draft.instructions)
        for (const std::uint32_t value : instruction.inputs) ++uses[value];
    for (const std::uint32_t value : draft.outputs) ++uses[value];
    return uses;
}

/// Orders pairs (by[i], with[i]) so that `by` ascends.
void sort_pairs(Dims& by, Dims& with) {
    std::vector<std::size_t> order(by.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return by[a] < by[b]; });
    const Dims old_by = by, old_with = with;
    for (std::size_t i = 0; i < order.size(); ++i) {
        by[i] = old_by[order[i]];
        with[i] = old_with[order[i]];
    }
}

bool in_sequence(Dims axes) {
    std::sort(axes.begin(), axes.end());
    for (std::size_t i = 1; i < axes.size(); ++i)
        if (axes[i] != axes[i - 1] + 1) return false;
    return true;
}

Dims through(const Dims& axes, const Dims& perm) {
    Dims mapped;
    for (const Index axis : axes) mapped.push_back(perm[static_cast<std::size_t>(axis)]);
    return mapped;
}

/// Where the result axes of a contraction go when its operand is read before a transpose by `perm`: the axes
/// of the standard result in their new order, as numbers of the old.
Dims reordered_free(const Dims& old_free, const Dims& new_free, const Dims& perm) {
    Dims from;
    for (const Index axis : new_free)
        for (std::size_t i = 0; i < old_free.size(); ++i)
            if (perm[static_cast<std::size_t>(old_free[i])] == axis) from.push_back(static_cast<Index>(i));
    return from;
}

/// `dot` with operand `side` taken before its transpose by `perm`.
DotGeneral before_transpose(const DotGeneral& dot, std::size_t side, const Dims& perm, std::size_t lhs_rank,
                            std::size_t rhs_rank) {
    const auto free = [&](const DotGeneralConfig& c) {
        return std::pair(free_axes(lhs_rank, c.lhs_contract, c.lhs_batch),
                         free_axes(rhs_rank, c.rhs_contract, c.rhs_batch));
    };
    DotGeneralConfig config = dot.config;
    (side == 0 ? config.lhs_contract : config.rhs_contract) =
        through(side == 0 ? config.lhs_contract : config.rhs_contract, perm);
    (side == 0 ? config.lhs_batch : config.rhs_batch) =
        through(side == 0 ? config.lhs_batch : config.rhs_batch, perm);
    const auto [old_lhs, old_rhs] = free(dot.config);
    const auto [new_lhs, new_rhs] = free(config);
    const std::size_t rank = old_lhs.size() + old_rhs.size() + config.lhs_batch.size();
    Dims from(rank);  // axis i of the new standard result is axis from[i] of the old
    std::iota(from.begin(), from.end(), Index{0});
    const Dims moved =
        side == 0 ? reordered_free(old_lhs, new_lhs, perm) : reordered_free(old_rhs, new_rhs, perm);
    const std::size_t first = side == 0 ? 0 : old_lhs.size();
    for (std::size_t i = 0; i < moved.size(); ++i) from[first + i] = static_cast<Index>(first) + moved[i];
    return DotGeneral(std::move(config), dot.placement.empty() ? from : through(from, dot.placement));
}

}  // namespace

void Draft::index_metas() {
    metas.assign(values, nullptr);
    for (std::size_t i = 0; i < inputs.size(); ++i) metas[i] = &inputs[i];
    for (const ExecInstruction& instruction : instructions)
        for (std::size_t k = 0; k < instruction.outputs.size(); ++k)
            metas[instruction.first_output + k] = &instruction.outputs[k];
}

Draft lower(FlatGraph graph) {
    Draft draft;
    draft.inputs = std::move(graph.inputs);
    draft.outputs = std::move(graph.outputs);
    draft.values = static_cast<std::uint32_t>(draft.inputs.size());
    std::vector<TensorMeta> metas = draft.inputs;
    for (graph::FlatNode<StdTensorOp>& node : graph.nodes) {
        std::vector<TensorMeta> in;
        for (const std::uint32_t value : node.inputs) in.push_back(metas[value]);
        std::vector<TensorMeta> out = node.op.infer(in);
        metas.insert(metas.end(), out.begin(), out.end());
        draft.values += static_cast<std::uint32_t>(out.size());
        draft.instructions.push_back(
            {std::move(node.op), std::move(node.inputs), {}, node.first_output, std::move(out)});
    }
    draft.index_metas();
    return draft;
}

void sort_contracted_axes(Draft& draft) {
    for (ExecInstruction& instruction : draft.instructions) {
        const DotGeneral* dot = instruction.op.as<DotGeneral>();
        if (dot == nullptr || dot->config.lhs_contract.size() < 2) continue;
        DotGeneralConfig config = dot->config;
        if (in_sequence(config.rhs_contract) && !in_sequence(config.lhs_contract))
            sort_pairs(config.rhs_contract, config.lhs_contract);
        else
            sort_pairs(config.lhs_contract, config.rhs_contract);
        instruction.op = DotGeneral(std::move(config), dot->placement);
    }
}

void fold_transposes(Draft& draft) {
    std::vector<ExecInstruction*> maker(draft.values, nullptr);
    for (ExecInstruction& instruction : draft.instructions) maker[instruction.first_output] = &instruction;
    for (ExecInstruction& instruction : draft.instructions) {
        for (std::size_t side = 0; side < 2 && instruction.op.as<DotGeneral>() != nullptr;) {
            const ExecInstruction* made_by = maker[instruction.inputs[side]];
            const Transpose* folded = made_by == nullptr ? nullptr : made_by->op.as<Transpose>();
            if (folded == nullptr) {
                ++side;
                continue;
            }
            instruction.op = before_transpose(*instruction.op.as<DotGeneral>(), side, folded->perm,
                                              draft.meta(instruction.inputs[0]).rank(),
                                              draft.meta(instruction.inputs[1]).rank());
            instruction.inputs[side] = made_by->inputs[0];
        }
    }
    const std::vector<std::uint32_t> uses = uses_of(draft);
    for (ExecInstruction& instruction : draft.instructions) {
        const Transpose* transpose = instruction.op.as<Transpose>();
        ExecInstruction* source = transpose == nullptr ? nullptr : maker[instruction.inputs[0]];
        const DotGeneral* dot = source == nullptr ? nullptr : source->op.as<DotGeneral>();
        if (dot == nullptr || uses[source->first_output] != 1) continue;
        Dims inverse(transpose->perm.size());  // axis a of the contraction's result goes to axis inverse[a]
        for (std::size_t i = 0; i < inverse.size(); ++i)
            inverse[static_cast<std::size_t>(transpose->perm[i])] = static_cast<Index>(i);
        const Dims placement = dot->placement.empty() ? inverse : through(dot->placement, inverse);
        StdTensorOp folded = DotGeneral(dot->config, placement);
        instruction.inputs = source->inputs;
        instruction.op = std::move(folded);
    }
}

void remove_dead_code(Draft& draft) {
    std::vector<bool> needed(draft.values, false);
    for (const std::uint32_t value : draft.outputs) needed[value] = true;
    std::vector<ExecInstruction> kept;
    for (auto instruction = draft.instructions.rbegin(); instruction != draft.instructions.rend();
         ++instruction) {
        const auto begin = needed.begin() + instruction->first_output;
        if (std::none_of(begin, begin + static_cast<std::ptrdiff_t>(instruction->outputs.size()),
                         [](bool b) { return b; }))
            continue;
        for (const std::uint32_t value : instruction->inputs) needed[value] = true;
        kept.push_back(std::move(*instruction));
    }
    std::reverse(kept.begin(), kept.end());
    draft.instructions = std::move(kept);
    draft.index_metas();
}

}}}  // namespace tenferro::TENFERRO_ABI::runtime
