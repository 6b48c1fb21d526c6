// Drawn fusion plans, and their results by one operation after the other.
#pragma once

#include "support/random_layout.hpp"
#include "tenferro/tensor/backend.hpp"
#include "tenferro/tensor/elementwise.hpp"
#include "tenferro/tensor/elementwise/conversion.hpp"

namespace tenferro::test {

class FusionPlanDraw {
public:
    FusionPlanDraw(Draw& draw, Index most_steps) : draw_(draw) {
        const Index inputs = draw.integer(1, 5), steps = draw.integer(0, most_steps),
                    outputs = draw.integer(1, 4);
        for (Index i = 0; i < inputs; ++i) dtypes_.push_back(drawn_dtype());
        inputs_ = dtypes_;
        while (static_cast<Index>(steps_.size()) < steps)
            add_step(static_cast<OpId>(draw.integer(0, static_cast<Index>(OpId::Cast))));
        for (Index i = 0; i < outputs; ++i) outputs_.push_back(static_cast<std::uint16_t>(drawn_value()));
    }
    [[nodiscard]] ElementwiseFusionPlan plan() const { return {inputs_, steps_, outputs_}; }

private:
    [[nodiscard]] DType drawn_dtype() { return static_cast<DType>(draw_.integer(0, 6)); }
    /// The last values are drawn more often, so that chains become long.
    [[nodiscard]] std::size_t drawn_value() {
        const Index last = static_cast<Index>(dtypes_.size()) - 1;
        return static_cast<std::size_t>(
            draw_.integer(draw_.integer(0, 1) == 0 ? 0 : std::max<Index>(0, last - 3), last));
    }
    /// A value of that dtype near a drawn one, if there is one.
    [[nodiscard]] std::optional<std::uint16_t> drawn_value(DType dtype) {
        const std::size_t first = drawn_value();
        for (std::size_t i = 0; i < dtypes_.size(); ++i)
            if (const std::size_t value = (first + i) % dtypes_.size(); dtypes_[value] == dtype)
                return static_cast<std::uint16_t>(value);
        return std::nullopt;
    }

    /// Adds the operation on drawn operands, unless there are none that fit.
    void add_step(OpId op) {
        const DType dtype = dtypes_[drawn_value()];
        if (!is_fusible(op, dtype)) return;
        FusionStep step{op, {}, dtype};
        for (std::size_t k = 0; k < elementwise_operands(op); ++k) {
            const auto operand = drawn_value(op == OpId::Select && k == 0 ? DType::Bool : dtype);
            if (!operand) return;
            step.operands[k] = *operand;
        }
        if (op < OpId::Select)
            step.result = elementwise_operands(op) == 1 ? elementwise::unary_result(op, dtype)
                                                        : elementwise::binary_result(op, dtype);
        if (op == OpId::Cast || op == OpId::Convert) step.result = drawn_dtype();
        if (op == OpId::Convert && !elementwise::promotions(dtype).contains(step.result)) return;
        steps_.push_back(step);
        dtypes_.push_back(step.result);
    }

    Draw& draw_;
    std::vector<DType> inputs_, dtypes_;
    std::vector<FusionStep> steps_;
    std::vector<std::uint16_t> outputs_;
};

/// All values of the plan, inputs first.
inline std::vector<Tensor> values_of_steps(BackendSession& session, const ElementwiseFusionPlan& plan,
                                           std::span<const TensorRead> inputs) {
    std::vector<Tensor> values;
    for (const TensorRead& input : inputs) values.push_back(session.to_contiguous_read(input));
    for (const FusionStep& step : plan.steps()) {
        const auto operand = [&](std::size_t k) -> const TensorRead& {
            return values[step.operands[k]].read();
        };
        switch (step.op) {
            case OpId::Select:
                values.push_back(session.select_read(operand(0), operand(1), operand(2)));
                break;
            case OpId::Clamp: values.push_back(session.clamp_read(operand(0), operand(1), operand(2))); break;
            case OpId::Convert: values.push_back(session.convert_read(operand(0), step.result)); break;
            case OpId::Cast: values.push_back(session.cast_read(operand(0), step.result)); break;
            default:
                values.push_back(elementwise_operands(step.op) == 1
                                     ? session.elementwise_read(step.op, operand(0))
                                     : session.elementwise_read(step.op, operand(0), operand(1)));
        }
    }
    return values;
}

}  // namespace tenferro::test
