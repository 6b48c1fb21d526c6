// From the last step to the first: a value is met at its last use, where it gets a line, and at the step that
// makes it, where the line is free again for values that die earlier. Neighbouring steps that strips have
// make one run.
#include "cpu/kernels/fusion/fused_program.hpp"

#include <algorithm>
#include <utility>

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

using FusedLine = FusedProgram::Line;
constexpr FusedLine kNone = UINT32_MAX, kAccumulator = UINT32_MAX - 1;

struct Value {
    std::uint32_t source;  // the value itself, or the one it is a mere copy of
    FusedLine line;  // kNone before a use is met, kAccumulator for a value that only the next step reads
};

/// A step of a run whose operation is added when it is known which of its operands the accumulator has.
struct OpenStep {
    const FusionStep* step;
    StripOp op;
    std::uint32_t first, second;  // values; of unary operations there is no second
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
        for (std::uint32_t number = inputs_ + static_cast<std::uint32_t>(steps); number-- > inputs_;)
            if (values_[number].source == number && is_needed(number)) place_step(number);
        close_step(kNone);
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
    [[nodiscard]] bool is_scratch(FusedLine line) const { return line >= outputs_ + inputs_; }
    [[nodiscard]] bool is_streamed(FusedLine line) const { return line < outputs_ && tensors_[line].streams; }
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
            const bool is_in_place =
                tensors_[k].source == LineSource::Memory && (!tensors_[k].streams || ends_run(number));
            if (is_in_place && !is_read_after(tensors_[k], number - inputs_)) {
                value.line = k;
                return;
            }
            value.line = new_line();  // kept to the end of the block
        }
        program_.stores.push_back({k, value.line});
    }

    /// Whether the value is made by the last of all steps that are needed, in a run.
    [[nodiscard]] bool ends_run(std::uint32_t number) const {
        for (const std::uint16_t output : plan_.outputs())
            if (values_[output].source > number) return false;
        const FusionStep& step = plan_.steps()[number - inputs_];
        return strip_op(step.op, plan_.dtype(step.operands[0])).has_value();
    }

    /// Inputs live from the beginning: their lines are free for no result before their last use.
    void place_input(std::uint32_t number, bool must_copy) {
        const std::uint32_t tensor = outputs_ + number;
        FusedLine& line = values_[number].line;
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

    [[nodiscard]] bool is_needed(std::uint32_t number) const {
        return values_[number].line != kNone ||
               (open_ && (open_->first == number || open_->second == number));
    }

    /// Places the step that makes a value.
    void place_step(std::uint32_t number) {
        const FusionStep& step = plan_.steps()[number - inputs_];
        const auto op = strip_op(step.op, plan_.dtype(step.operands[0]));
        const StripFunction strips = op ? strip_function(step.result) : nullptr;
        const bool joins = op && !program_.calls.empty() && program_.calls.back().strips == strips;
        close_step(joins ? number : kNone);
        const FusedLine out = values_[number].line;
        released_ = out != kAccumulator && is_scratch(out) ? out : kNone;
        if (!op) return place_call(step, out);
        if (!joins) program_.calls.push_back({nullptr, 0, {}, strips, 0});
        if (out != kAccumulator) add_to_run(is_streamed(out) ? StripOp::Stream : StripOp::Store, out);
        const bool is_binary = elementwise_operands(step.op) == 2;
        open_ = OpenStep{&step, *op, values_[step.operands[0]].source,
                         is_binary ? values_[step.operands[1]].source : kNone};
    }

    void place_call(const FusionStep& step, FusedLine out) {
        FusedProgram::Call call{line_of_step(plan_, step), out, {}, nullptr, 0};
        for (std::size_t k = 0; k < elementwise_operands(step.op); ++k) {
            const std::uint32_t number = values_[step.operands[k]].source;
            call.in[k] = line_of(number, width(number) == info(step.result).bytes);
        }
        program_.calls.push_back(call);
        release_line();
    }

    /// Adds the open step's operation to the run at the front, when it is known what the accumulator has
    /// before it: the value `held`, or nothing. A run of one operation is the call of its line function.
    void close_step(std::uint32_t held) {
        if (!open_) return;
        const auto [step, op, first, second] = *std::exchange(open_, std::nullopt);
        const FusedLine out = program_.steps.back().line;
        if (held == kNone && program_.calls.back().steps == 1 && !is_streamed(out)) {
            program_.steps.pop_back();
            program_.calls.pop_back();
            return place_call(*step, out);
        }
        const bool is_reversed = second == held && first != held && held != kNone;
        if (second == kNone)
            add_to_run(op, 0);
        else if (is_reversed)
            add_to_run(reversed(op), line_of(first, true));
        else
            add_to_run(op, line_of(second, true));
        if (held == kNone || (first != held && second != held))
            add_to_run(StripOp::Load, line_of(first, true));
        else if (values_[held].line == kNone)
            values_[held].line = kAccumulator;
        release_line();
    }

    void add_to_run(StripOp op, FusedLine line) {
        program_.steps.push_back({op, line});
        ++program_.calls.back().steps;
    }

    /// The line of an operand of the step that is placed, which may be in the memory of a result of its
    /// width.
    [[nodiscard]] FusedLine line_of(std::uint32_t number, bool has_width_of_result) {
        Value& value = values_[number];
        if (value.line == kNone && number < inputs_)
            place_input(number, false);
        else if (value.line == kNone)
            value.line =
                released_ != kNone && has_width_of_result ? std::exchange(released_, kNone) : take_line();
        return value.line;
    }
    void release_line() {
        if (released_ != kNone) free_.push_back(released_);
        released_ = kNone;
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

    [[nodiscard]] FusedLine new_line() { return outputs_ + inputs_ + program_.scratch_lines++; }
    [[nodiscard]] FusedLine take_line() {
        if (free_.empty()) return new_line();
        const FusedLine line = free_.back();
        free_.pop_back();
        return line;
    }

    const ElementwiseFusionPlan& plan_;
    const FusedTensor* const tensors_;
    FusedProgram& program_;
    const std::uint32_t inputs_, outputs_;
    SmallVector<Value, 48> values_;
    SmallVector<FusedLine, 16> free_;
    FusedLine released_ =
        kNone;  // where the result of the step that is placed lies, until it is taken for an operand
    std::optional<OpenStep> open_;
};

}  // namespace

LineFunction line_of_step(const ElementwiseFusionPlan& plan, const FusionStep& step) {
    const DType dtype = plan.dtype(step.operands[step.op == OpId::Select ? 1 : 0]);
    const bool converts = step.op == OpId::Convert || step.op == OpId::Cast;
    return converts ? conversion_line(dtype, step.result) : line_function(step.op, dtype);
}

FusedProgram::FusedProgram(const ElementwiseFusionPlan& plan, const FusedTensors& tensors) {
    Compiler(plan, tensors, *this);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
