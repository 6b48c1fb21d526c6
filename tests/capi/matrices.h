/* What the tests of linear algebra share: drawn numbers, which types belong to a family, products and
 * comparisons of matrices, and the helpers of every family. */
#ifndef TENFERRO_TESTS_MATRICES_H
#define TENFERRO_TESTS_MATRICES_H

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "check.h"
#include "matrix_types.h"

/* Elements of the largest tensor. */
enum { kMost = 96 };

#define REAL_SCALAR SCALAR

/* Between -1 and 1, the same sequence in every run. */
static inline double draw_real(void) {
    static uint64_t state = 20250301;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 4503599627370496.0 - 1;
}
static inline double _Complex draw_complex(void) {
    const double real = draw_real();
    return real + I * draw_real();
}

static size_t shape_seen[8];

static inline int has_shape(size_t ndim, size_t wanted_ndim, const size_t* shape, const size_t* wanted) {
    size_t i;
    if (ndim != wanted_ndim) return 0;
    for (i = 0; i < ndim; ++i)
        if (shape[i] != wanted[i]) return 0;
    return 1;
}

/* Re sum conj(a) b. */
static inline double inner_product(size_t len, const double _Complex* a, const double _Complex* b) {
    double sum = 0;
    size_t i;
    for (i = 0; i < len; ++i) sum += creal(conj(a[i]) * b[i]);
    return sum;
}

/* z = x y: m x k, k x n, m x n. */
static inline void multiply(size_t m, size_t k, size_t n, const double _Complex* x, const double _Complex* y,
                            double _Complex* z) {
    size_t i, j, l;
    for (j = 0; j < n; ++j)
        for (i = 0; i < m; ++i) {
            z[i + m * j] = 0;
            for (l = 0; l < k; ++l) z[i + m * j] += x[i + m * l] * y[l + k * j];
        }
}
/* z = x y + v w. */
static inline void add_products(size_t m, size_t k, size_t n, const double _Complex* x,
                                const double _Complex* y, const double _Complex* v, const double _Complex* w,
                                double _Complex* z) {
    double _Complex other[kMost];
    size_t i;
    multiply(m, k, n, x, y, z);
    multiply(m, k, n, v, w, other);
    for (i = 0; i < m * n; ++i) z[i] += other[i];
}
/* The conjugate transpose of the m x n matrix x. */
static inline void turn(size_t m, size_t n, const double _Complex* x, double _Complex* z) {
    size_t i, j;
    for (j = 0; j < n; ++j)
        for (i = 0; i < m; ++i) z[j + n * i] = conj(x[i + m * j]);
}
static inline double distance(size_t len, const double _Complex* x, const double _Complex* y) {
    double most = 0;
    size_t i;
    for (i = 0; i < len; ++i) most = fmax(most, cabs(x[i] - y[i]));
    return most;
}
static inline double largest(size_t len, const double _Complex* x) {
    double most = 0;
    size_t i;
    for (i = 0; i < len; ++i) most = fmax(most, cabs(x[i]));
    return most;
}

/* Releases `count` handles of one type. */
static inline void release_all(void (*release)(void*), int count, ...) {
    va_list handles;
    va_start(handles, count);
    while (count-- > 0) release(va_arg(handles, void*));
    va_end(handles);
}

#define TEMPLATE "matrices_family.h"
#include "each_element.h"
#undef TEMPLATE

#endif
