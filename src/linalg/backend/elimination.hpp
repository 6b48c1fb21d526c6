// What solving by elimination needs in several places: zeros among pivots, packed factors as matrices, and
// the lanes of small systems.
#pragma once

#include <cmath>

#include "linalg/backend/factors.hpp"
#include "linalg/small/groups.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// The first zero on the diagonal of an n x n matrix, n where there is none.
template <class T>
Index first_zero(Index n, const T* a) {
    Index at = 0;
    while (at < n && a[at + at * n] != T(0)) ++at;
    return at;
}

[[nodiscard]] inline Problem zero_pivot(Index at) {
    return {ErrorKind::Singular, text("pivot ", at, " is 0")};
}

/// P from the row of A for each row of P A.
template <class T>
void permutation_matrix(Index n, const std::int64_t* source, bool of_rows, T* p) {
    std::fill_n(p, n * n, T(0));
    for (Index i = 0; i < n; ++i) p[of_rows ? i + source[i] * n : source[i] + i * n] = 1;
}

/// Packed factors as L [m, k] and U [k, n], the latter times 2^exponent.
template <class T>
void unpack(Index m, Index n, const T* packed, int exponent, T* l, T* u) {
    const Index k = std::min(m, n);
    for (Index j = 0; j < k; ++j)
        for (Index i = 0; i < m; ++i) l[i + j * m] = i > j ? packed[i + j * m] : i == j ? T(1) : T(0);
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < k; ++i) u[i + j * k] = i <= j ? packed[i + j * m] : T(0);
    scale(k * n, u, exponent);
}

/// Lanes of a group whose diagonal has a zero, or what squares to one, are not there.
template <class T>
void require_invertible(const LaneGroup<T>& group, Index n) {
    using R = RealOf<T>;
    const R least = is_complex<T> ? std::sqrt(std::numeric_limits<R>::min() / kEps<T>) : R(0);
    group.require([&](Index, Index lane) {
        Index j = 0;
        while (j < n && sum_of_moduli(group.get(group.a, j + j * n, lane)) > least) ++j;
        return j == n;
    });
}
/// The solutions x [n, k] of a group, each to place(matrix), transposed unless the matrix is on the left.
template <class T, class F>
void give_solution(const LaneGroup<T>& group, const RealOf<T>* x, Index n, Index k, bool left, F&& place) {
    if (left) return group.give(x, n * k, place);
    RealOf<T>* const turned = group.room(n * k);
    for (Index j = 0; j < k; ++j)
        for (Index i = 0; i < n; ++i) group.copy(x, i + j * n, turned, j + i * k);
    group.give(turned, n * k, place);
}

/// x over b [n, k]: solves op(A) X = B from the packed factors.
template <class T>
void solve_factored(const MatrixKernels<T>& kernels, bool transpose, bool conjugate, Index n, Index k,
                    const T* lu, const std::int64_t* rows, T* b, Scratch& scratch) {
    const TriangularOptions lower{
        .lower = true, .transpose = transpose, .conjugate = conjugate, .unit_diagonal = true},
        upper{.lower = false, .transpose = transpose, .conjugate = conjugate};
    const Scratch::Frame frame(scratch);
    T* const column = scratch.take<T>(n);
    const auto permute = [&] {
        for (Index j = 0; j < k; ++j) {
            T* const x = b + j * n;
            std::copy_n(x, n, column);
            for (Index i = 0; i < n; ++i)
                if (transpose)
                    x[rows[i]] = column[i];
                else
                    x[i] = column[rows[i]];
        }
    };
    if (!transpose) permute();
    kernels.triangular_solve(transpose ? upper : lower, n, k, lu, b, scratch);
    kernels.triangular_solve(transpose ? lower : upper, n, k, lu, b, scratch);
    if (transpose) permute();
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
