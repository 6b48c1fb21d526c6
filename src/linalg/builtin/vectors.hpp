// The loops over vectors and columns that the algorithms of kind builtin spend their time in beside matrix
// products, on the best instruction set of the processor. Columns of a matrix are `step` apart.
#pragma once

#include "linalg/scalar.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// A reflection of three numbers: x less (x_0 + dot_1 x_1 + dot_2 x_2) (to_0, to_1, to_2).
template <class T>
struct TripleReflection {
    T dot_1, dot_2, to_0, to_1, to_2;
};

template <class T>
struct VectorKernels {
    using R = RealOf<T>;
    /// y = Aᴴ x for A [m, n].
    void (*project)(Index m, Index n, const T* a, Index step, const T* x, T* y);
    /// y += A x.
    void (*combine)(Index m, Index n, const T* a, Index step, const T* x, T* y);
    /// y += A x for the Hermitian matrix whose lower triangle has the n columns A [m, n], n <= m, on and
    /// below its diagonal, which is real: what else of the matrix there is, is 0.
    void (*combine_lower)(Index m, Index n, const T* a, Index step, const T* x, T* y);
    /// A += x yᵀ.
    void (*add_outer)(Index m, Index n, const T* x, const T* y, T* a, Index step);
    /// (x, y) becomes (c x + s y, c y - s x).
    void (*rotate)(Index n, R c, R s, T* x, T* y);
    /// The largest magnitude(), NaN where an element is not finite.
    R (*largest)(Index n, const T* x);
    /// The first place whose sum_of_moduli() is the largest, 0 where there is none.
    Index (*pivot)(Index n, const T* x);
    /// Reflects the rows of A, which has m: columns k, k + 1 and k + 2 by the k-th of `count` reflections,
    /// one after the other; with `ends` the last is of two columns, and there is no other.
    void (*reflect)(Index m, Index count, const TripleReflection<T>* reflections, bool ends, T* a,
                    Index step);
};

/// For all four element types.
template <class T>
[[nodiscard]] const VectorKernels<T>& vector_kernels();

/// What the secular equation of divide and conquer is made of: poles, in ascending order, at d, or at the
/// squares of d, and their distances from a point that is mu away from `origin`, one of the d.
template <class R>
struct Poles {
    Index n;
    const R* d;
    bool squared;
};
template <class R>
struct SecularSum {
    R value, derivative;
};
template <class R>
struct SecularKernels {
    /// distance_j = d_j - origin - mu, times d_j + origin + mu where poles are squared, for j in [first,
    /// last), and the sums of z_j²/distance_j and z_j²/distance_j².
    SecularSum<R> (*sums)(const Poles<R>& poles, Index first, Index last, const R* z_squared, R origin, R mu,
                          R* distance);
    /// product_j *= distance_j / (pole_j - pole_i) for j in [first, last).
    void (*gather)(const Poles<R>& poles, Index first, Index last, Index i, const R* distance, R* product);
    /// distance_j becomes z_j / distance_j; the sum of squares.
    R (*vector)(Index n, const R* z, R* distance);
};
/// For float and double.
template <class R>
[[nodiscard]] const SecularKernels<R>& secular_kernels();

}}}  // namespace tenferro::TENFERRO_ABI::linalg
