// The interpreter of step lists. What steps make lies in one workspace (memory_plan.cpp); outputs own their
// memory. Rearrangements that need no arithmetic stay views.
#include <algorithm>
#include <memory_resource>
#include <new>

#include "einsum/extents.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/einsum/program.hpp"
#include "tenferro/einsum/rearrange.hpp"
#include "tenferro/tensor/tensor_slot.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

PairwiseExecutor::~PairwiseExecutor() = default;

namespace {

using Slot = TensorSlot;

/// The memory of a run.
class Workspace {
public:
    Workspace(const Program& program, PairwiseExecutor& executor, DType dtype)
        : executor_(executor), dtype_(dtype) {
        if (program.workspace > 0) memory_ = executor.allocate(dtype, {&program.workspace, 1});
    }

    /// Fills an empty slot with a compact tensor of undefined elements at a place that memory_plan.cpp chose.
    TensorWrite make(Index place, const Dims& shape, Slot& slot) {
        if (place < 0 || memory_.size() == 0) return slot.own(executor_.allocate(dtype_, shape)).write();
        void* const data =
            static_cast<std::byte*>(memory_.write().data()) + place * static_cast<Index>(info(dtype_).bytes);
        TensorWrite made = TensorWrite::compact(dtype_, data, shape, memory_.placement());
        slot.see({}, made);
        return made;
    }
    [[nodiscard]] bool begins_with(const TensorRead& view) const noexcept {
        return view.data() == memory_.data();
    }
    /// Keeps the start of the memory only.
    Tensor into_result(Dims shape) && {
        const Buffer buffer = memory_.buffer();
        memory_ = Tensor();
        buffer.shrink(byte_count(shape, info(dtype_).bytes, "einsum"));
        return Tensor(buffer, dtype_, std::move(shape));
    }

private:
    PairwiseExecutor& executor_;
    DType dtype_;
    Tensor memory_;
};

/// One run of a program.
class Run {
public:
    Run(const Program& program, std::span<const TensorRead* const> inputs, PairwiseExecutor& executor,
        DType dtype)
        : program_(program),
          executor_(executor),
          workspace_(program, executor, dtype),
          slots_(index(program.slots), &arena_) {
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (inputs[i] != nullptr) slots_[i] = Slot::borrowing(*inputs[i]);
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    ~Run() = default;

    void step(const Step& step) {
        compute(step, slots_[index(step.out)]);
        for (const int slot : step.released) slots_[index(slot)].clear();
    }

    std::optional<Tensor> take(int output) {
        Slot& slot = slots_[index(output)];
        const TensorRead* const view = slot.view();
        if (view == nullptr) return std::nullopt;
        // A result that is a sum of which one part is absent is the other part, which lies elsewhere.
        if (program_.result_in_workspace && workspace_.begins_with(*view))
            return std::move(workspace_).into_result(view->shape());
        if (Tensor* const whole = slot.whole(); whole != nullptr && whole->is_compact())
            return std::move(*whole);
        Tensor copy = executor_.allocate(view->dtype(), view->shape());
        executor_.copy(*view, copy.write());
        return copy;
    }

private:
    /// A value on its way through a Rearrange step, see rearrange.hpp.
    struct Rearranged {
        Run& run;
        const Step& step;
        Slot value;
        std::size_t made = 0;

        void extract_diagonal(Index first, Index second) { see(value.view()->diagonal_view(first, second)); }
        void sum(const Dims& axes) {
            Dims shape;
            for (std::size_t axis = 0, next = 0; axis < value.view()->rank(); ++axis)
                if (next < axes.size() && axes[next] == static_cast<Index>(axis))  // they ascend
                    ++next;
                else
                    shape.push_back(value.view()->shape()[axis]);
            Slot out;
            run.executor_.sum(*value.view(), axes, run.workspace_.make(step.places[made++], shape, out));
            value = std::move(out);
        }
        void arrange(const LabelIds& labels, const Dims& target) {
            see(value.view()->broadcast_view(shape_of(labels, run.program_.extents), target));
        }
        void embed_diagonal(Index first, Index second) {
            Dims shape = value.view()->shape();
            shape.insert(static_cast<std::size_t>(second), shape[static_cast<std::size_t>(first)]);
            Slot out;
            run.executor_.embed_diagonal(*value.view(), first, second,
                                         run.workspace_.make(step.places[made++], shape, out));
            value = std::move(out);
        }

    private:
        void see(TensorRead view) { value = Slot::seeing(value, std::move(view)); }
    };

    /// Fills the slot of the step's result, which is empty; it stays so where the result is zero.
    void compute(const Step& step, Slot& out) {
        const Slot& source = slots_[index(step.lhs)];
        const TensorRead* const lhs = source.view();
        if (step.kind == StepKind::Rearrange) {
            if (lhs == nullptr) return;
            Rearranged rearranged{*this, step, Slot::seeing(source, *lhs)};
            rearrange(rearranged, step.lhs_labels, step.out_labels);
            out = std::move(rearranged.value);
            return;
        }
        const Slot& other = slots_[index(step.rhs)];
        const TensorRead* const rhs = other.view();
        if (lhs == nullptr || rhs == nullptr) {
            if (step.kind == StepKind::Contract) return;
            if (lhs != nullptr) out.see(source, *lhs);
            if (rhs != nullptr) out.see(other, *rhs);
            return;
        }
        const TensorWrite whole =
            workspace_.make(step.places[0], shape_of(step.out_labels, program_.extents), out);
        if (step.kind == StepKind::Add)
            executor_.add(*lhs, *rhs, whole);
        else if (step.result_axes.empty())
            executor_.contract(*lhs, *rhs, step.config, whole);
        else
            executor_.contract(*lhs, *rhs, step.config, whole.transpose_view(step.result_axes));
    }

    static std::size_t index(int slot) { return static_cast<std::size_t>(slot); }

    const Program& program_;
    PairwiseExecutor& executor_;
    Workspace workspace_;
    std::byte stack_[8 * sizeof(Slot)];
    std::pmr::monotonic_buffer_resource arena_{stack_, sizeof stack_};
    std::pmr::vector<Slot> slots_;
};

}  // namespace

void run(const Program& program, std::span<const TensorRead* const> inputs,
         std::span<std::optional<Tensor>> outputs, PairwiseExecutor& executor,
         const RunOptions& options) try {
    const auto given =
        std::find_if(inputs.begin(), inputs.end(), [](const TensorRead* input) { return input != nullptr; });
    if (given == inputs.end()) return;
    Run run(program, inputs, executor, (*given)->dtype());
    const CancellationScope* const watch = CancellationScope::current();
    std::size_t done = 0;
    if (options.progress != nullptr) (*options.progress)(done, program.steps.size());
    for (const Step& step : program.steps) {
        options.cancellation.check("einsum");
        if (watch != nullptr) watch->check();
        run.step(step);
        if (options.progress != nullptr) (*options.progress)(++done, program.steps.size());
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = run.take(program.outputs[i]);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
