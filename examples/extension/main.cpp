// Value and gradient of sum(log_add_exp(a, b)), eager and compiled, the graph as text, and a check of the
// derivatives. Prints
//   value 11.32 gradient 0.5 0.8
//   compiled 11.32 gradient 0.5 0.8
//   read back: the same
//   derivatives: right
#include "log_add_exp.hpp"

#include <cmath>
#include <cstdio>
#include <tenferro/api/engine.hpp>
#include <tenferro/runtime/graph_json.hpp>
#include <tenferro/testing/gradcheck.hpp>

using namespace tenferro;

namespace {

template <class Handle>
Handle loss(const Handle& a, const Handle& b) {
    return reduce_sum(log_add_exp::log_add_exp(a, b, 2));
}

void print(const char* name, double value, const Tensor& gradient) {
    std::printf("%s %.4g gradient %.4g %.4g\n", name, value, gradient.data_as<double>()[0],
                gradient.data_as<double>()[1]);
}

int run() {
    log_add_exp::register_operations();
    const Tensor x = Tensor::from_data<double>(std::vector<double>{3, 7}, Dims{2});
    const Tensor y = Tensor::from_data<double>(std::vector<double>{3, 5}, Dims{2});
    Engine& engine = default_engine();

    const EagerTensor a(engine.eager(), x.duplicate(), true), b(engine.eager(), y.duplicate());
    const EagerTensor sum = loss(a, b);
    sum.backward();
    print("value", *sum.value().data_as<double>(), a.grad().value());

    const TracedTensor ta = TracedTensor::input(DType::F64, {kAnyExtent}),
                       tb = TracedTensor::input(DType::F64, {kAnyExtent});
    const TracedTensor traced = loss(ta, tb);
    GraphCompiler compiler;
    const auto program = compiler.compile({traced, grad(traced, ta)}, {ta, tb});
    const std::vector<TensorRead> inputs{x, y};
    const std::vector<Tensor> out = program->run(engine.backend(), inputs);
    print("compiled", *out[0].data_as<double>(), out[1]);

    const GlobalValKey keys[] = {ta.key(), tb.key()}, result = traced.key();
    const graph_runtime::GuardedGraph graph{op_graph::materialise<StdTensorOp>({&result, 1}, keys).graph, {}};
    const bool same = graph_runtime::graph_from_json(graph_runtime::graph_to_json(graph)) == graph;
    std::printf("read back: %s\n", same ? "the same" : "another graph");

    const auto function = [](auto x) { return std::vector{log_add_exp::log_add_exp(x[0], x[1], 2)}; };
    const gradcheck::Report report = gradcheck::check({.operands = {{.shape = {2, 3}}, {.shape = {2, 3}}},
                                                       .function = function,
                                                       .other_shapes = {{4, 1}, {4, 1}},
                                                       .single = false},
                                                      engine.backend());
    std::printf("derivatives: %s\n", report.failures.empty() ? "right" : report.text().c_str());
    const double expected = 4 + 7 + std::log2(1.25);
    return same && report.failures.empty() && std::abs(*out[0].data_as<double>() - expected) < 1e-12 ? 0 : 1;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const Error& error) {
        std::printf("%s\n", error.what());
        return 1;
    }
}
