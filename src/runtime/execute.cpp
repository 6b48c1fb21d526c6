// Running a program: segment by segment in one session, with views for what only rearranges, results in the
// memory of operands that are not needed any more, and every value dropped after its last use.
#include <algorithm>
#include <memory_resource>
#include <new>

#include "runtime/matrix_runs.hpp"
#include "runtime/program_state.hpp"
#include "tenferro/base/cancellation.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/tensor/tensor_slot.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

namespace {

/// One run. Its bookkeeping is on the stack unless the program is large.
class Run {
public:
    Run(const ExecProgram& program, const ShapeBinding& binding, BackendSession& session,
        std::span<const TensorRead> inputs, std::uint32_t values)
        : program_(program), binding_(binding), session_(session), slots_(values, &arena_) {
        for (std::size_t i = 0; i < inputs.size(); ++i) slots_[i] = TensorSlot::borrowing(inputs[i]);
    }

    void execute(const ExecSegment& segment) {
        if (!segment.plan || !fused(segment))
            for (const std::uint32_t i : segment.instructions) execute(i);
        release(segment);
    }
    /// Segment `first` and, where they are a run on small matrices, those behind it; returns how many.
    std::size_t execute_from(std::size_t first) {
        const std::span segments(program_.segments());
        const MatrixRun* const run = binding_.runs[first].get();
        if (run == nullptr || !executed(*run)) {
            execute(segments[first]);
            return 1;
        }
        for (const ExecSegment& segment : segments.subspan(first, run->segments)) release(segment);
        return run->segments;
    }

    void execute(std::uint32_t number) {
        const ExecInstruction& instruction = program_.instructions()[number];
        const Operation& op = binding_.ops[number].operation();
        if (instruction.inputs.empty() && session_.backend_info().placement == kMainMemory)
            if (std::optional<TensorRead> value = op.value()) {
                slots_[instruction.first_output].see({}, std::move(*value));
                return;
            }
        if (instruction.inputs.size() == 1) {
            const TensorSlot& source = slots_[instruction.inputs[0]];
            if (std::optional<TensorRead> view = op.view(*source.view())) {
                slots_[instruction.first_output].see(source, std::move(*view));
                return;
            }
        }
        std::pmr::vector<TensorRead> in(&arena_);
        in.reserve(instruction.inputs.size());
        for (const std::uint32_t value : instruction.inputs) in.push_back(*slots_[value].view());
        if (instruction.outputs.size() == 1) {
            execute(op, instruction, in, {&slots_[instruction.first_output].own_result(), 1});
            return;
        }
        std::vector<Tensor> out(instruction.outputs.size());
        execute(op, instruction, in, out);
        for (std::size_t k = 0; k < out.size(); ++k)
            slots_[instruction.first_output + k].own(std::move(out[k]));
    }

    /// The value as a compact tensor of the caller; `last` says that nobody asks for it again.
    Tensor take(std::uint32_t value, bool last) {
        Tensor* whole = slots_[value].whole();
        if (whole != nullptr && last && whole->is_compact()) return std::move(*whole);
        return session_.to_contiguous_read(*slots_[value].view());
    }

private:
    void execute(const Operation& op, const ExecInstruction& instruction, std::span<const TensorRead> in,
                 std::span<Tensor> out) {
        if (op.can_consume())
            op.execute_consuming(session_, in, dying(instruction), out);
        else
            op.execute(session_, in, out);
    }

    /// The operands that nothing else needs and that own all of their memory; null for the others.
    SmallVector<Tensor*, 4> dying(const ExecInstruction& instruction) {
        SmallVector<Tensor*, 4> tensors;
        for (std::size_t i = 0; i < instruction.inputs.size(); ++i)
            tensors.push_back(instruction.last_use[i] ? slots_[instruction.inputs[i]].whole() : nullptr);
        return tensors;
    }

    /// A dying input of the segment that a result of `dtype` may overwrite, or null.
    Tensor* reusable(const ExecSegment& segment, DType dtype) {
        for (const std::uint32_t value : segment.dying)
            if (Tensor* const whole = slots_[value].whole();
                whole != nullptr && whole->reusable() && whole->dtype() == dtype)
                return whole;
        return nullptr;
    }

    void release(const ExecSegment& segment) {
        for (const std::uint32_t value : segment.released) slots_[value].clear();
    }

    bool executed(const MatrixRun& run) {
        std::pmr::vector<TensorRead> in(&arena_);
        in.reserve(run.inputs.size());
        for (const std::uint32_t value : run.inputs) in.push_back(*slots_[value].view());
        std::pmr::vector<TensorWrite> out(&arena_);
        out.reserve(run.outputs.size());
        for (std::size_t k = 0; k < run.outputs.size(); ++k) {
            Tensor& made = slots_[run.outputs[k]].own_result();
            made = session_.empty(run.plan.dtype(), run.plan.shape(run.plan.outputs()[k]));
            out.push_back(made.write());
        }
        if (session_.execute_matrix_plan_into(run.plan, in, out)) return true;
        for (const std::uint32_t value : run.outputs) slots_[value].clear();
        return false;
    }

