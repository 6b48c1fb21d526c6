// The lives of a plan's values, and the lines they get. An output may be an input's memory: it is written in place only where no
// later call or copy reads that input.
#include "cpu/kernels/fused_program.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

namespace {

using Line = FusedProgram::Line;
constexpr std::uint32_t kNone = UINT32_MAX;

struct Value {
    std::uint32_t source;    // the value itself, or the one it is a mere copy of
    std::uint32_t last_use;  // a step; their number for outputs; kNone if nothing needs it
    Line line;
    bool kept;              // the line is not given to other values
    std::uint8_t width;     // of an element in bytes
    std::uint8_t operands;  // of the step whose result it is

    Value(std::uint32_t of, DType dtype, std::size_t count) noexcept
        : source(of),
          last_use(kNone),
          line(kNone),
          kept(false),
          width(static_cast<std::uint8_t>(info(dtype).bytes)),
          operands(static_cast<std::uint8_t>(count)) {}
    Value() noexcept {}  // for arrays
};

class Compiler {
public:
    Compiler(const ElementwiseFusionPlan& plan, const FusedTensors& tensors, FusedProgram& program)
        : steps_(plan.steps()),
          tensors_(tensors.data()),
          program_(program),
          inputs_(static_cast<std::uint32_t>(plan.inputs().size())),
          outputs_(static_cast<std::uint32_t>(plan.outputs().size())),
          end_(static_cast<std::uint32_t>(plan.steps().size())) {
        list_values(plan);
        find_lives(plan);
        place_inputs();
        place_outputs(plan);
        program.calls.reserve(end_);
        for (std::uint32_t i = 0; i < end_; ++i)
            if (is_live_step(i)) place_step(i, line_of_step(plan, steps_[i]));
        for (auto& store : program_.stores) store.line = values_[store.line].line;
    }

private:
    [[nodiscard]] bool is_live_step(std::uint32_t i) const {
        const Value& value = values_[inputs_ + i];
        return value.source == inputs_ + i && value.last_use != kNone;
    }
    /// The value that operand k of a step really is.
    [[nodiscard]] Value& operand(const FusionStep& step, std::size_t k) { return values_[values_[step.operands[k]].source]; }

    void list_values(const ElementwiseFusionPlan& plan) {
        storage_.reserve(inputs_ + end_);
        for (std::uint32_t i = 0; i < inputs_; ++i) storage_.push_back({i, plan.inputs()[i], 0});
        for (std::uint32_t i = 0; i < end_; ++i) {
            const FusionStep& step = steps_[i];
            const bool converts = step.op == OpId::Convert || step.op == OpId::Cast;
            const bool copies = converts && plan.dtype(step.operands[0]) == step.result;
            storage_.push_back(
                {copies ? storage_[step.operands[0]].source : inputs_ + i, step.result, elementwise_operands(step.op)});
        }
        values_ = storage_.data();
    }

    void find_lives(const ElementwiseFusionPlan& plan) {
        for (const std::uint16_t value : plan.outputs()) values_[values_[value].source].last_use = end_;
        for (std::uint32_t i = end_; i-- > 0;) {
            if (!is_live_step(i)) continue;
            for (std::size_t k = 0; k < values_[inputs_ + i].operands; ++k)
                if (Value& used = operand(steps_[i], k); used.last_use == kNone) used.last_use = i;
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
    void place_outputs(const ElementwiseFusionPlan& plan) {
        for (std::uint32_t k = 0; k < outputs_; ++k) {
            const std::uint32_t number = values_[plan.outputs()[k]].source;
            Value& value = values_[number];
            if (number >= inputs_ && value.line == kNone && tensors_[k].source == LineSource::Memory &&
                !is_read_after(tensors_[k], number - inputs_))
                value.line = k;
            else
                program_.stores.push_back({k, number});
        }
    }

    /// The result takes the line of an operand of its width that is not needed any more, if there is one.
    void place_step(std::uint32_t i, LineFunction function) {
        const FusionStep& step = steps_[i];
        FusedProgram::Call call{function, 0, {}};
        Value& result = values_[inputs_ + i];
        for (std::size_t k = 0; k < result.operands; ++k) {
            Value& used = operand(step, k);
            call.in[k] = used.line;
            if (result.line == kNone && dies(used, i) && used.width == result.width) {
                result.line = used.line;
                used.last_use = kNone;
            }
        }
        if (result.line == kNone) result.line = take_line();
        for (std::size_t k = 0; k < result.operands; ++k)
            if (Value& used = operand(step, k); dies(used, i)) {
                free_.push_back(used.line);
                used.last_use = kNone;
            }
        call.out = result.line;
        program_.calls.push_back(call);
    }

    /// Whether the step is the last that needs the value, whose line is then free.
    [[nodiscard]] bool dies(const Value& value, std::uint32_t step) const {
        return value.last_use == step && !value.kept && value.line >= outputs_ + inputs_;
    }
    [[nodiscard]] bool is_overwritten(const FusedTensor& input) const {
        for (std::uint32_t k = 0; k < outputs_; ++k)
            if (tensors_[k].data == input.data) return true;
        return false;
    }
    [[nodiscard]] bool is_read_after(const FusedTensor& out, std::uint32_t step) const {
        for (std::uint32_t i = 0; i < inputs_; ++i) {
            const bool in_place = values_[i].line == outputs_ + i;
            if (in_place && values_[i].last_use > step && tensors_[outputs_ + i].data == out.data) return true;
        }
        return false;
    }

    [[nodiscard]] Line take_line() {
        if (free_.empty()) return outputs_ + inputs_ + program_.scratch_lines++;
        const Line line = free_.back();
        free_.pop_back();
        return line;
    }

    const std::vector<FusionStep>& steps_;
    const FusedTensor* const tensors_;
    FusedProgram& program_;
    const std::uint32_t inputs_, outputs_, end_;
    SmallVector<Value, 48> storage_;
    Value* values_ = nullptr;
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
