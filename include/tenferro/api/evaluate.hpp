// Graphs and eager tensors on the default engine, without naming one: the shortest way from a formula to its
// value.
#pragma once

#include "tenferro/api/engine.hpp"
#include "tenferro/runtime/eager_tensor.hpp"
#include "tenferro/runtime/traced_tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// An eager tensor of the default engine.
[[nodiscard]] inline EagerTensor eager(Tensor value) { return {default_engine().eager(), std::move(value)}; }
/// One whose gradient backward() computes.
[[nodiscard]] inline EagerTensor parameter(Tensor value) {
    return {default_engine().eager(), std::move(value), true};
}

/// The program of the default engine's compiler, see GraphCompiler::compile.
[[nodiscard]] inline std::shared_ptr<const ExecProgram> compile(std::span<const TracedTensor> outputs,
                                                                std::span<const TracedTensor> inputs) {
    return default_engine().eager().compiler().compile(outputs, inputs);
}
[[nodiscard]] inline std::shared_ptr<const ExecProgram> compile(std::initializer_list<TracedTensor> outputs,
                                                                std::initializer_list<TracedTensor> inputs) {
    return default_engine().eager().compiler().compile(outputs, inputs);
}
[[nodiscard]] inline std::shared_ptr<const ExecProgram> compile(std::initializer_list<TracedTensor> outputs,
                                                                std::span<const TracedTensor> inputs) {
    return default_engine().eager().compiler().compile(outputs, inputs);
}
[[nodiscard]] inline std::shared_ptr<const ExecProgram> compile(std::initializer_list<TracedTensor> outputs,
                                                                const TracedTensor& input) {
    return default_engine().eager().compiler().compile(outputs, input);
}

/// An input of a graph and its value.
struct Binding {
    TracedTensor input;
    Operand value;
};
using Bindings = std::initializer_list<Binding>;

/// The values of `outputs` for the values of the inputs that they depend on: compiled at the first call with
/// this graph, and run. Throws as GraphCompiler::compile and ExecProgram::run do.
[[nodiscard]] TENFERRO_API std::vector<Tensor> evaluate(std::span<const TracedTensor> outputs,
                                                        Bindings inputs);
[[nodiscard]] inline std::vector<Tensor> evaluate(std::initializer_list<TracedTensor> outputs,
                                                  Bindings inputs) {
    return evaluate(std::span(outputs.begin(), outputs.size()), inputs);
}
[[nodiscard]] inline Tensor evaluate(const TracedTensor& output, Bindings inputs) {
    return std::move(evaluate(std::span(&output, 1), inputs).front());
}

}}  // namespace tenferro::TENFERRO_ABI
