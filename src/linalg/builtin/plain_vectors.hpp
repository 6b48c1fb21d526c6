// VectorKernels in plain loops: of complex numbers where vectors of the processor have one lane, and so no
// pairs.
#pragma once

#include <algorithm>
#include <cmath>

#include "linalg/builtin/vectors.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

template <class T>
struct PlainVectors {
    using R = RealOf<T>;

    static void project(Index m, Index n, const T* a, Index step, const T* x, T* y) {
        for (Index j = 0; j < n; ++j) {
            T sum = 0;
            for (Index i = 0; i < m; ++i) sum += conjugate(a[i + j * step]) * x[i];
            y[j] = sum;
        }
    }
    static void combine(Index m, Index n, const T* a, Index step, const T* x, T* y) {
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < m; ++i) y[i] += a[i + j * step] * x[j];
    }
    static void combine_lower(Index m, Index n, const T* a, Index step, const T* x, T* y) {
        for (Index j = 0; j < n; ++j) {
            y[j] += real_part(a[j + j * step]) * x[j];
            for (Index i = j + 1; i < m; ++i) {
                y[i] += a[i + j * step] * x[j];
                y[j] += conjugate(a[i + j * step]) * x[i];
            }
        }
    }
    static void add_outer(Index m, Index n, const T* x, const T* y, T* a, Index step) {
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < m; ++i) a[i + j * step] += x[i] * y[j];
    }
    static void rotate(Index n, R c, R s, T* x, T* y) {
        for (Index i = 0; i < n; ++i) {
            const T u = x[i], v = y[i];
            x[i] = c * u + s * v;
            y[i] = c * v - s * u;
        }
    }
    static R largest(Index n, const T* x) {
        R most = 0, lost = 0;  // NaN from where one is
        for (Index i = 0; i < n; ++i) {
            most = std::max(most, magnitude(x[i]));
            lost += sum_of_moduli(x[i] - x[i]);
        }
        return most + lost;
    }
    static Index pivot(Index n, const T* x) {
        Index found = 0;
        for (Index i = 1; i < n; ++i)
            if (sum_of_moduli(x[i]) > sum_of_moduli(x[found])) found = i;
        return found;
    }
    static void reflect(Index m, Index count, const TripleReflection<T>* reflections, bool ends, T* a,
                        Index step) {
        for (Index k = 0; k < count; ++k, a += step) {
            const TripleReflection<T>& by = reflections[k];
            const bool of_two = ends && k + 1 == count;
            for (Index i = 0; i < m; ++i) {
                T &x = a[i], &y = a[i + step];
                T sum = x + by.dot_1 * y;
                if (!of_two) {
                    T& z = a[i + 2 * step];
                    sum += by.dot_2 * z;
                    z -= by.to_2 * sum;
                }
                x -= by.to_0 * sum;
                y -= by.to_1 * sum;
            }
        }
    }

    static constexpr VectorKernels<T> kKernels{project, combine, combine_lower, add_outer,
                                               rotate,  largest, pivot,         reflect};
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
