// The rules of fusion plans.
#include "tenferro/tensor/fusion_plan.hpp"

#include <atomic>
#include <new>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/elementwise.hpp"
#include "tenferro/tensor/elementwise/conversion.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

bool is_partial(OpId op, DType dtype) {
    bool partial = false;
    if (elementwise_operands(op) == 2 && info(op).dtypes.contains(dtype))
        elementwise::visit_binary(op, dtype,
                                  [&]<class T>(auto f) { partial = elementwise::Partial<decltype(f), T>; });
    return partial;
}

[[noreturn]] void throw_misfit(std::size_t step, const FusionStep& bad, const std::string& why) {
    throw Error(ErrorKind::InvalidConfig, "elementwise_fusion",
                text("step ", step, ", ", info(bad.op).name, ", ", why));
}

/// The dtype that the first `step` values give its result; throws where they do not fit.
DType result_of(const ElementwiseFusionPlan& plan, std::size_t step, const FusionStep& s) {
    const auto operand = [&](std::size_t i) { return plan.dtype(s.operands[i]); };
    const std::size_t count = elementwise_operands(s.op);
    const DType dtype = operand(s.op == OpId::Select ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i) {
        const DType wanted = s.op == OpId::Select && i == 0 ? DType::Bool : dtype;
        if (operand(i) != wanted)
            throw_misfit(
                step, s,
                text("operand ", i, " has dtype ", info(operand(i)).name, ", not ", info(wanted).name));
    }
    if (!is_fusible(s.op, dtype)) throw_misfit(step, s, text("is not fusible on ", info(dtype).name));
    switch (s.op) {
        case OpId::Select:
        case OpId::Clamp: return dtype;
        case OpId::Cast: return s.result;
        case OpId::Convert:
            if (s.result != dtype && !elementwise::promotions(dtype).contains(s.result))
                throw_misfit(step, s,
                             text("does not promote ", info(dtype).name, " to ", info(s.result).name));
            return s.result;
        default:
            return count == 1 ? elementwise::unary_result(s.op, dtype)
                              : elementwise::binary_result(s.op, dtype);
    }
}

constinit std::atomic<std::uint64_t> last_number{0};

}  // namespace

std::size_t elementwise_operands(OpId op) noexcept {
    switch (op) {
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) case OpId::Name:
        TENFERRO_UNARY_OPS(TENFERRO_ROW)
        case OpId::Convert:
        case OpId::Cast: return 1; TENFERRO_BINARY_OPS(TENFERRO_ROW) return 2;
#undef TENFERRO_ROW
        case OpId::Select:
        case OpId::Clamp: return 3;
        default: return 0;
    }
}

bool is_fusible(OpId op, DType dtype) noexcept {
    return elementwise_operands(op) != 0 && info(op).dtypes.contains(dtype) && !is_partial(op, dtype);
}

ElementwiseFusionPlan::ElementwiseFusionPlan(std::vector<DType> inputs, std::vector<FusionStep> steps,
                                             std::vector<std::uint16_t> outputs) try
    : inputs_(std::move(inputs)),
      steps_(std::move(steps)),
      outputs_(std::move(outputs)),
      number_(++last_number) {
    const std::size_t values = inputs_.size() + steps_.size();
    if (values > UINT16_MAX)
        throw Error(ErrorKind::InvalidConfig, "elementwise_fusion",
                    text(values, " values, but at most ", UINT16_MAX, " fit"));
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const FusionStep& step = steps_[i];
        if (elementwise_operands(step.op) == 0) throw_misfit(i, step, "is not elementwise");
        for (std::size_t k = 0; k < elementwise_operands(step.op); ++k)
            if (step.operands[k] >= inputs_.size() + i)
                throw_misfit(i, step,
                             text("operand ", k, " is value ", step.operands[k], ", which is not before it"));
        if (const DType dtype = result_of(*this, i, step); dtype != step.result)
            throw_misfit(i, step,
                         text("has a result of dtype ", info(dtype).name, ", not ", info(step.result).name));
    }
    for (const std::uint16_t value : outputs_)
        if (value >= values)
            throw Error(ErrorKind::InvalidConfig, "elementwise_fusion",
                        text("output value ", value, " is not one of the ", values, " values"));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("fusion plan");
}

}}  // namespace tenferro::TENFERRO_ABI
