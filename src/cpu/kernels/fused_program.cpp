// From the last step to the first: a value is met at its last use, where it gets a line, and at the step that makes it, where the
// line is free again for values that die earlier.
#include "cpu/kernels/fused_program.hpp"

#include <utility>

namespace tenferro::inline TENFERRO_ABI::cpu {

namespace {

using Line = FusedProgram::Line;
constexpr Line kNone = UINT32_MAX;

struct Value {
    std::uint32_t source;  // the value itself, or the one it is a mere copy of
    Line line;             // kNone before a use is met
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
        const std::uint32_t result = inputs_ + static_cast<std::uint32_t>(i);
        FusedProgram::Call call{line_of_step(plan_, step), values_[result].line, {}};
        Line released = is_scratch(call.out) ? call.out : kNone;  // an operand of the same width may be in it
        const std::size_t count = elementwise_operands(step.op);
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint32_t number = values_[step.operands[k]].source;
            Value& value = values_[number];
            if (value.line == kNone && number < inputs_)
                place_input(number, false);
            else if (value.line == kNone)
                value.line = released != kNone && width(number) == width(result) ? std::exchange(released, kNone) : take_line();
            call.in[k] = value.line;
        }
        if (released != kNone) free_.push_back(released);
        program_.calls.push_back(call);
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
};

}  // namespace

LineFunction line_of_step(const ElementwiseFusionPlan& plan, const FusionStep& step) {
    const DType dtype = plan.dtype(step.operands[step.op == OpId::Select ? 1 : 0]);
    const bool converts = step.op == OpId::Convert || step.op == OpId::Cast;
    return converts ? conversion_line(dtype, step.result) : line_function(step.op, dtype);
}

FusedProgram::FusedProgram(const ElementwiseFusionPlan& plan, const FusedTensors& tensors) { Compiler(plan, tensors, *this); }

}  // namespace tenferro::inline TENFERRO_ABI::cpu
