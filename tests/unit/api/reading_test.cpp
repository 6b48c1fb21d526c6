// C++ as a new user writes it: one test for each line that somebody wanted to write.
#include <gtest/gtest.h>

#include <sstream>

#include "support/expect_error.hpp"
#include "tenferro/tenferro.hpp"

using namespace tenferro;
using namespace std::complex_literals;

namespace {

using C64 = std::complex<double>;

std::string printed(const auto& value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

TracedTensor vector_input(DType dtype = DType::F64) { return TracedTensor::input(dtype, {kAnyExtent}); }

TEST(Reading, Creation) {
    const Tensor a = Tensor::from_data<double>({1, 2, 3, 4}, {2, 2}), z = Tensor::zeros(DType::F64, {2, 3});
    EXPECT_EQ(a(0, 1), 3);
    EXPECT_EQ(z.size(), 6);
    EXPECT_EQ(scalar(2.5).item() + ones(DType::F64, {2})(1) + full({1}, 4.)(0) + eye(DType::F64, 3)(2, 2) +
                  arange(0., 3.)(2),
              10.5);
}

TEST(Reading, ListsOfAxes) {
    const Tensor z = Tensor::from_data<double>({1, 2, 3, 4, 5, 6}, {2, 3});
    TensorBackend& backend = default_engine().backend();
    EXPECT_EQ(backend.transpose_read(z, {1, 0})(2, 1), 6);
    EXPECT_EQ(backend.reshape_read(z, {3, 2})(1, 1), 5);
    EXPECT_EQ(backend.slice_read(z, {0, 1}, {2, 3}, {1, 1})(0, 0), 3);
    EXPECT_EQ(backend.reduce_sum_read(z, {0, 1}).item(), 21);
}

TEST(Reading, EinsumOfTensors) {
    const Tensor x = Tensor::from_data<double>({1, 3, 2, 4}, {2, 2}), y = eye(DType::F64, 2);
    EXPECT_EQ(printed(einsum("ij,jk->ik", {x, y})), "[[1. 2.]\n [3. 4.]]");
    EXPECT_EQ(einsum("ij,->", {x, scalar(2.)}).item(), 20);
    EXPECT_EQ(default_engine().einsum("ij,jk->ik", {x, y})(1, 0), 3);
    const tensor_network::EinsumPlan plan(tensor_network::Subscripts::parse("ij,jk->ik"),
                                          std::vector<Dims>{x.shape(), y.shape()});
    EXPECT_EQ(plan.run(default_engine().backend(), {x, y})(0, 1), 2);
    std::vector<Tensor> cores;
    for (int i = 0; i < 3; ++i) cores.push_back(x.duplicate());
    EXPECT_EQ(einsum("ij,jk,kl->il", cores)(0, 0), 37);
}

TEST(Reading, EinsumOfHandles) {
    std::vector<EagerTensor> cores;
    std::vector<TracedTensor> traced;
    for (int i = 0; i < 3; ++i) {
        cores.push_back(parameter(Tensor::from_data<double>({1, 3, 2, 4}, {2, 2})));
        traced.push_back(TracedTensor::input(DType::F64, {2, 2}));
    }
    EXPECT_EQ(einsum("ij,jk,kl->il", cores).value()(0, 0), 37);
    EXPECT_EQ(einsum("ij,jk,kl->il", traced).rank(), 2u);
}

TEST(Reading, ElementsAndText) {
    const Tensor t = Tensor::from_data<double>({1, 2, 3, 4}, {2, 2});
    EXPECT_EQ(t(0, 1) + t(-1, -1), 7);
    EXPECT_EQ(scalar(3).item(), 3);
    EXPECT_EQ(printed(t), "[[1. 3.]\n [2. 4.]]");
    EXPECT_EQ(printed(eager(t.share()) * 2), "[[2. 6.]\n [4. 8.]]");
}

TEST(Reading, ComplexNumbersInGraphs) {
    const TracedTensor a = vector_input(DType::C64), x = vector_input();
    const Tensor av = Tensor::from_data<C64>({C64(1, 2)}, {1}), xv = Tensor::from_data<double>({3}, {1});
    EXPECT_EQ(evaluate(a * 1i, {{a, av}}).item<C64>(), C64(-2, 1));
    EXPECT_EQ(evaluate(1i * x, {{x, xv}}).item<C64>(), C64(0, 3));
    EXPECT_EQ(evaluate(real(a), {{a, av}}).item(), 1);
    EXPECT_EQ(evaluate(imag(a), {{a, av}}).item(), 2);
    EXPECT_EQ(evaluate(complex(x, 2 * x), {{x, xv}}).item<C64>(), C64(3, 6));
    // d |x (1 + 2i)|^2 / dx = 10 x
    const TracedTensor z = x * (1. + 2i), loss = reduce_sum(real(z * conj(z)));
    EXPECT_EQ(evaluate(grad(loss, x), {{x, xv}}).item(), 30);
}

TEST(Reading, ArraysInGraphs) {
    const Tensor weights = Tensor::from_data<double>({1, 10}, {2});
    const TracedTensor x = vector_input(), y = x * TracedTensor::constant(weights);
    const Tensor xv = Tensor::from_data<double>({3, 4}, {2});
    EXPECT_EQ(printed(evaluate(y, {{x, xv}})), "[ 3. 40.]");
    EXPECT_EQ(printed(evaluate(grad(reduce_sum(y * x), x), {{x, xv}})), "[ 6. 80.]");
    const auto compiled = [&](double last) {
        const TracedTensor w = TracedTensor::constant(Tensor::from_data<double>({1, last}, {2}));
        return compile({x * w}, x);
    };
    EXPECT_EQ(compiled(10), compiled(10));  // one structure, one program
    EXPECT_NE(compiled(10), compiled(11));
}

TEST(Reading, ComparisonsAndNumbers) {
    const EagerTensor a = eager(Tensor::from_data<double>({-1, 2, 3}, {3})), b = a * a;
    EXPECT_EQ(printed(b > a), "[ True  True  True]");
    EXPECT_EQ(printed(a >= 2), "[False  True  True]");
    EXPECT_EQ(printed(pow(a, 2)), "[1. 4. 9.]");
    EXPECT_EQ(printed(maximum(a, 0.)), "[0. 2. 3.]");
    EXPECT_EQ(printed(minimum(0, a)), "[-1.  0.  0.]");
    EXPECT_EQ(printed(select(a < 0, -a, a)), "[1. 2. 3.]");
}

TEST(Reading, Reductions) {
    const EagerTensor a = eager(Tensor::from_data<double>({1, 2, 3, 4, 5, 6}, {2, 3}));
    EXPECT_EQ(printed(transpose(a)), "[[1. 2.]\n [3. 4.]\n [5. 6.]]");
    EXPECT_EQ(mean(a).item(), 3.5);
    EXPECT_EQ(printed(mean(a, {0})), "[1.5 3.5 5.5]");
    EXPECT_EQ(norm(eager(Tensor::from_data<double>({3, 4}, {2}))).item(), 5);
    EXPECT_EQ(norm(eager(Tensor::from_data<C64>({C64(0, 3), C64(4, 0)}, {2}))).item(), 5);
    EXPECT_EQ(printed(reduce_sum(a, {-1})), "[ 9. 12.]");
    EXPECT_EQ(printed(reduce_sum(a, {-1}, keepdims)), "[[ 9.]\n [12.]]");
    EXPECT_EQ(printed(a - mean(a, {-1}, keepdims)), "[[-2.  0.  2.]\n [-2.  0.  2.]]");
    EXPECT_EQ(mean(eager(arange(4))).item(), 1.5);
}

TEST(Reading, Broadcasting) {
    const EagerTensor a = eager(Tensor::from_data<double>({1, 2, 3, 4, 5, 6}, {2, 3})),
                      row = eager(Tensor::from_data<double>({10, 20, 30}, {3}));
    EXPECT_EQ(printed(a + row), "[[11. 23. 35.]\n [12. 24. 36.]]");
    EXPECT_EQ(printed(row * eager(Tensor::from_data<double>({1, 2}, {2, 1}))),
              "[[10. 20. 30.]\n [20. 40. 60.]]");
}

TEST(Reading, SecondDerivatives) {
    const TracedTensor p = vector_input(), v = TracedTensor::input(DType::F64, p.meta().shape);
    const TracedTensor loss = reduce_sum(p * p * p);
    const auto program = compile({hvp(loss, p, v)}, {p, v});
    const Tensor pv = Tensor::from_data<double>({1, 2}, {2}), vv = Tensor::from_data<double>({1, 10}, {2});
    EXPECT_EQ(printed(program->run(default_engine().backend(), {pv, vv})[0]), "[  6. 120.]");
    EXPECT_EQ(compile({loss}, p)->run(default_engine().backend(), {pv})[0].item(), 9);
}

TEST(Reading, Descent) {
    EagerTensor p = parameter(Tensor::from_data<double>({1, 2}, {2}));
    const double lr = 0.25;
    for (int step = 0; step < 2; ++step) {
        reduce_sum(p * p).backward();
        p = (p - lr * p.grad()).detach(true);
    }
    EXPECT_EQ(printed(p), "[0.25 0.5 ]");
    EXPECT_EQ(printed(stop_gradient(p)), "[0.25 0.5 ]");
}

TEST(Reading, GradientOfAFunction) {
    EagerTensor p = eager(Tensor::from_data<double>({1, 2}, {2}));
    p = p - 0.25 * grad([](const TracedTensor& x) { return reduce_sum(x * x); }, p);
    EXPECT_EQ(printed(p), "[0.5 1. ]");
    EXPECT_FALSE(p.requires_grad());
}

TEST(Reading, StopGradient) {
    const EagerTensor x = parameter(scalar(3.));
    (x * stop_gradient(x)).backward();
    EXPECT_EQ(x.grad().item(), 3);
    const TracedTensor t = TracedTensor::input(DType::F64, {});
    EXPECT_EQ(evaluate(grad(t * stop_gradient(t), t), {{t, scalar(3.)}}).item(), 3);
}

TEST(Reading, BackwardOfABackward) {
    const EagerTensor x = parameter(scalar(3.)), y = parameter(scalar(2.));
    const EagerTensor cube = x * x * x * y;
    const EagerTensor first = grad(cube, x, true), second = grad(first, x, true), third = grad(second, x);
    EXPECT_EQ(first.item(), 54);
    EXPECT_EQ(second.item(), 36);
    EXPECT_EQ(third.item(), 12);
    (first * first).backward();  // 2 (3 x^2 y) (6 x y), 2 (3 x^2 y) (3 x^2)
    EXPECT_EQ(x.grad().item(), 2 * 54 * 36);
    EXPECT_EQ(y.grad().item(), 2 * 54 * 27);
    EXPECT_FALSE(grad(cube, x).requires_grad());
    EXPECT_ERROR(static_cast<void>(grad(cube, eager(scalar(1.)))), InvalidArgument, "input 0 requires no");
    EXPECT_ERROR(static_cast<void>(parameter(scalar(1.)).grad()), MissingValue, "before backward()");
}

TEST(Reading, Evaluate) {
    const TracedTensor x = vector_input(), y = x * x;
    const std::vector<Tensor> out = evaluate({y, reduce_sum(y)}, {{x, arange(4.)}});
    EXPECT_EQ(printed(out[0]), "[0. 1. 4. 9.]");
    EXPECT_EQ(out[1].item(), 14);
}

TEST(Reading, CommonWordsAreFree) {
    auto graph = 1, runtime = 2, ops = 3, cpu = 4, text = 5, info = 6, version = 7, full = 8, mean = 9;
    EXPECT_EQ(graph + runtime + ops + cpu + text + info + version + full + mean, 45);
}

}  // namespace
