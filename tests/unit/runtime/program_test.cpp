// Tracing, compiling and running programs.
#include <gtest/gtest.h>

#include "tenferro/api/engine.hpp"
#include "tenferro/runtime/compiler.hpp"

namespace tenferro {
namespace {

Tensor vector_of(std::vector<double> values) {
    const Index n = static_cast<Index>(values.size());
    return Tensor::from_data<double>(values, std::span(&n, 1));
}

std::vector<double> values_of(const Tensor& a) {
    const double* data = a.data_as<double>();
    return {data, data + a.size()};
}

TEST(Program, RunsWithChangingExtents) {
    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent});
    const TracedTensor y = reduce_sum(x * x + 1.0);
    GraphCompiler compiler;
    const auto program = compiler.compile({y, grad(y, x)}, {x});
    for (const std::vector<double>& values : {std::vector<double>{1, 2, 3}, {4, 5}, {}}) {
        const Tensor a = vector_of(values);
        const std::vector<Tensor> out = program->run(default_engine().backend(), {&a.read(), 1});
        double sum = 0;
        std::vector<double> slope;
        for (const double v : values) {
            sum += v * v + 1;
            slope.push_back(2 * v);
        }
        EXPECT_EQ(values_of(out[0]), std::vector<double>{sum});
        EXPECT_EQ(values_of(out[1]), slope);
    }
}

}  // namespace
}  // namespace tenferro
