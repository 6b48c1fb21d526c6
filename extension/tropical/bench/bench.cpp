// Max-plus products and their gradients beside what this processor can do: the rates at which it adds and
// takes maxima, measured in registers in the same run, and a compiled triple loop. Prints JSON, a line each.
//   tropical_bench [n...]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include <tenferro/api/engine.hpp>
#include <tenferro/cpu/contraction/highway_targets.hpp>

#include "tenferro_ext_tropical/einsum.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <tenferro/cpu/contraction/unroll.hpp>

#ifndef TROPICAL_BENCH_RATES
#define TROPICAL_BENCH_RATES
/// Seconds that this thread has computed: others on the machine do not count.
inline double now() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Operations on elements in 1e9 per second: additions alone, maxima alone, products with addition alone, and
/// pairs of an addition (or a product with addition by 1) and a maximum.
struct Rates {
    double add, max, fma, add_max, fma_max;
};
#endif

HWY_BEFORE_NAMESPACE();
namespace bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// 1e9 calls of `step` per second times lanes times kWidth, where a call is kWidth independent operations.
template <class T, class Step>
double rate(const Step& step) {
    const hn::ScalableTag<T> d;
    constexpr int kWidth = 12;
    using V = hn::Vec<decltype(d)>;
    double best = 0;
    for (int repeat = 0; repeat < 15; ++repeat) {
        V a[kWidth], x = hn::Set(d, T(0.5)), one = hn::Set(d, T(1));
        TENFERRO_UNROLL
        for (int j = 0; j < kWidth; ++j) a[j] = hn::Set(d, T(repeat));
        constexpr int kRounds = 40000;
        const auto begin = now();
        for (int i = 0; i < kRounds; ++i) {
            asm volatile("" : "+v"(x), "+v"(one));
            TENFERRO_UNROLL
            for (int j = 0; j < kWidth; ++j) {
                asm volatile("" : "+v"(x));  // or the same addition is made once for all
                a[j] = step(d, a[j], x, one);
            }
        }
        const double time = now() - begin;
        T sums[hn::MaxLanes(d)];
        TENFERRO_UNROLL
        for (int j = 0; j < kWidth; ++j) {
            hn::StoreU(a[j], d, sums);
            asm volatile("" : : "m"(sums));
        }
        best = std::max(best, 1e-9 * kRounds * kWidth * static_cast<double>(hn::Lanes(d)) / time);
    }
    return best;
}

template <class T>
Rates rates() {
    return {
        rate<T>([](auto, auto a, auto x, auto) HWY_ATTR { return hn::Add(a, x); }),
        rate<T>([](auto, auto a, auto x, auto) HWY_ATTR { return hn::Max(a, x); }),
        rate<T>([](auto, auto a, auto x, auto one) HWY_ATTR { return hn::MulAdd(a, one, x); }),
        rate<T>([](auto, auto a, auto x, auto one) HWY_ATTR { return hn::Max(a, hn::Add(x, one)); }),
        rate<T>([](auto, auto a, auto x, auto one) HWY_ATTR { return hn::Max(a, hn::MulAdd(x, one, x)); })};
}
Rates rates_f64() { return rates<double>(); }
Rates rates_f32() { return rates<float>(); }

}  // namespace bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bench {

HWY_EXPORT(rates_f64);
HWY_EXPORT(rates_f32);

using namespace tenferro;
using tropical::Algebra;

/// Least seconds of a call, over about `budget` seconds of calls.
template <class F>
double seconds(const F& f, double budget = 0.4) {
    double best = 1e99, spent = 0;
    f();
    for (int i = 0; i < 3 || spent < budget; ++i) {
        const auto begin = now();
        f();
        const double time = now() - begin;
        best = std::min(best, time);
        spent += time;
    }
    return best;
}

