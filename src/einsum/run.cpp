// The interpreter of step lists. A slot is a view and, when a step made it, the tensor that owns its memory; rearrangements
// that need no arithmetic stay views.
#include <algorithm>
#include <memory_resource>

#include "tenferro/einsum/program.hpp"
#include "tenferro/einsum/rearrange.hpp"
#include "tenferro/tensor/tensor_slot.hpp"

namespace tenferro::inline TENFERRO_ABI::einsum {

PairwiseExecutor::~PairwiseExecutor() = default;

namespace {

using Slot = TensorSlot;

/// A value on its way through a Rearrange step, see rearrange.hpp.
struct Rearranged {
    Slot value;
    const std::vector<Index>& extents;
    PairwiseExecutor& executor;

    void extract_diagonal(Index first, Index second) { see(value.view()->diagonal_view(first, second)); }
    void sum(const Dims& axes) { value = Slot::owning(executor.sum(*value.view(), axes)); }
    void arrange(const LabelIds& labels, const Dims& target) {
        Dims shape;
        for (const LabelId label : labels) shape.push_back(extents[label]);
        see(value.view()->broadcast_view(shape, target));
    }
    void embed_diagonal(Index first, Index second) {
        value = Slot::owning(executor.embed_diagonal(*value.view(), first, second));
    }

private:
    void see(TensorRead view) { value = Slot::seeing(value, std::move(view)); }
};

Slot rearranged(const Slot& source, const Step& step, const std::vector<Index>& extents, PairwiseExecutor& executor) {
    Rearranged made{Slot::seeing(source, *source.view()), extents, executor};
    rearrange(made, step.lhs_labels, step.out_labels);
    return std::move(made.value);
}

Slot run_step(const Step& step, std::span<const Slot> slots, const std::vector<Index>& extents, PairwiseExecutor& executor) {
    const Slot& source = slots[step.lhs];
    const TensorRead* const lhs = source.view();
    const TensorRead* const rhs = step.rhs < 0 ? nullptr : slots[step.rhs].view();
    switch (step.kind) {
        case StepKind::Rearrange: return lhs ? rearranged(source, step, extents, executor) : Slot{};
        case StepKind::Contract:
            return lhs && rhs ? Slot::owning(executor.contract(*lhs, *rhs, step.config, step.placement)) : Slot{};
        case StepKind::Add:
            if (lhs && rhs) return Slot::owning(executor.add(*lhs, *rhs));
            if (lhs) return Slot::seeing(source, *lhs);
            return rhs ? Slot::seeing(slots[step.rhs], *rhs) : Slot{};
    }
    __builtin_unreachable();
}

/// A program output must own compact memory of its own.
std::optional<Tensor> take_output(Slot& slot, PairwiseExecutor& executor) {
    const TensorRead* const view = slot.view();
    if (view == nullptr) return std::nullopt;
    if (Tensor* const whole = slot.whole(); whole != nullptr && whole->is_compact()) return std::move(*whole);
    return executor.copy(*view);
}

}  // namespace

void run(const Program& program, std::span<const TensorRead* const> inputs, std::span<std::optional<Tensor>> outputs,
         PairwiseExecutor& executor, const Progress* progress) {
    if (program.steps.size() == 1 && program.steps[0].kind == StepKind::Contract && progress == nullptr) {
        // One contraction needs no slots; small ones spend less in it than on them.
        const Step& step = program.steps[0];
        const TensorRead *const lhs = inputs[step.lhs], *const rhs = inputs[step.rhs];
        if (lhs != nullptr && rhs != nullptr) outputs[0].emplace(executor.contract(*lhs, *rhs, step.config, step.placement));
        return;
    }
    std::byte stack[8 * sizeof(Slot)];
    std::pmr::monotonic_buffer_resource arena(stack, sizeof stack);
    std::pmr::vector<Slot> slots(static_cast<std::size_t>(program.slots), &arena);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i] != nullptr) slots[i] = Slot::borrowing(*inputs[i]);
    std::size_t done = 0;
    for (const Step& step : program.steps) {
        slots[step.out] = run_step(step, slots, program.extents, executor);
        for (const int slot : step.released) slots[slot] = Slot{};
        if (progress != nullptr) (*progress)(++done, program.steps.size());
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = take_output(slots[program.outputs[i]], executor);
}

}  // namespace tenferro::inline TENFERRO_ABI::einsum
