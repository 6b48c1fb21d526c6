// Labels to axes.
#include "einsum/program_builder.hpp"

#include <algorithm>
#include <iterator>

#include "einsum/memory_plan.hpp"
#include "tenferro/einsum/label_positions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// Fills in config and result_axes of a Contract step from its labels.
void derive_axes(Step& step) {
    DotGeneralConfig& c = step.config;
    const LabelPositions in_rhs(step.rhs_labels), in_out(step.out_labels);
    for (Index axis = 0; axis < static_cast<Index>(step.lhs_labels.size()); ++axis) {
        const Index partner = in_rhs[step.lhs_labels[axis]];
        if (partner < 0) continue;
        const bool kept = in_out.contains(step.lhs_labels[axis]);
        (kept ? c.lhs_batch : c.lhs_contract).push_back(axis);
        (kept ? c.rhs_batch : c.rhs_contract).push_back(partner);
    }
    const auto place = [&](LabelId label) { step.result_axes.push_back(in_out[label]); };
    for (const Index axis : free_axes(step.lhs_labels.size(), c.lhs_contract, c.lhs_batch))
        place(step.lhs_labels[axis]);
    for (const Index axis : free_axes(step.rhs_labels.size(), c.rhs_contract, c.rhs_batch))
        place(step.rhs_labels[axis]);
    for (const Index axis : c.lhs_batch) place(step.lhs_labels[axis]);
    if (std::is_sorted(step.result_axes.begin(), step.result_axes.end())) step.result_axes.clear();
}

}  // namespace

ProgramBuilder::ProgramBuilder(int inputs, std::vector<Index> extents) {
    program_.inputs = program_.slots = inputs;
    program_.extents = std::move(extents);
}

LabelledSlot ProgramBuilder::rearrange(const LabelledSlot& in, const LabelIds& out_labels) {
    Step step{StepKind::Rearrange, in.slot, -1, program_.slots++, in.labels, {}, out_labels, {}, {}, {}, {}};
    program_.steps.push_back(std::move(step));
    return {program_.steps.back().out, out_labels};
}

LabelledSlot ProgramBuilder::contract(const LabelledSlot& lhs, const LabelledSlot& rhs,
                                      const LabelIds& out_labels) {
    Step step{StepKind::Contract,
              lhs.slot,
              rhs.slot,
              program_.slots++,
              lhs.labels,
              rhs.labels,
              out_labels,
              {},
              {},
              {},
              {}};
    derive_axes(step);
    program_.steps.push_back(std::move(step));
    return {program_.steps.back().out, out_labels};
}

LabelledSlot ProgramBuilder::add(const LabelledSlot& lhs, const LabelledSlot& rhs) {
    program_.steps.push_back(Step{StepKind::Add,
                                  lhs.slot,
                                  rhs.slot,
                                  program_.slots++,
                                  lhs.labels,
                                  rhs.labels,
                                  lhs.labels,
                                  {},
                                  {},
                                  {},
                                  {}});
    return {program_.steps.back().out, lhs.labels};
}

void ProgramBuilder::replay(const Step& step) {
    program_.steps.push_back(step);
    program_.steps.back().released.clear();
    program_.slots = std::max(program_.slots, step.out + 1);
}

Program ProgramBuilder::finish(const std::vector<LabelledSlot>& outputs) && {
    std::vector<bool> needed(static_cast<std::size_t>(program_.slots), false);
    for (const LabelledSlot& output : outputs) {
        program_.outputs.push_back(output.slot);
        needed[output.slot] = true;
    }
    std::vector<Step> kept;
    kept.reserve(program_.steps.size());
    for (auto step = program_.steps.rbegin(); step != program_.steps.rend(); ++step) {
        if (!needed[step->out]) continue;  // a derivative may not need the value of what it differentiates
        for (const int slot : {step->lhs, step->rhs})
            if (slot >= 0 && !needed[slot]) {
                needed[slot] = true;
                step->released.push_back(slot);
            }
        kept.push_back(std::move(*step));
    }
    program_.steps.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
    plan_memory(program_);
    return std::move(program_);
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
