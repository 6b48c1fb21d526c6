// Linear algebra: a system of equations, the singular values of a batch, and what is refused.
// Expected: rank 2 of 3, error 0
#include <cmath>
#include <cstdio>
#include <tenferro/linalg/backend.hpp>
#include <tenferro/linalg/functions.hpp>
#include <tenferro/tenferro.hpp>

using namespace tenferro;

int main() {
    const EagerTensor a = eager(Tensor::from_data<double>({4, 1, 2, 1, 5, 3, 2, 3, 6}, {3, 3}));
    const EagerTensor b = eager(Tensor::from_data<double>({9, 20, 26}, {3}));
    const EagerTensor x = linalg::solve(a, b);  // 1, 2, 3
    const auto [sign, logabsdet] = linalg::slogdet(a);
    std::printf("x = %.3g %.3g %.3g, det = %.4g\n", x.value()(0), x.value()(1), x.value()(2),
                sign.item() * std::exp(logabsdet.item()));

    const TracedTensor t = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent});
    const linalg::SvdResult<TracedTensor> svd = linalg::svd(t);
    const Tensor matrix = Tensor::from_data<double>({1, 2, 3, 2, 4, 6, 1, 0, 1}, {3, 3});
    const Tensor s = evaluate(svd.s, {{t, matrix}});
    const Index rank = linalg::kept_rank(s, {.cutoff = 1e-12});
    const auto kept = linalg::truncated_svd(t, rank);
    const Tensor again = evaluate(linalg::product(kept.u * kept.s, kept.vh), {{t, matrix}});
    double error = 0;
    for (Index i = 0; i < 9; ++i)
        error = std::max(error, std::abs(again.data_as<double>()[i] - matrix.data_as<double>()[i]));

    try {
        (void)linalg::LinalgBackend::current().inv_read(Tensor::zeros(DType::F64, {2, 2, 5}));
    } catch (const Error& problem) {
        std::printf("%s\n", problem.what());  // inv: matrix [0] of the batch: pivot 0 is 0
    }
    std::printf("rank %lld of 3, error %.0g\n", static_cast<long long>(rank), error < 1e-14 ? 0 : error);
    return 0;
}
