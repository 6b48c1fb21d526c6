// From the last step to the first: a value is met at its last use, where it gets a line, and at the step that makes it, where the
// line is free again for values that die earlier. Neighbouring steps that strips have make one run.
#include "cpu/kernels/fused_program.hpp"

#include <algorithm>
#include <utility>

namespace tenferro::inline TENFERRO_ABI::cpu {

namespace {

using Line = FusedProgram::Line;
constexpr Line kNone = UINT32_MAX, kAccumulator = UINT32_MAX - 1;

struct Value {
    std::uint32_t source;  // the value itself, or the one it is a mere copy of
    Line line;             // kNone before a use is met, kAccumulator for a value that only the next step reads
};

class Compiler {
public:
    Compiler(const ElementwiseFusionPlan& plan, const FusedTensors& tensors, FusedProgram& program)
        : plan_(plan),
          tensors_(tensors.data()),
          program_(program),
          inputs_(static_cast<std::uint32_t>(plan.inputs().size())),
          outputs_(static_cast<std::uint32_t>(plan.outputs().size())) {
        const std::size_t steps = plan.steps().size();
        values_.reserve(inputs_ + steps);
        for (std::uint32_t i = 0; i < inputs_; ++i) values_.push_back({i, kNone});
        for (const FusionStep& step : plan.steps()) values_.push_back({source_of(step), kNone});
        for (std::uint32_t k = 0; k < outputs_; ++k) place_output(k);
        program.calls.reserve(steps);
        for (std::size_t i = steps; i-- > 0;)
            if (values_[inputs_ + i].line != kNone && values_[inputs_ + i].source == inputs_ + i) place_step(i);
        std::reverse(program.calls.begin(), program.calls.end());
        std::reverse(program.steps.begin(), program.steps.end());
    }

private:
    /// Of the value that comes next.
    [[nodiscard]] std::uint32_t source_of(const FusionStep& step) const {
        const bool converts = step.op == OpId::Convert || step.op == OpId::Cast;
        if (converts && plan_.dtype(step.operands[0]) == step.result) return values_[step.operands[0]].source;
        return static_cast<std::uint32_t>(values_.size());
    }
    [[nodiscard]] bool is_scratch(Line line) const { return line >= outputs_ + inputs_; }
    [[nodiscard]] std::size_t width(std::uint32_t value) const {
        return info(plan_.dtype(static_cast<std::uint16_t>(value))).bytes;
    }

    /// A value's first output is where its line is, if it can be; the others are copies.
    void place_output(std::uint32_t k) {
        const std::uint32_t number = values_[plan_.outputs()[k]].source;
        Value& value = values_[number];
        if (number < inputs_) {
            if (value.line == kNone) place_input(number, is_output(tensors_[outputs_ + number]));
        } else if (value.line == kNone) {
            if (tensors_[k].source == LineSource::Memory && !is_read_after(tensors_[k], number - inputs_)) {
                value.line = k;
                return;
            }
            value.line = new_line();  // kept to the end of the block
        }
        program_.stores.push_back({k, value.line});
    }

    /// Inputs live from the beginning: their lines are free for no result before their last use.
    void place_input(std::uint32_t number, bool must_copy) {
        const std::uint32_t tensor = outputs_ + number;
        Line& line = values_[number].line;
        if (tensors_[tensor].source == LineSource::Repeated) {
            line = new_line();
            program_.fills.push_back({tensor, line});
        } else if (tensors_[tensor].source == LineSource::Copy || must_copy) {
            line = take_line();
            program_.loads.push_back({tensor, line});
        } else {
            line = tensor;
        }
    }

    void place_step(std::size_t i) {
        const FusionStep& step = plan_.steps()[i];
        const Line out = values_[inputs_ + i].line;
        released_ = out != kAccumulator && is_scratch(out) ? out : kNone;
        if (const auto op = strip_op_of(step))
            place_in_run(i, *op);
        else
            place_call(step, out);
        if (released_ != kNone) free_.push_back(released_);
    }

    void place_call(const FusionStep& step, Line out) {
        FusedProgram::Call call{line_of_step(plan_, step), out, {}, nullptr, 0};
        for (std::size_t k = 0; k < elementwise_operands(step.op); ++k) call.in[k] = line_of(step.operands[k], step.result);
        program_.calls.push_back(call);
    }

    [[nodiscard]] std::optional<StripOp> strip_op_of(const FusionStep& step) const {
        return strip_op(step.op, plan_.dtype(step.operands[0]));
    }