template <class T>
void triple_loop(const T* a, const T* b, T* c, Index n) {
    for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < n; ++i) c[j * n + i] = -HUGE_VAL;
        for (Index k = 0; k < n; ++k)
            for (Index i = 0; i < n; ++i) {
                const T term = a[k * n + i] + b[j * n + k];
                c[j * n + i] = term > c[j * n + i] ? term : c[j * n + i];
            }
    }
}

/// c[i, j] one after the other, as the formula reads.
template <class T>
void naive_loop(const T* a, const T* b, T* c, Index n) {
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) {
            T best = -HUGE_VAL;
            for (Index k = 0; k < n; ++k) best = std::max(best, a[k * n + i] + b[j * n + k]);
            c[j * n + i] = best;
        }
}

template <class T>
void run(const char* type, const Rates& rates, const std::vector<Index>& sizes) {
    // One pipe for both: the sum of the times; two: the slower. What was measured decides, as it can do both.
    const double bound = std::max(rates.add_max, rates.fma_max);
    std::printf(
        "{\"row\": \"rates\", \"type\": \"%s\", \"add\": %.1f, \"max\": %.1f, \"fma\": %.1f, "
        "\"add_then_max\": %.1f, \"fma_then_max\": %.1f, \"if_one_pipe_serves_both\": %.1f, "
        "\"bound_gflops\": %.1f}\n",
        type, rates.add, rates.max, rates.fma, rates.add_max, rates.fma_max,
        1 / (1 / rates.add + 1 / rates.max), 2 * bound);
    std::mt19937_64 random(7);
    for (const Index n : sizes) {
        std::vector<T> x(static_cast<std::size_t>(n * n)), y(x.size()), z(x.size());
        for (T& v : x) v = static_cast<T>(std::uniform_real_distribution<double>(-1, 1)(random));
        for (T& v : y) v = static_cast<T>(std::uniform_real_distribution<double>(-1, 1)(random));
        const Tensor a = Tensor::from_data<T>(x, Dims{n, n}), b = Tensor::from_data<T>(y, Dims{n, n}),
                     w = Tensor::from_data<T>(x, Dims{n, n});
        const std::vector<TensorRead> operands{a, b};
        const double flops = 2e-9 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
        const int calls = n <= 16 ? 1000 : 1;
        const double forward =
            seconds([&] {
                for (int i = 0; i < calls; ++i)
                    static_cast<void>(tropical::einsum(Algebra::MaxPlus, "ij,jk->ik", operands));
            }) /
            calls;
        const double back =
            seconds([&] {
                for (int i = 0; i < calls; ++i)
                    static_cast<void>(tropical::einsum_vjp(Algebra::MaxPlus, "ij,jk->ik", operands, w));
            }) /
            calls;
        const double loop = n > 512 ? 0 : seconds([&] { triple_loop(x.data(), y.data(), z.data(), n); });
        const double naive = n > 512 ? 0 : seconds([&] { naive_loop(x.data(), y.data(), z.data(), n); });
        std::printf(
            "{\"row\": \"matmul\", \"type\": \"%s\", \"n\": %ld, \"us\": %.3f, \"gflops\": %.1f, "
            "\"of_bound\": %.3f, \"vjp_us\": %.3f, \"vjp_over_forward\": %.2f, \"loop_us\": %.1f, "
            "\"naive_loop_us\": %.1f}\n",
            type, static_cast<long>(n), 1e6 * forward, flops / forward, flops / forward / (2 * bound),
            1e6 * back, back / forward, 1e6 * loop, 1e6 * naive);
        std::fflush(stdout);
    }
}

}  // namespace bench

int main(int count, char** arguments) {
    tenferro::set_num_threads(1);
    std::vector<tenferro::Index> sizes;
    for (int i = 1; i < count; ++i) sizes.push_back(std::atol(arguments[i]));
    if (sizes.empty()) sizes = {8, 64, 256, 1024};
    bench::run<double>("f64", HWY_DYNAMIC_DISPATCH(bench::rates_f64)(), sizes);
    bench::run<float>("f32", HWY_DYNAMIC_DISPATCH(bench::rates_f32)(), sizes);
}
#endif
