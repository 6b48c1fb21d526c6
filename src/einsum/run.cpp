// The interpreter of step lists. A slot is a view and, when a step made it, the tensor that owns its memory; rearrangements
// that need no arithmetic stay views.
#include <algorithm>
#include <memory_resource>

#include "tenferro/einsum/program.hpp"

namespace tenferro::inline TENFERRO_ABI::einsum {

PairwiseExecutor::~PairwiseExecutor() = default;

namespace {

struct Slot {
    std::optional<Tensor> owner;     // of the memory, when a step made it
    std::optional<TensorRead> seen;  // how that memory, or an input's, is seen, where not as a whole
    const TensorRead* input = nullptr;

    /// Null: the value is zero.
    [[nodiscard]] const TensorRead* view() const noexcept { return seen ? &*seen : owner ? &owner->read() : input; }
    static Slot owning(Tensor&& tensor) {
        Slot slot;
        slot.owner.emplace(std::move(tensor));
        return slot;
    }
    /// A view into the memory of `source`, which stays alive as long as this slot.
    static Slot seeing(const Slot& source, TensorRead view) {
        Slot slot;
        if (source.owner) slot.owner.emplace(source.owner->share());
        slot.seen.emplace(std::move(view));
        return slot;
    }
};

/// A value on its way through a Rearrange step.
class Rearrangement {
public:
    Rearrangement(const Slot& in, LabelIds labels, const std::vector<Index>& extents, PairwiseExecutor& executor)
        : value_(Slot::seeing(in, *in.view())), labels_(std::move(labels)), extents_(extents), executor_(executor) {}

    Slot finish(const LabelIds& wanted) && {
        LabelIds distinct;
        for (const LabelId label : wanted)
            if (std::find(distinct.begin(), distinct.end(), label) == distinct.end()) distinct.push_back(label);
        read_diagonals();
        sum_unwanted(distinct);
        arrange(distinct);
        embed_diagonals(distinct, wanted);
        return std::move(value_);
    }

private:
    void read_diagonals() {
        for (std::size_t axis = 1; axis < labels_.size();) {
            const auto first = std::find(labels_.begin(), labels_.begin() + static_cast<Index>(axis), labels_[axis]);
            if (first == labels_.begin() + static_cast<Index>(axis)) {
                ++axis;
                continue;
            }
            see(value_.view()->diagonal_view(first - labels_.begin(), static_cast<Index>(axis)));
            labels_.erase(labels_.begin() + static_cast<Index>(axis));
        }
    }

    void sum_unwanted(const LabelIds& wanted) {
        Dims axes;
        LabelIds kept;
        for (std::size_t axis = 0; axis < labels_.size(); ++axis)
            if (std::find(wanted.begin(), wanted.end(), labels_[axis]) == wanted.end())
                axes.push_back(static_cast<Index>(axis));
            else
                kept.push_back(labels_[axis]);
        if (axes.empty()) return;
        value_ = Slot::owning(executor_.sum(*value_.view(), axes));
        labels_ = std::move(kept);
    }

    /// Permutes to `wanted` and broadcasts the labels that are missing.
    void arrange(const LabelIds& wanted) {
        if (labels_ == wanted) return;
        Dims shape, target;
        for (const LabelId label : wanted) shape.push_back(extents_[label]);
        for (const LabelId label : labels_) target.push_back(std::find(wanted.begin(), wanted.end(), label) - wanted.begin());
        see(value_.view()->broadcast_view(shape, target));
    }

    void embed_diagonals(const LabelIds& distinct, const LabelIds& wanted) {
        for (std::size_t axis = 0, seen = 0; axis < wanted.size(); ++axis) {
            if (seen < distinct.size() && wanted[axis] == distinct[seen]) {
                ++seen;
                continue;
            }
            const Index first = std::find(wanted.begin(), wanted.end(), wanted[axis]) - wanted.begin();
            value_ = Slot::owning(executor_.embed_diagonal(*value_.view(), first, static_cast<Index>(axis)));
        }
    }

    void see(TensorRead view) { value_ = Slot::seeing(value_, std::move(view)); }

    Slot value_;
    LabelIds labels_;
    const std::vector<Index>& extents_;
    PairwiseExecutor& executor_;
};

Slot run_step(const Step& step, std::span<const Slot> slots, const std::vector<Index>& extents, PairwiseExecutor& executor) {
    const Slot& source = slots[step.lhs];
    const TensorRead* const lhs = source.view();
    const TensorRead* const rhs = step.rhs < 0 ? nullptr : slots[step.rhs].view();
    switch (step.kind) {
        case StepKind::Rearrange:
            return lhs ? Rearrangement(source, step.lhs_labels, extents, executor).finish(step.out_labels) : Slot{};
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
    const bool whole = slot.owner && (!slot.seen || (slot.owner->data() == view->data() && slot.owner->shape() == view->shape() &&
                                                     slot.owner->strides() == view->strides()));
    if (whole && slot.owner->is_compact()) return std::move(slot.owner);
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
    for (std::size_t i = 0; i < inputs.size(); ++i) slots[i].input = inputs[i];
    std::size_t done = 0;
    for (const Step& step : program.steps) {
        slots[step.out] = run_step(step, slots, program.extents, executor);
        for (const int slot : step.released) slots[slot] = Slot{};
        if (progress != nullptr) (*progress)(++done, program.steps.size());
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = take_output(slots[program.outputs[i]], executor);
}

}  // namespace tenferro::inline TENFERRO_ABI::einsum