    bool fused(const ExecSegment& segment) {
        std::pmr::vector<TensorRead> in(&arena_);
        in.reserve(segment.inputs.size());
        for (const std::uint32_t value : segment.inputs) in.push_back(*slots_[value].view());
        if (std::any_of(in.begin(), in.end(),
                        [&](const TensorRead& a) { return !(a.shape() == in[0].shape()); }))
            return false;  // op by op names the operation that does not fit

        std::pmr::vector<Tensor*> taken(&arena_);  // where results came from that were inputs
        std::pmr::vector<TensorWrite> out(&arena_);
        out.reserve(segment.outputs.size());
        for (std::size_t k = 0; k < segment.outputs.size(); ++k) {
            const DType dtype = segment.plan->dtype(segment.plan->outputs()[k]);
            Tensor* const spare = segment.dying.empty() ? nullptr : reusable(segment, dtype);
            Tensor& made = slots_[segment.outputs[k]].own_result();
            made = spare != nullptr ? std::move(*spare) : session_.empty(dtype, in[0].shape());
            if (!segment.dying.empty()) taken.push_back(spare);
            out.push_back(made.write());
        }
        if (session_.execute_elementwise_fusion_into(*segment.plan, in, out)) return true;
        for (std::size_t k = 0; k < segment.outputs.size(); ++k) {
            TensorSlot& result = slots_[segment.outputs[k]];
            if (!taken.empty() && taken[k] != nullptr) *taken[k] = std::move(*result.whole());
            result.clear();
        }
        return false;
    }

    const ExecProgram& program_;
    const ShapeBinding& binding_;
    BackendSession& session_;
    std::array<std::byte, 16384> memory_;  // threads may have 64 kB of stack, of which errors keep 16
    std::pmr::monotonic_buffer_resource arena_{memory_.data(), memory_.size()};
    std::pmr::vector<TensorSlot> slots_;
};

void check_dtypes(const std::vector<TensorMeta>& metas, std::span<const TensorRead> inputs) {
    for (std::size_t i = 0; i < metas.size(); ++i)
        if (inputs[i].dtype() != metas[i].dtype) [[unlikely]]
            throw Error(ErrorKind::DTypeMismatch, "run",
                        text("input ", i, " has dtype ", info(inputs[i].dtype()).name,
                             " but was traced with ", info(metas[i].dtype).name));
}

void take_outputs(Run& run, const std::vector<std::uint32_t>& values, std::span<Tensor> outputs) {
    for (std::size_t k = 0; k < values.size(); ++k)
        outputs[k] = run.take(values[k], std::find(values.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                                                   values.end(), values[k]) == values.end());
}

}  // namespace

void ExecProgram::run(BackendSession& session, std::span<const TensorRead> inputs,
                      std::span<Tensor> outputs) const try {
    if (outputs.size() != state_->outputs.size())
        throw Error(ErrorKind::InvalidArgument, "run",
                    tenferro::text(outputs.size(), " outputs for a program of ", state_->outputs.size()));
    const auto binding = state_->bindings.get(inputs, [&] {
        ShapeBinding made = bind_shapes(state_->inputs, state_->guards, state_->instructions, inputs);
        made.runs = find_matrix_runs(state_->inputs, state_->instructions, state_->segments, state_->outputs,
                                     state_->values, made);
        return made;
    });
    check_dtypes(state_->inputs, inputs);
    Run run(*this, *binding, session, inputs, state_->values);
    const CancellationScope* const watch = CancellationScope::current();
    for (std::size_t segment = 0; segment < state_->segments.size();) {
        if (watch != nullptr) watch->check();
        segment += run.execute_from(segment);
    }
    take_outputs(run, state_->outputs, outputs);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("run");
}

std::vector<Tensor> ExecProgram::run(BackendSession& session, std::span<const TensorRead> inputs) const try {
    std::vector<Tensor> outputs(state_->outputs.size());
    run(session, inputs, outputs);
    return outputs;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("run");
}

std::vector<Tensor> ExecProgram::run(TensorBackend& backend, std::span<const TensorRead> inputs) const {
    return backend.with_backend_session([&](BackendSession& session) { return run(session, inputs); });
}

std::vector<Tensor> ExecProgram::run_unsegmented(BackendSession& session,
                                                 std::span<const TensorRead> inputs) const try {
    const ShapeBinding binding = bind_shapes(state_->inputs, state_->guards, state_->instructions, inputs);
    check_dtypes(state_->inputs, inputs);
    std::vector<Tensor> made(state_->values);
    const auto read = [&](std::uint32_t value) -> const TensorRead& {
        return value < inputs.size() ? inputs[value] : made[value].read();
    };
    for (std::size_t i = 0; i < binding.ops.size(); ++i) {
        const ExecInstruction& instruction = state_->instructions[i];
        std::vector<TensorRead> in;
        for (const std::uint32_t value : instruction.inputs) in.push_back(read(value));
        binding.ops[i].operation().execute(
            session, in, std::span(made).subspan(instruction.first_output, instruction.outputs.size()));
    }
    std::vector<Tensor> outputs;
    for (const std::uint32_t value : state_->outputs)
        outputs.push_back(session.to_contiguous_read(read(value)));
    return outputs;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("run");
}

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
