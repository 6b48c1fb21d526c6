// Contractions with handles that release themselves, errors as exceptions, and memory that is not copied.
// Expected: c = 22 28 49 64, gradient of a = 5 5 7 7 9 9, label j has extent 2 in operand 0
#include <cstdio>
#include <tenferro_raii.hpp>

int main() {
    // A copy of the elements, a view of memory that is ours, and a vector that the tensor takes over.
    double memory[6] = {1, 2, 3, 4, 5, 6};
    const tfe::Tensor<double> a({1, 2, 3, 4, 5, 6}, {2, 3});
    const auto b = tfe::Tensor<double>::view(memory, {3, 2});
    const auto ones = tfe::Tensor<double>::adopt(std::vector<double>(4, 1.0), {2, 2});

    const auto c = tfe::einsum("ij,jk->ik", a, b);
    std::printf("c =");
    for (const double element : c) std::printf(" %g", element);

    const std::vector<tfe::Tensor<double>> gradients = tfe::einsum_vjp("ij,jk->ik", {a, b}, ones);
    std::printf(", gradient of a =");
    for (const double element : gradients[0]) std::printf(" %g", element);

    try {
        tfe::einsum("ij,jk->ik", ones, b);
    } catch (const tfe::Error& error) {
        if (error.status() != TFE_SHAPE_MISMATCH) return 1;
        std::printf(", %s\n", std::string(error.what()).substr(8, 40).c_str());
    }
}
