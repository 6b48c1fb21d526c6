// The best approximation of a tensor by rank 1 between its axes (0, 2) and its axis 1, and how its weight
// changes with the tensor. Expected: S = 3, left out 2, d S / d T[0,0,0] = 1
#include <cmath>
#include <cstdio>
#include <tenferro_raii.hpp>

int main() {
    std::vector<double> elements(8);  // T[i, j, k] is elements[i + 2 j + 4 k]
    elements[0] = 3;
    elements[1 + 2 + 4] = 2;
    const tfe::Tensor<double> t(elements, {2, 2, 2});

    const tfe::Split split{{0, 2}, {1}};
    const tfe::Truncation kept{1, 1e-12};  // rank at most 1, singular values at least 1e-12
    const auto [u, s, vt] = tfe::svd(t, split, kept);

    const auto approximation = tfe::einsum("ika,a,aj->ijk", u, s, vt);
    double left_out = 0;
    for (std::size_t i = 0; i < 8; ++i) left_out += std::pow(elements[i] - approximation.data()[i], 2);

    // Reverse mode: the cotangent of S is 1, empty tensors are zero.
    const tfe::Tensor<double> one({1}, {1});
    const auto gradient = tfe::svd_vjp(t, {}, one, {}, split, kept);
    std::printf("S = %g, left out %g, d S / d T[0,0,0] = %g\n", s.item(), std::sqrt(left_out),
                gradient.data()[0]);
}
