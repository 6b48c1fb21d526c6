// einsum in C++: a batched product of complex matrices with the batch axis last, and what an error looks
// like. Expected: einsum: label j has extent 3
#include <complex>
#include <cstdio>
#include <vector>

#include "tenferro/api/engine.hpp"
#include "tenferro/base/error.hpp"

using namespace tenferro;

int main() {
    using C64 = std::complex<double>;
    const Tensor a = Tensor::from_data<C64>(std::vector<C64>(2 * 3 * 4, C64(0, 1)), Dims{2, 3, 4});
    const Tensor b = Tensor::from_data<C64>(std::vector<C64>(3 * 5 * 4, C64(1, 1)), Dims{3, 5, 4});
    const std::vector<TensorRead> operands{a.read(), b.read()};

    const Tensor c = default_engine().einsum("ijb,jkb->ikb", operands);
    const C64 first = *c.data_as<C64>();  // 3 i (1 + i) = -3 + 3i
    std::printf("shape [%d, %d, %d], first element %g%+gi\n", static_cast<int>(c.shape()[0]),
                static_cast<int>(c.shape()[1]), static_cast<int>(c.shape()[2]), first.real(), first.imag());

    try {
        (void)default_engine().einsum("ijb,kjb->ikb", operands);
    } catch (const Error& error) {
        std::printf("%s\n", error.what());
    }
    return first == C64(-3, 3) ? 0 : 1;
}
