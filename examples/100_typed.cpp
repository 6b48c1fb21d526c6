// Element type and rank as part of the C++ type: checked once, where a tensor becomes a TypedTensor.
// Expected: trace 5, corner 3, rank is 2 but the type says 1
#include <cstdio>
#include <vector>

#include "tenferro/api/engine.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/tensor/typed_tensor.hpp"

using namespace tenferro;

double trace(TypedTensorView<double, 2> matrix) {
    const auto diagonal = matrix.diagonal_view(0, 1);  // a TypedTensorView<double, 1>
    double sum = 0;
    for (Index i = 0; i < diagonal.size(); ++i) sum += diagonal(i);
    return sum;
}

int main() {
    const auto a =
        TypedTensor<double, 2>::from_data(std::vector<double>{1, 3, 2, 4}, Dims{2, 2});  // column-major
    std::printf("trace %g, corner %g, ", trace(a.view()), a(1, 0));
    try {
        const TypedTensor<double, 1> vector(default_engine().einsum("ij->ji", std::vector<TensorRead>{a}));
    } catch (const Error& error) {
        std::printf("%s\n", std::string(error.message()).c_str());
    }
}
