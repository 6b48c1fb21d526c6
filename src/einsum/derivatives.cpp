// Derivatives as program transformations: a contraction is linear in each operand, so both modes only need
// contractions of the same labels with one list exchanged, and reverse mode transposes the linear flow.
#include "einsum/program_builder.hpp"
#include "tenferro/base/error.hpp"

#include <new>

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// Labels of every slot of a program, read off the steps that use or make it.
std::vector<LabelIds> slot_labels(const Program& program) {
    std::vector<LabelIds> labels(static_cast<std::size_t>(program.slots));
    for (const Step& step : program.steps) {
        labels[step.lhs] = step.lhs_labels;
        if (step.rhs >= 0) labels[step.rhs] = step.rhs_labels;
        labels[step.out] = step.out_labels;
    }
    return labels;
}

}  // namespace

Program vjp_program(const Program& forward) try {
    const int cotangent = forward.inputs;
    // Slots of `forward` after its inputs move up by one to make room for the cotangent.
    const auto moved = [&](int slot) { return slot < forward.inputs ? slot : slot + 1; };
    ProgramBuilder builder(forward.inputs + 1, forward.extents);
    for (Step step : forward.steps) {
        step.lhs = moved(step.lhs);
        step.rhs = moved(step.rhs);
        step.out = moved(step.out);
        builder.replay(step);
    }
    std::vector<LabelledSlot> cotangents(static_cast<std::size_t>(forward.slots));
    const std::vector<LabelIds> labels = slot_labels(forward);
    cotangents[forward.outputs[0]] = {cotangent, labels[forward.outputs[0]]};
    for (auto step = forward.steps.rbegin(); step != forward.steps.rend(); ++step) {
        const LabelledSlot incoming = cotangents[step->out];
        if (step->kind == StepKind::Rearrange) {
            cotangents[step->lhs] = builder.rearrange(incoming, step->lhs_labels);
            continue;
        }
        cotangents[step->lhs] =
            builder.contract(incoming, {moved(step->rhs), step->rhs_labels}, step->lhs_labels);
        cotangents[step->rhs] =
            builder.contract(incoming, {moved(step->lhs), step->lhs_labels}, step->rhs_labels);
    }
    cotangents.resize(static_cast<std::size_t>(forward.inputs));
    return std::move(builder).finish(cotangents);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum_vjp");
}

Program jvp_program(const Program& forward) try {
    // Slots of `forward` after its inputs move up by the number of tangents.
    const auto moved = [&](int slot) { return slot < forward.inputs ? slot : slot + forward.inputs; };
    ProgramBuilder builder(2 * forward.inputs, forward.extents);
    for (Step step : forward.steps) {
        step.lhs = moved(step.lhs);
        step.rhs = step.rhs < 0 ? -1 : moved(step.rhs);
        step.out = moved(step.out);
        builder.replay(step);
    }
    const std::vector<LabelIds> labels = slot_labels(forward);
    std::vector<LabelledSlot> tangents(static_cast<std::size_t>(forward.slots));
    for (int i = 0; i < forward.inputs; ++i) tangents[i] = {forward.inputs + i, labels[i]};
    for (const Step& step : forward.steps) {
        if (step.kind == StepKind::Rearrange) {
            tangents[step.out] = builder.rearrange(tangents[step.lhs], step.out_labels);
            continue;
        }
        const LabelledSlot from_lhs =
            builder.contract(tangents[step.lhs], {moved(step.rhs), step.rhs_labels}, step.out_labels);
        const LabelledSlot from_rhs =
            builder.contract({moved(step.lhs), step.lhs_labels}, tangents[step.rhs], step.out_labels);
        tangents[step.out] = builder.add(from_lhs, from_rhs);
    }
    return std::move(builder).finish({tangents[forward.outputs[0]]});
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum_jvp");
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
