// What this processor can do: see yardsticks.hpp.
#include "yardsticks.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <initializer_list>

#include <tenferro/cpu/contraction/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "yardsticks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <tenferro/cpu/contraction/unroll.hpp>

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
    for (int repeat = 0; repeat < 5; ++repeat) {
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
Rates all_rates() {
    return {
        rate<T>([](auto, auto a, auto x, auto) HWY_ATTR { return hn::Add(a, x); }),
        rate<T>([](auto, auto a, auto x, auto) HWY_ATTR { return hn::Max(a, x); }),
        rate<T>([](auto, auto a, auto x, auto one) HWY_ATTR { return hn::MulAdd(a, one, x); }),
        rate<T>([](auto, auto a, auto x, auto one) HWY_ATTR { return hn::Max(a, hn::Add(x, one)); }),
        rate<T>([](auto, auto a, auto x, auto one) HWY_ATTR { return hn::Max(a, hn::MulAdd(x, one, x)); })};
}
Rates rates_f64() { return all_rates<double>(); }
Rates rates_f32() { return all_rates<float>(); }

}  // namespace bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
double now() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

namespace bench {

HWY_EXPORT(rates_f64);
HWY_EXPORT(rates_f32);

namespace {

template <class T>
void columns_loop(const T* a, const T* b, T* c, long n) {
    for (long j = 0; j < n; ++j) {
        for (long i = 0; i < n; ++i) c[j * n + i] = -HUGE_VAL;
        for (long k = 0; k < n; ++k)
            for (long i = 0; i < n; ++i) {
                const T term = a[k * n + i] + b[j * n + k];
                c[j * n + i] = term > c[j * n + i] ? term : c[j * n + i];
            }
    }
}

/// c[i, j] one after the other, as the formula reads.
template <class T>
void loop(const T* a, const T* b, T* c, long n) {
    for (long i = 0; i < n; ++i)
        for (long j = 0; j < n; ++j) {
            T best = -HUGE_VAL;
            for (long k = 0; k < n; ++k) best = std::max(best, a[k * n + i] + b[j * n + k]);
            c[j * n + i] = best;
        }
}

}  // namespace

}  // namespace bench

Rates rates(double) { return HWY_DYNAMIC_DISPATCH(bench::rates_f64)(); }
Rates rates(float) { return HWY_DYNAMIC_DISPATCH(bench::rates_f32)(); }

double tropical_bound_f64() { return bound(rates(1.0)); }
double tropical_bound_f32() { return bound(rates(1.0F)); }
void tropical_columns_loop_f64(const double* a, const double* b, double* c, long n) {
    bench::columns_loop(a, b, c, n);
}
void tropical_columns_loop_f32(const float* a, const float* b, float* c, long n) {
    bench::columns_loop(a, b, c, n);
}
void tropical_loop_f64(const double* a, const double* b, double* c, long n) { bench::loop(a, b, c, n); }
void tropical_loop_f32(const float* a, const float* b, float* c, long n) { bench::loop(a, b, c, n); }
#endif