    /// Adds a step to the run that comes next, or to a new one: from behind, as all is placed.
    void place_in_run(std::size_t i, StripOp op) {
        const FusionStep& step = plan_.steps()[i];
        const StripFunction strips = strip_function(step.result);
        if (program_.calls.empty() || program_.calls.back().strips != strips)
            program_.calls.push_back({nullptr, 0, {}, strips, 0});
        FusedProgram::Call& run = program_.calls.back();
        const auto add = [&](StripOp what, Line line) {
            program_.steps.push_back({what, line});
            ++run.steps;
        };
        const std::uint32_t result = inputs_ + static_cast<std::uint32_t>(i);
        if (values_[result].line != kAccumulator) add(StripOp::Store, values_[result].line);

        const std::uint32_t first = values_[step.operands[0]].source, held = held_before(i);
        const bool is_binary = elementwise_operands(step.op) == 2;
        const std::uint32_t second = is_binary ? values_[step.operands[1]].source : first;
        const bool is_reversed = is_binary && second == held && first != held;
        if (is_binary)
            add(is_reversed ? reversed(op) : op, line_of(is_reversed ? first : second, step.result));
        else
            add(op, 0);
        const bool is_held = first == held || second == held;
        if (!is_held)
            add(StripOp::Load, line_of(first, step.result));
        else if (values_[held].line == kNone)
            values_[held].line = kAccumulator;
    }

    /// The value that the accumulator has when step i of a run begins; kNone if that is the run's first step.
    [[nodiscard]] std::uint32_t held_before(std::size_t i) const {
        const FusionStep& step = plan_.steps()[i];
        const std::size_t count = elementwise_operands(step.op);
        for (std::uint32_t number = inputs_ + static_cast<std::uint32_t>(i); number-- > inputs_;) {
            bool is_needed = values_[number].line != kNone;
            for (std::size_t k = 0; k < count; ++k) is_needed = is_needed || values_[step.operands[k]].source == number;
            if (!is_needed || values_[number].source != number) continue;
            const FusionStep& before = plan_.steps()[number - inputs_];
            return before.result == step.result && strip_op_of(before) ? number : kNone;
        }
        return kNone;
    }

    /// The line of an operand of the step that is placed, whose result has this dtype.
    [[nodiscard]] Line line_of(std::uint32_t operand, DType result) {
        const std::uint32_t number = values_[operand].source;
        Value& value = values_[number];
        if (value.line == kNone && number < inputs_)
            place_input(number, false);
        else if (value.line == kNone)
            value.line =
                released_ != kNone && width(number) == info(result).bytes ? std::exchange(released_, kNone) : take_line();
        return value.line;
    }

    [[nodiscard]] bool is_output(const FusedTensor& input) const {
        for (std::uint32_t k = 0; k < outputs_; ++k)
            if (tensors_[k].data == input.data) return true;
        return false;
    }
    /// Whether a later step reads an input in the memory of `out`.
    [[nodiscard]] bool is_read_after(const FusedTensor& out, std::size_t step) const {
        for (std::uint32_t i = 0; i < inputs_; ++i)
            if (tensors_[outputs_ + i].data == out.data && is_read_after(i, step)) return true;
        return false;
    }
    [[nodiscard]] bool is_read_after(std::uint32_t input, std::size_t step) const {
        for (std::size_t later = step + 1; later < plan_.steps().size(); ++later) {
            const FusionStep& reader = plan_.steps()[later];
            for (std::size_t k = 0; k < elementwise_operands(reader.op); ++k)
                if (values_[reader.operands[k]].source == input) return true;
        }
        return false;
    }

    [[nodiscard]] Line new_line() { return outputs_ + inputs_ + program_.scratch_lines++; }
    [[nodiscard]] Line take_line() {
        if (free_.empty()) return new_line();
        const Line line = free_.back();
        free_.pop_back();
        return line;
    }

    const ElementwiseFusionPlan& plan_;
    const FusedTensor* const tensors_;
    FusedProgram& program_;
    const std::uint32_t inputs_, outputs_;
    SmallVector<Value, 48> values_;
    SmallVector<Line, 16> free_;
    Line released_ = kNone;  // where the result of the step that is placed lies: an operand of the same width may be in it
};

}  // namespace

LineFunction line_of_step(const ElementwiseFusionPlan& plan, const FusionStep& step) {
    const DType dtype = plan.dtype(step.operands[step.op == OpId::Select ? 1 : 0]);
    const bool converts = step.op == OpId::Convert || step.op == OpId::Cast;
    return converts ? conversion_line(dtype, step.result) : line_function(step.op, dtype);
}

FusedProgram::FusedProgram(const ElementwiseFusionPlan& plan, const FusedTensors& tensors) { Compiler(plan, tensors, *this); }

}  // namespace tenferro::inline TENFERRO_ABI::cpu
