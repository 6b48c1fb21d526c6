// Our side of docs/comparison.md. Expected: [ 6. 48.]
#include <iostream>
#include <tenferro/tenferro.hpp>

using namespace tenferro;

int main() {
    {
        Tensor a = Tensor::from_data<double>({1, 2, 3, 4}, {2, 2}), z = Tensor::zeros(DType::F64, {2, 3});
        std::cout << a << " " << a(0, 1) << "\n";
    }
    {
        const EagerTensor a = eager(ones(DType::F64, {2, 3, 8})), b = eager(ones(DType::F64, {3, 4, 8}));
        auto c = matmul(a, b);
        std::cout << c.value()(1, 3, 7) << "\n";
    }
    {
        EagerTensor x = parameter(Tensor::from_data<double>({1, 2, 3}, {3}));
        reduce_sum(x * x).backward();
        std::cout << x.grad() << "\n";
    }
    {
        const Tensor a = ones(DType::F64, {2, 3, 4}), b = ones(DType::F64, {3, 5}),
                     c = ones(DType::F64, {5, 2});
        Tensor t = einsum("ijb,jk,kl->ilb", {a, b, c});
        std::cout << t(0, 0, 0) << "\n";
    }
    {
        const EagerTensor x = eager(Tensor::from_data<double>({1, 2, 3, 5}, {2, 2}));
        auto y = (x - mean(x, {-1}, keepdims)) / norm(x, {-1}, keepdims);
        std::cout << y << "\n";
    }
    {
        const double lr = 0.25;
        EagerTensor p = eager(Tensor::from_data<double>({1, 2}, {2}));
        p = p - lr * grad([](const TracedTensor& x) { return reduce_sum(x * x); }, p);
        std::cout << p << "\n";
    }
    const TracedTensor p = TracedTensor::input(DType::F64, {2}), v = TracedTensor::input(DType::F64, {2});
    const TracedTensor loss = reduce_sum(p * p * p);
    auto program = compile({hvp(loss, p, v)}, {p, v});
    const Tensor at = Tensor::from_data<double>({1, 2}, {2}), along = Tensor::from_data<double>({1, 4}, {2});
    std::cout << program->run(default_engine().backend(), {at, along})[0] << "\n";
}
