// A user's C++ program: multiplies two matrices, checks the product, and catches an Error across the library
// boundary.
#include <cstdio>
#include <tenferro/api/engine.hpp>
#include <tenferro/base/error.hpp>
#include <vector>

int main() {
    using namespace tenferro;
    const Tensor a = Tensor::from_data<double>(std::vector<double>{1, 3, 2, 4}, Dims{2, 2});
    const Tensor b = Tensor::from_data<double>(std::vector<double>{5, 7, 6, 8}, Dims{2, 2});
    const std::vector<TensorRead> operands{a.read(), b.read()};
    const Tensor product = default_engine().einsum("ij,jk->ik", operands);
    const double expected[] = {19, 43, 22, 50};
    int wrong = 0;
    for (int i = 0; i < 4; ++i) wrong += product.data_as<double>()[i] != expected[i];
    try {
        (void)default_engine().einsum("ij,jk", operands);
        ++wrong;
    } catch (const Error& error) {
        wrong += error.kind() != ErrorKind::InvalidArgument;
    }
    std::printf("tenferro %s: %s\n", std::string(version()).c_str(), wrong ? "wrong" : "right");
    return wrong;
}
