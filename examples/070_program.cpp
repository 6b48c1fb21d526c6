// A loss is traced once, differentiated, compiled, and run on inputs of different sizes.
// Expected: 3 samples: loss 1.125, gradient [-0.25, -2]; 4 samples: loss 1.25, gradient [-0.5, -2]
#include <cstdio>
#include <vector>

#include "tenferro/api/engine.hpp"
#include "tenferro/runtime/compiler.hpp"

using namespace tenferro;

int main() {
    // Linear regression with any number of samples: sum (x w - y)^2 / 2.
    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent, 2});
    const TracedTensor y = TracedTensor::input(DType::F64, {kAnyExtent});
    const TracedTensor w = TracedTensor::input(DType::F64, {2});
    const TracedTensor residual = matmul(x, w) - y;
    const TracedTensor loss = reduce_sum(residual * residual) * 0.5;

    GraphCompiler compiler;
    const auto program = compiler.compile({loss, grad(loss, w)}, {x, y, w});

    const Tensor weights = Tensor::from_data<double>(std::vector<double>{1, 0}, std::vector<Index>{2});
    for (const Index samples : {3, 4}) {
        std::vector<double> columns(static_cast<std::size_t>(2 * samples), 0.0),
            targets(static_cast<std::size_t>(samples), 1.0);
        for (Index i = 0; i < samples; ++i) {
            columns[static_cast<std::size_t>(i)] = 0.5 * (i % 2);  // a column for each weight
            columns[static_cast<std::size_t>(samples + i)] = 1.0 * (i % 2 == 0);
        }
        const Tensor data = Tensor::from_data<double>(columns, std::vector<Index>{samples, 2});
        const Tensor wanted = Tensor::from_data<double>(targets, std::vector<Index>{samples});
        const std::vector<TensorRead> inputs{data, wanted, weights};
        const std::vector<Tensor> out = program->run(default_engine().backend(), inputs);
        const double* gradient = out[1].data_as<double>();
        std::printf("%lld samples: loss %g, gradient [%g, %g]%s", static_cast<long long>(samples),
                    *out[0].data_as<double>(), gradient[0], gradient[1], samples == 3 ? "; " : "\n");
    }
}
