// What this processor can do, to measure products against: the rates at which it adds and takes maxima in
// registers, and compiled triple loops. The functions with C names are for compare.py.
#pragma once

#include <algorithm>

/// Seconds that this thread has computed: others on the machine do not count.
double now();

/// Operations on elements in 1e9 per second: additions alone, maxima alone, products with addition alone, and
/// pairs of an addition (or a product with addition by 1) and a maximum.
struct Rates {
    double add, max, fma, add_max, fma_max;
};
Rates rates(double);
Rates rates(float);

/// 1e9 flops per second of the better pair. One pipe for both makes the sum of the times, two the slower;
/// what was measured decides, as the processor can do both.
inline double bound(const Rates& rates) { return 2 * std::max(rates.add_max, rates.fma_max); }

extern "C" {
double tropical_bound_f64();
double tropical_bound_f32();
/// c[i, j] is the maximum over k of a[i, k] + b[k, j], n by n, columns adjacent: one element after the other,
/// as the formula reads, or column by column, which compilers make vectors of.
void tropical_loop_f64(const double* a, const double* b, double* c, long n);
void tropical_loop_f32(const float* a, const float* b, float* c, long n);
void tropical_columns_loop_f64(const double* a, const double* b, double* c, long n);
void tropical_columns_loop_f32(const float* a, const float* b, float* c, long n);
}
