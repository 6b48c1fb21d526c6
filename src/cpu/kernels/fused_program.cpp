// The lives of a plan's values, and the lines they get. An output may be an input's memory: it is written in place only where no
// later call or copy reads that input.
#include "cpu/kernels/fused_program.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

namespace {

using Line = FusedProgram::Line;
constexpr std::uint32_t kNone = UINT32_MAX;

struct Value {
    std::uint32_t source;            // the value itself, or the one it is a mere copy of
    std::uint32_t last_use = kNone;  // a step; their number for outputs; kNone if nothing needs it
    Line line = kNone;
    bool kept = false;  // the line is not given to other values
};

class Compiler {
public:
    Compiler(const ElementwiseFusionPlan& plan, const FusedTensors& tensors, FusedProgram& program)
        : plan_(plan),
          tensors_(tensors),
          program_(program),
          inputs_(static_cast<std::uint32_t>(plan.inputs().size())),
          outputs_(static_cast<std::uint32_t>(plan.outputs().size())),
          end_(static_cast<std::uint32_t>(plan.steps().size())) {
        find_lives();
        place_inputs();
        place_outputs();
        for (std::uint32_t i = 0; i < end_; ++i)
            if (is_live_step(i)) place_step(i);
        for (auto& store : program_.stores) store.line = values_[store.line].line;
    }

private:
    [[nodiscard]] Value& source(std::uint16_t value) { return values_[values_[value].source]; }
    [[nodiscard]] bool is_live_step(std::uint32_t i) const {
        const Value& value = values_[inputs_ + i];
        return value.source == inputs_ + i && value.last_use != kNone;
    }
    [[nodiscard]] Index width(std::uint32_t value) const {
        return static_cast<Index>(info(plan_.dtype(static_cast<std::uint16_t>(value))).bytes);
    }
    [[nodiscard]] bool is_scratch(Line line) const { return line >= tensors_.size(); }

    void find_lives() {
        values_.reserve(inputs_ + end_);
        for (std::uint32_t i = 0; i < inputs_; ++i) values_.push_back({i});
        for (std::uint32_t i = 0; i < end_; ++i) {
            const FusionStep& step = plan_.steps()[i];
            const bool copies =
                (step.op == OpId::Convert || step.op == OpId::Cast) && plan_.dtype(step.operands[0]) == step.result;
            values_.push_back({copies ? values_[step.operands[0]].source : inputs_ + i});
        }
        for (const std::uint16_t value : plan_.outputs()) source(value).last_use = end_;
        for (std::uint32_t i = end_; i-- > 0;) {
            if (!is_live_step(i)) continue;
            const FusionStep& step = plan_.steps()[i];
            for (std::size_t k = 0; k < elementwise_operands(step.op); ++k)
                if (Value& operand = source(step.operands[k]); operand.last_use == kNone) operand.last_use = i;
        }
    }

    void place_inputs() {
        for (std::uint32_t i = 0; i < inputs_; ++i) {
            Value& value = values_[i];
            if (value.last_use == kNone) continue;
            const std::uint32_t number = outputs_ + i;
            const FusedTensor& tensor = tensors_[number];
            if (tensor.source == LineSource::Memory && !(value.last_use == end_ && is_overwritten(tensor))) {
                value.line = number;
                continue;
            }
            value.line = take_line();
            value.kept = tensor.source == LineSource::Repeated;
            (value.kept ? program_.fills : program_.loads).push_back({number, value.line});
        }
    }

    /// The first output of a value is written in place if it can be; the others are copies of its line.
    void place_outputs() {
        for (std::uint32_t k = 0; k < outputs_; ++k) {
            const std::uint32_t number = values_[plan_.outputs()[k]].source;
            Value& value = values_[number];
            if (number >= inputs_ && value.line == kNone && tensors_[k].source == LineSource::Memory &&
                !is_read_after(tensors_[k], number - inputs_))
                value.line = k;
            else
                program_.stores.push_back({k, number});
        }
    }

    void place_step(std::uint32_t i) {
        const FusionStep& step = plan_.steps()[i];
        const std::size_t count = elementwise_operands(step.op);
        FusedProgram::Call call{line_of_step(plan_, step), 0, {}};
        Value& result = values_[inputs_ + i];
        for (std::size_t k = 0; k < count; ++k) {
            Value& operand = source(step.operands[k]);
            call.in[k] = operand.line;
            if (result.line == kNone && dies(operand, i) && width(operand.source) == width(result.source)) {
                result.line = operand.line;
                operand.last_use = kNone;
            }
        }
        if (result.line == kNone) result.line = take_line();
        for (std::size_t k = 0; k < count; ++k)
            if (Value& operand = source(step.operands[k]); dies(operand, i)) {
                free_.push_back(operand.line);
                operand.last_use = kNone;
            }
        call.out = result.line;
        program_.calls.push_back(call);
    }

    [[nodiscard]] bool dies(const Value& value, std::uint32_t step) const {
        return value.last_use == step && !value.kept && is_scratch(value.line);
    }

    [[nodiscard]] bool is_overwritten(const FusedTensor& input) const {
        for (std::uint32_t k = 0; k < outputs_; ++k)
            if (tensors_[k].data == input.data) return true;
        return false;
    }
    [[nodiscard]] bool is_read_after(const FusedTensor& out, std::uint32_t step) const {
        for (std::uint32_t i = 0; i < inputs_; ++i)
            if (values_[i].line == outputs_ + i && values_[i].last_use > step && tensors_[outputs_ + i].data == out.data)
                return true;
        return false;
    }

    [[nodiscard]] Line take_line() {
        if (free_.empty()) return static_cast<Line>(tensors_.size()) + program_.scratch_lines++;
        const Line line = free_.back();
        free_.pop_back();
        return line;
    }

    const ElementwiseFusionPlan& plan_;
    const FusedTensors& tensors_;
    FusedProgram& program_;
    const std::uint32_t inputs_, outputs_, end_;
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
