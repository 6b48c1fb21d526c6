// Lowering and the passes on single operations and dead code. What an operation can become it says itself.
#include "runtime/passes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

namespace {

/// The number of instructions that read each value, outputs counted too.
std::vector<std::uint32_t> uses_of(const Draft& draft) {
    std::vector<std::uint32_t> uses(draft.values, 0);
    for (const ExecInstruction& instruction : draft.instructions)
        for (const std::uint32_t value : instruction.inputs) ++uses[value];
    for (const std::uint32_t value : draft.outputs) ++uses[value];
    return uses;
}

std::vector<TensorMeta> metas_of(const Draft& draft, const ExecInstruction& instruction) {
    std::vector<TensorMeta> metas;
    for (const std::uint32_t value : instruction.inputs) metas.push_back(draft.meta(value));
    return metas;
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
    for (op_graph::FlatNode<StdTensorOp>& node : graph.nodes) {
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

void normalize(Draft& draft) {
    for (ExecInstruction& instruction : draft.instructions)
        if (auto better = instruction.op.operation().normalized())
            instruction.op = StdTensorOp(std::move(better));
}

void fold_transposes(Draft& draft) {
    std::vector<ExecInstruction*> maker(draft.values, nullptr);
    for (ExecInstruction& instruction : draft.instructions) maker[instruction.first_output] = &instruction;
    for (ExecInstruction& instruction : draft.instructions)
        for (std::size_t i = 0; i < instruction.inputs.size();) {
            const ExecInstruction* made_by = maker[instruction.inputs[i]];
            const Dims* perm = made_by == nullptr ? nullptr : made_by->op.operation().permutation();
            auto folded = perm == nullptr ? nullptr
                                          : instruction.op.operation().before_transpose(
                                                i, *perm, metas_of(draft, instruction));
            if (!folded) {
                ++i;
                continue;
            }
            instruction.op = StdTensorOp(std::move(folded));
            instruction.inputs[i] = made_by->inputs[0];
        }
    const std::vector<std::uint32_t> uses = uses_of(draft);
    for (ExecInstruction& instruction : draft.instructions) {
        const Dims* perm = instruction.op.operation().permutation();
        const ExecInstruction* source = perm == nullptr ? nullptr : maker[instruction.inputs[0]];
        if (source == nullptr || source->outputs.size() != 1 || uses[source->first_output] != 1) continue;
        auto folded = source->op.operation().with_transpose(*perm);
        if (!folded) continue;
        instruction.inputs = source->inputs;
        instruction.op = StdTensorOp(std::move(folded));
    }
}

void drop_units(Draft& draft) {
    std::vector<const tensor_ops::Constant*> number(draft.values, nullptr);  // that a value is filled with
    std::vector<std::uint32_t> renamed(draft.values);
    std::iota(renamed.begin(), renamed.end(), 0u);
    SmallVector<const tensor_ops::Constant*, 4> known;
    for (ExecInstruction& instruction : draft.instructions) {
        known.clear();
        for (std::uint32_t& value : instruction.inputs) {
            value = renamed[value];
            known.push_back(number[value]);
        }
        const Operation& op = instruction.op.operation();
        const std::uint32_t output = instruction.first_output;
        number[output] = op.filled_with(known);
        const auto same = op.same_as(known);
        if (same && draft.meta(instruction.inputs[*same]) == instruction.outputs[0])
            renamed[output] = instruction.inputs[*same];
    }
    for (std::uint32_t& value : draft.outputs) value = renamed[value];
}

void share_mirrored(Draft& draft) {
    std::map<std::tuple<OpId, std::uint32_t, std::uint32_t>, std::uint32_t> results;
    std::vector<std::uint32_t> renamed(draft.values);
    std::iota(renamed.begin(), renamed.end(), 0u);
    for (ExecInstruction& instruction : draft.instructions) {
        for (std::uint32_t& value : instruction.inputs) value = renamed[value];
        if (instruction.inputs.size() != 2) continue;
        const std::uint32_t x = instruction.inputs[0], y = instruction.inputs[1];
        const DType dtypes[] = {draft.meta(x).dtype, draft.meta(y).dtype};
        const std::optional<OpId> op = instruction.op.operation().fusion_step(dtypes);
        if (op != OpId::Add && op != OpId::Mul) continue;
        const std::uint32_t result = instruction.first_output;
        renamed[result] = results.try_emplace({*op, std::min(x, y), std::max(x, y)}, result).first->second;
    }
    for (std::uint32_t& value : draft.outputs) value = renamed[value];
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

void prune_outputs(Draft& draft) {
    const std::vector<std::uint32_t> uses = uses_of(draft);
    std::vector<std::uint32_t> renamed(draft.values);
    std::iota(renamed.begin(), renamed.end(), 0u);
    for (ExecInstruction& instruction : draft.instructions) {
        const std::size_t count = instruction.outputs.size();
        const auto used = std::make_unique<bool[]>(count);
        for (std::size_t k = 0; k < count; ++k) used[k] = uses[instruction.first_output + k] != 0;
        if (std::all_of(used.get(), used.get() + count, [](bool b) { return b; })) continue;
        auto cheaper = instruction.op.operation().with_outputs({used.get(), count});
        if (!cheaper) continue;
        std::vector<TensorMeta> wanted;
        std::uint32_t next = instruction.first_output;
        for (std::size_t k = 0; k < count; ++k) {
            if (!used[k]) continue;
            wanted.push_back(std::move(instruction.outputs[k]));
            renamed[instruction.first_output + k] = next++;
        }
        StdTensorOp op(std::move(cheaper));
        if (op.infer(metas_of(draft, instruction)) != wanted)
            throw Error(
                ErrorKind::InvalidConfig, instruction.op.name(),
                text(instruction.op.text(), " with some outputs is ", op.text(), ", which has others"));
        instruction.op = std::move(op);
        instruction.outputs = std::move(wanted);
    }
    for (ExecInstruction& instruction : draft.instructions)
        for (std::uint32_t& value : instruction.inputs) value = renamed[value];
    for (std::uint32_t& value : draft.outputs) value = renamed[value];
    draft.index_metas();
}

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
