// Derivatives: of a function at eager tensors, of what was run, and of second order; with an einsum inside.
// Expected: loss 22, gradient [8, 18], backward [8, 18], tangent 26, Hessian times v [6, 10]
#include <cstdio>
#include <vector>

#include "tenferro/api/engine.hpp"
#include "tenferro/einsum/replay.hpp"
#include "tenferro/runtime/compiler.hpp"
#include "tenferro/runtime/functional.hpp"

using namespace tenferro;

/// x^T A x, for any handle.
template <class Handle>
Handle energy(const Handle& a, const Handle& x) {
    return einsum("ij,i,j->", {a, x, x});
}

int main() {
    EagerContext& context = default_engine().eager();
    const auto tensor = [](std::vector<double> values, Dims shape) {
        return Tensor::from_data<double>(values, shape);
    };
    const EagerTensor a(context, tensor({2, 1, 1, 4}, Dims{2, 2}));
    const EagerTensor x(context, tensor({1, 2}, Dims{2}), /*requires_grad=*/true);
    const EagerTensor v(context, tensor({1, 1}, Dims{2}));
    const auto print = [](const char* name, const Tensor& value, const char* end) {
        std::printf("%s [%g, %g]%s", name, value.data_as<double>()[0], value.data_as<double>()[1], end);
    };

    // Of a function: traced once for these shapes, compiled, run.
    const auto loss = [](std::span<const TracedTensor> in) { return energy(in[0], in[1]); };
    const std::vector<EagerTensor> at{a, x};
    const EagerTensor value = energy(a, x);
    std::printf("loss %g, ", *value.value().data_as<double>());
    print("gradient", grad(loss, at)[1].value(), ", ");

    // Of what was run.
    value.backward();
    print("backward", x.grad().value(), ", ");

    // Forward mode: along v.
    const auto of_x = [](std::span<const TracedTensor> in) {
        return std::vector{energy(TracedTensor(in[0]), in[1])};
    };
    const std::vector<EagerTensor> along{EagerTensor(context, Tensor::zeros(DType::F64, Dims{2, 2})), v};
    std::printf("tangent %g, ", *jvp(of_x, at, along)[0].value().data_as<double>());

    // Second order: derivatives of traced tensors are traced tensors.
    const TracedTensor ta = TracedTensor::input(DType::F64, {2, 2});
    const TracedTensor tx = TracedTensor::input(DType::F64, {2}), tv = TracedTensor::input(DType::F64, {2});
    const std::vector<TracedTensor> parameters{tx};
    const std::vector<std::optional<TracedTensor>> directions{tv};
    GraphCompiler compiler;
    const auto program =
        compiler.compile(hvp(energy(ta, tx), parameters, directions), std::vector{ta, tx, tv});
    const std::vector<TensorRead> inputs{a.value(), x.value(), v.value()};
    print("Hessian times v", program->run(default_engine().backend(), inputs)[0], "\n");
}
