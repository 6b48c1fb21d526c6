// Functions that are several elementwise operations, on many elements.
#pragma once

#include <utility>

#include "layout.hpp"

namespace tenferro::python {

/// f(operands...) of an elementwise f that is several operations, on operands of one shape: of many elements
/// that are there it is a program, which passes over memory once.
template <class F, class... Values>
[[nodiscard]] Value in_one_pass(const F& f, const Values&... operands) {
    constexpr Index kMany = 1 << 16;
    const Value operand[] = {operands...};
    if (!(may_be_viewed(operands) && ...) || operand[0].eager().value().size() < kMany) return f(operands...);
    std::vector<TracedTensor> inputs;
    std::vector<TensorRead> reads;
    for (const Value& a : operand) {
        reads.push_back(a.eager().value().read());
        inputs.push_back(TracedTensor::input(a.dtype(), reads.back().shape()));
    }
    const Value result = [&]<std::size_t... I>(std::index_sequence<I...>) { return f(Value(inputs[I])...); }
    (std::index_sequence_for<Values...>());
    const auto program = compile({result.traced()}, inputs);
    return Value(std::move(program->run(default_engine().backend(), reads).front()));
}

}  // namespace tenferro::python
