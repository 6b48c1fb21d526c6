// Eager arithmetic and a gradient. Expected: [2. 4. 6.]
#include <iostream>
#include <tenferro/tenferro.hpp>

using namespace tenferro;

int main() {
    const EagerTensor x = parameter(Tensor::from_data<double>({1, 2, 3}, {3}));
    const EagerTensor loss = reduce_sum(x * x);
    loss.backward();
    std::cout << loss << "\n" << x.grad() << "\n";
}
