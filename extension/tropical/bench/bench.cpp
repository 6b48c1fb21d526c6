// Calls of the library through C++: products and gradients of any size beside the bound that is measured
// between them, in CPU time of one thread. Prints JSON, a line each. compare.py has the peers.
//   tropical_bench [n...]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>
#include <vector>

#include <tenferro/api/engine.hpp>

#include "tenferro_ext_tropical/einsum.hpp"
#include "yardsticks.hpp"

namespace {

using namespace tenferro;
using tropical::Algebra;

/// Seconds of a call of f, many of which are timed together where it is short.
template <class F>
double seconds(const F& f, int calls) {
    const double begin = now();
    for (int i = 0; i < calls; ++i) f();
    return (now() - begin) / calls;
}

template <class T>
void run(const char* type, const std::vector<Index>& sizes) {
    constexpr std::string_view kProduct = "ij,jk->ik";
    const Rates r = rates(T(1));
    std::printf(
        "{\"row\": \"rates\", \"type\": \"%s\", \"add\": %.1f, \"max\": %.1f, \"fma\": %.1f, "
        "\"add_then_max\": %.1f, \"fma_then_max\": %.1f, \"if_one_pipe_serves_both\": %.1f, "
        "\"bound_gflops\": %.1f}\n",
        type, r.add, r.max, r.fma, r.add_max, r.fma_max, 1 / (1 / r.add + 1 / r.max), bound(r));
    std::mt19937_64 random(7);
    for (const Index n : sizes) {
        std::vector<T> x(static_cast<std::size_t>(n * n)), y(x.size());
        for (std::vector<T>* values : {&x, &y})
            for (T& v : *values) v = static_cast<T>(std::uniform_real_distribution<double>(-1, 1)(random));
        const Tensor a = Tensor::from_data<T>(x, Dims{n, n}), b = Tensor::from_data<T>(y, Dims{n, n});
        const std::vector<TensorRead> operands{a, b};
        const double terms = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
        const int calls = std::max(1, static_cast<int>(4e6 / (terms + 1000)));
        // Of many turns the least counts: on a busy machine the others measure what pushed us out of the
        // caches.
        double forward = HUGE_VAL, back = HUGE_VAL, best = 0;
        for (int round = 0; round < (n > 512 ? 12 : 60); ++round) {
            best = std::max(best, bound(rates(T(1))));
            forward = std::min(
                forward,
                seconds([&] { static_cast<void>(tropical::einsum(Algebra::MaxPlus, kProduct, operands)); },
                        calls));
            back = std::min(
                back,
                seconds(
                    [&] { static_cast<void>(tropical::einsum_vjp(Algebra::MaxPlus, kProduct, operands, a)); },
                    calls));
        }
        std::printf(
            "{\"row\": \"matmul\", \"type\": \"%s\", \"n\": %ld, \"us\": %.3f, \"of_bound\": %.3f, "
            "\"vjp_us\": %.3f, \"vjp_over_forward\": %.2f}\n",
            type, static_cast<long>(n), 1e6 * forward, 2e-9 * terms / forward / best, 1e6 * back,
            back / forward);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int count, char** arguments) {
    tenferro::set_num_threads(1);
    std::vector<Index> sizes;
    for (int i = 1; i < count; ++i) sizes.push_back(std::atol(arguments[i]));
    if (sizes.empty()) sizes = {8, 64, 256, 1024};
    run<double>("f64", sizes);
    run<float>("f32", sizes);
}
