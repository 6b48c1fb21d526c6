// Cholesky, triangular systems and LU of LinalgBackend.
#include <cmath>
#include <new>

#include "linalg/backend/factors.hpp"
#include "linalg/small/groups.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

using std::nullopt;

Problem zero_pivot(Index at) { return {ErrorKind::Singular, text("pivot ", at, " is 0")}; }

/// The first zero on the diagonal of an n x n matrix, n where there is none.
template <class T>
Index first_zero(Index n, const T* a, Index rows) {
    Index at = 0;
    while (at < n && a[at + at * rows] != T(0)) ++at;
    return at;
}

template <class T>
void transpose_copy(Index rows, Index columns, const T* from, T* to) {
    for (Index j = 0; j < columns; ++j)
        for (Index i = 0; i < rows; ++i) to[j + i * columns] = from[i + j * rows];
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
/// The solution x [n, k] of a lane to `to`, transposed unless the matrix is on the left.
template <class T>
void give_solution(const LaneGroup<T>& group, const RealOf<T>* x, Index lane, Index n, Index k, bool left,
                   T* to) {
    if (left) return group.take(x, lane, n * k, to);
    for (Index j = 0; j < k; ++j)
        for (Index i = 0; i < n; ++i) to[j + i * k] = group.get(x, i + j * n, lane);
}
/// The row of A for each row of P A, from the numbers of a lane.
template <class T>
void take_rows(const LaneGroup<T>& group, const RealOf<T>* order, Index lane, Index n, std::int64_t* rows) {
    for (Index i = 0; i < n; ++i) rows[i] = static_cast<std::int64_t>(order[i * group.kernels.lanes + lane]);
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

}  // namespace

Tensor LinalgBackend::cholesky_read(const TensorRead& a) const try {
    constexpr std::string_view kOp = "cholesky";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked_square(session, a, kOp);
        const Index n = a.shape()[0];
        const Slices<T> matrices(a, 2, Part::Lower);
        Result<T> l(session, {n, n}, batch);
        const auto alone = [&](Index i, Scratch& scratch) -> MaybeProblem {
            const auto largest = matrices.copy(i, l[i]);
            if (!largest) return matrices.not_finite(i);
            const int exponent = scale_exponent(*largest, 2);
            scale(n * n, l[i], exponent);
            if (const Index minor = kernels.cholesky(n, l[i], scratch); minor != 0)
                return Problem{ErrorKind::NotPositiveDefinite,
                               text("the leading minor of order ", minor, " is not positive definite: pivot ",
                                    minor - 1, " is ",
                                    tensor_ops::field_text(times_power_of_two(
                                        real_part(l[i][(minor - 1) * (n + 1)]), -exponent)))};
            scale(n * n, l[i], -exponent / 2);
            return nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            group.kernels.cholesky(n, group.a, group.good);
            group.each([&](Index i, Index lane) { group.take(group.a, lane, n * n, l[i]); });
        };
        for_each_small(session, *kernels_, kOp, batch, cubic(0.3, n, n), matrices, alone, in_lanes);
        return std::move(l.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("cholesky");
}

Tensor LinalgBackend::triangular_solve_read(const TensorRead& a, const TensorRead& b,
                                            const TriangularOptions& options) const try {
    constexpr std::string_view kOp = "triangular_solve";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        static_cast<void>(checked_square(session, a, kOp, "the matrix"));
        static_cast<void>(checked(session, b, kOp, "the right-hand side"));
        check_same_dtype(a, b, kOp);
        const Dims batch = common_batch(a, 2, b, 2, kOp);
        const Index n = a.shape()[0], k = b.shape()[options.left ? 1 : 0];
        check_system(a, b, options.left, kOp);
        const Part part = options.unit_diagonal ? (options.lower ? Part::StrictLower : Part::StrictUpper)
                                                : (options.lower ? Part::Lower : Part::Upper);
        const Slices<T> matrices(a, 2, part), sides(b, 2);
        Result<T> x(session, {b.shape()[0], b.shape()[1]}, batch);
        const auto alone = [&](Index i, Scratch& scratch) -> MaybeProblem {
            T* const matrix = scratch.take<T>(n * n);
            const auto a_largest = matrices.copy(i, matrix), b_largest = sides.copy(i, x[i]);
            if (!a_largest) return matrices.not_finite(i);
            if (!b_largest) return sides.not_finite(i);
            if (!options.unit_diagonal)
                if (const Index zero = first_zero(n, matrix, n); zero < n)
                    return Problem{ErrorKind::Singular, text("diagonal element ", zero, " is 0")};
            const int a_exponent = options.unit_diagonal ? 0 : scale_exponent(*a_largest),
                      b_exponent = scale_exponent(*b_largest);
            scale(n * n, matrix, a_exponent);
            scale(n * k, x[i], b_exponent);
            kernels.triangular_solve(options, n, k, matrix, x[i], scratch);
            scale(n * k, x[i], a_exponent - b_exponent);
            return nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            RealOf<T>* const y = group.operand(sides, !options.left);
            if (!options.unit_diagonal) require_invertible(group, n);
            TriangularOptions kept = options;
            kept.transpose = options.transpose == options.left;
            group.kernels.substitute(kept, n, k, group.a, y);
            group.each([&](Index i, Index lane) { give_solution(group, y, lane, n, k, options.left, x[i]); });
        };
        for_each_small(session, *kernels_, kOp, batch, cubic(1, n, k), matrices, alone, in_lanes,
                       largest_in_lanes(k));
        return std::move(x.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("triangular_solve");
}

LuTensors LinalgBackend::lu_read(const TensorRead& a) const try {
    constexpr std::string_view kOp = "lu";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked(session, a, kOp);
        const Index m = a.shape()[0], n = a.shape()[1], k = std::min(m, n);
        const Slices<T> matrices(a, 2);
        Result<T> p(session, {m, m}, batch), l(session, {m, k}, batch), u(session, {k, n}, batch),
            parity(session, {}, batch);
        const auto alone = [&](Index i, Scratch& scratch) -> MaybeProblem {
            T* const packed = scratch.take<T>(m * n);
            std::int64_t* const rows = scratch.take<std::int64_t>(m);
            const auto largest = matrices.copy(i, packed);
            if (!largest) return matrices.not_finite(i);
            const int exponent = scale_exponent(*largest);
            scale(m * n, packed, exponent);
            *parity[i] = static_cast<RealOf<T>>(kernels.lu(m, n, packed, rows, scratch));
            permutation_matrix(m, rows, true, p[i]);
            unpack(m, n, packed, -exponent, l[i], u[i]);
            return nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            if (m != n) return std::fill_n(group.good, group.kernels.lanes, RealOf<T>(0)), void();
            auto* const order = group.real_room(n);
            T* const packed = group.scratch.template take<T>(n * n);
            auto* const rows = group.scratch.template take<std::int64_t>(n);
            group.kernels.lu(n, group.a, order, group.good);
            group.each([&](Index i, Index lane) {
                group.take(group.a, lane, n * n, packed);
                take_rows(group, order, lane, n, rows);
                *parity[i] = static_cast<RealOf<T>>(parity_of(n, rows, group.scratch));
                permutation_matrix(n, rows, true, p[i]);
                unpack(n, n, packed, 0, l[i], u[i]);
            });
        };
        for_each_small(session, *kernels_, kOp, batch, cubic(1, m, n), matrices, alone, in_lanes);
        return LuTensors{std::move(p.tensor), std::move(l.tensor), std::move(u.tensor),
                         std::move(parity.tensor)};
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("lu");
}

LuFactors LinalgBackend::lu_factors_read(const TensorRead& a) const try {
    constexpr std::string_view kOp = "lu";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked(session, a, kOp);
        const Index m = a.shape()[0], n = a.shape()[1];
        const Slices<T> matrices(a, 2);
        Result<T> lu(session, {m, n}, batch);
        Result<std::int64_t> rows(session, {m}, batch), exponents(session, {}, batch);
        const auto alone = [&](Index i, Scratch& scratch) -> MaybeProblem {
            const auto largest = matrices.copy(i, lu[i]);
            if (!largest) return matrices.not_finite(i);
            const int exponent = scale_exponent(*largest);
            scale(m * n, lu[i], exponent);
            static_cast<void>(kernels.lu(m, n, lu[i], rows[i], scratch));
            *exponents[i] = exponent;
            return nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            if (m != n) return std::fill_n(group.good, group.kernels.lanes, RealOf<T>(0)), void();
            auto* const order = group.real_room(n);
            group.kernels.lu(n, group.a, order, group.good);
            group.each([&](Index i, Index lane) {
                group.take(group.a, lane, n * n, lu[i]);
                take_rows(group, order, lane, n, rows[i]);
                *exponents[i] = 0;
            });
        };
        for_each_small(session, *kernels_, kOp, batch, cubic(1, m, n), matrices, alone, in_lanes);
        return LuFactors{std::move(lu.tensor), std::move(rows.tensor), std::move(exponents.tensor)};
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("lu_factors");
}

Tensor LinalgBackend::lu_solve_read(const TensorRead& lu, const TensorRead& rows, const TensorRead& exponent,
                                    const TensorRead& b, const TriangularOptions& options) const try {
    constexpr std::string_view kOp = "solve";
    return compute(*backend_, *kernels_, lu, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        static_cast<void>(checked_square(session, lu, kOp, "the matrix"));
        static_cast<void>(checked(session, b, kOp, "the right-hand side"));
        check_same_dtype(lu, b, kOp);
        const Dims batch = common_batch(lu, 2, b, 2, kOp);
        const Index n = lu.shape()[0], k = b.shape()[options.left ? 1 : 0];
        check_system(lu, b, options.left, kOp);
        const RowOrders orders(session, lu, rows, exponent, kOp);
        const Slices<T> factors(lu, 2), sides(b, 2);
        Result<T> x(session, {b.shape()[0], b.shape()[1]}, batch);
        const auto alone = [&](Index i, Scratch& scratch) -> MaybeProblem {
            if (MaybeProblem problem = orders.problem(i)) return problem;
            T* const packed = scratch.take<T>(n * n);
            if (!factors.copy(i, packed)) return factors.not_finite(i);
            if (const Index zero = first_zero(n, packed, n); zero < n) return zero_pivot(zero);
            const auto largest = sides.copy(i, x[i]);
            if (!largest) return sides.not_finite(i);
            const int b_exponent = scale_exponent(*largest);
            scale(n * k, x[i], b_exponent);
            if (options.left) {
                solve_factored(kernels, options.transpose, options.conjugate, n, k, packed, orders.rows(i),
                               x[i], scratch);
            } else {  // X op(A) = B is op(A)ᵀ Xᵀ = Bᵀ
                T* const transposed = scratch.take<T>(n * k);
                transpose_copy(k, n, x[i], transposed);
                solve_factored(kernels, !options.transpose, options.conjugate, n, k, packed, orders.rows(i),
                               transposed, scratch);
                transpose_copy(n, k, transposed, x[i]);
            }
            scale(n * k, x[i], orders.exponent(i) - b_exponent);
            return nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            group.require([&](Index i, Index) { return orders.exponent(i) == 0 && !orders.problem(i); });
            require_invertible(group, n);
            RealOf<T>*y = group.operand(sides, !options.left), *z = group.room(n * k);
            const bool transpose = options.transpose == options.left;
            const auto permute = [&] {  // y to z
                group.each([&](Index i, Index lane) {
                    for (Index row = 0; row < n; ++row) {
                        const Index given = transpose ? row : orders.rows(i)[row],
                                    wanted = transpose ? orders.rows(i)[row] : row;
                        for (Index j = 0; j < k; ++j)
                            group.put(group.get(y, given + j * n, lane), z, wanted + j * n, lane);
                    }
                });
                std::swap(y, z);
            };
            const TriangularOptions lower{
                .lower = true, .transpose = transpose, .conjugate = options.conjugate, .unit_diagonal = true},
                upper{.lower = false, .transpose = transpose, .conjugate = options.conjugate};
            if (!transpose) permute();
            group.kernels.substitute(transpose ? upper : lower, n, k, group.a, y);
            group.kernels.substitute(transpose ? lower : upper, n, k, group.a, y);
            if (transpose) permute();
            group.each([&](Index i, Index lane) { give_solution(group, y, lane, n, k, options.left, x[i]); });
        };
        for_each_small(session, *kernels_, kOp, batch, cubic(2, n, k), factors, alone, in_lanes,
                       largest_in_lanes(k));
        return std::move(x.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("lu_solve");
}

Tensor LinalgBackend::inv_read(const TensorRead& a) const try {
    constexpr std::string_view kOp = "inv";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked_square(session, a, kOp);
        const Index n = a.shape()[0];
        const Slices<T> matrices(a, 2);
        Result<T> inverse(session, {n, n}, batch);
        const auto alone = [&](Index i, Scratch& scratch) -> MaybeProblem {
            T* const packed = scratch.take<T>(n * n);
            std::int64_t* const rows = scratch.take<std::int64_t>(n);
            const auto largest = matrices.copy(i, packed);
            if (!largest) return matrices.not_finite(i);
            const int exponent = scale_exponent(*largest);
            scale(n * n, packed, exponent);
            static_cast<void>(kernels.lu(n, n, packed, rows, scratch));
            if (const Index zero = first_zero(n, packed, n); zero < n) return zero_pivot(zero);
            std::fill_n(inverse[i], n * n, T(0));
            for (Index j = 0; j < n; ++j) inverse[i][j + j * n] = 1;
            solve_factored(kernels, false, false, n, n, packed, rows, inverse[i], scratch);
            scale(n * n, inverse[i], exponent);
            return nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            const Index lanes = group.kernels.lanes;
            RealOf<T>*const order = group.real_room(n), *const y = group.room(n * n);
            group.kernels.lu(n, group.a, order, group.good);
            for (Index lane = 0; lane < lanes; ++lane)
                for (Index j = 0; j < n; ++j)
                    for (Index row = 0; row < n; ++row)
                        group.put(static_cast<Index>(order[row * lanes + lane]) == j ? T(1) : T(0), y,
                                  row + j * n, lane);
            group.kernels.substitute({.lower = true, .unit_diagonal = true}, n, n, group.a, y);
            group.kernels.substitute({.lower = false}, n, n, group.a, y);
            group.each([&](Index i, Index lane) { group.take(y, lane, n * n, inverse[i]); });
        };
        for_each_small(session, *kernels_, kOp, batch, cubic(2, n, n), matrices, alone, in_lanes);
        return std::move(inverse.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("inv");
}

FullPivLuTensors LinalgBackend::full_piv_lu_read(const TensorRead& a) const try {
    constexpr std::string_view kOp = "full_piv_lu";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked(session, a, kOp);
        const Index m = a.shape()[0], n = a.shape()[1], k = std::min(m, n);
        const Slices<T> matrices(a, 2);
        Result<T> p(session, {m, m}, batch), l(session, {m, k}, batch), u(session, {k, n}, batch),
            q(session, {n, n}, batch), parity(session, {}, batch);
        for_each_matrix(session, kOp, batch, cubic(1, m, n), [&](Index i, Scratch& scratch) -> MaybeProblem {
            T* const packed = scratch.take<T>(m * n);
            std::int64_t *const rows = scratch.take<std::int64_t>(m), *const columns =
                                                                          scratch.take<std::int64_t>(n);
            const auto largest = matrices.copy(i, packed);
            if (!largest) return matrices.not_finite(i);
            const int exponent = scale_exponent(*largest);
            scale(m * n, packed, exponent);
            *parity[i] = static_cast<RealOf<T>>(kernels.full_piv_lu(m, n, packed, rows, columns, scratch));
            permutation_matrix(m, rows, true, p[i]);
            permutation_matrix(n, columns, false, q[i]);
            unpack(m, n, packed, -exponent, l[i], u[i]);
            return nullopt;
        });
        return FullPivLuTensors{std::move(p.tensor), std::move(l.tensor), std::move(u.tensor),
                                std::move(q.tensor), std::move(parity.tensor)};
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("full_piv_lu");
}

Tensor LinalgBackend::full_piv_lu_solve_read(const TensorRead& a, const TensorRead& b) const try {
    constexpr std::string_view kOp = "full_piv_lu_solve";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        static_cast<void>(checked_square(session, a, kOp, "the matrix"));
        static_cast<void>(checked(session, b, kOp, "the right-hand side"));
        check_same_dtype(a, b, kOp);
        const Dims batch = common_batch(a, 2, b, 2, kOp);
        const Index n = a.shape()[0], k = b.shape()[1];
        check_system(a, b, true, kOp);
        const Slices<T> matrices(a, 2), sides(b, 2);
        Result<T> x(session, {n, k}, batch);
        for_each_matrix(session, kOp, batch, cubic(1, n, n), [&](Index i, Scratch& scratch) -> MaybeProblem {
            T *const packed = scratch.take<T>(n * n), *const y = scratch.take<T>(n * k);
            std::int64_t *const rows = scratch.take<std::int64_t>(n), *const columns =
                                                                          scratch.take<std::int64_t>(n);
            const auto a_largest = matrices.copy(i, packed), b_largest = sides.copy(i, y);
            if (!a_largest) return matrices.not_finite(i);
            if (!b_largest) return sides.not_finite(i);
            const int a_exponent = scale_exponent(*a_largest), b_exponent = scale_exponent(*b_largest);
            scale(n * n, packed, a_exponent);
            scale(n * k, y, b_exponent);
            static_cast<void>(kernels.full_piv_lu(n, n, packed, rows, columns, scratch));
            if (MaybeProblem problem = negligible_pivot(n, packed, a_exponent)) return problem;
            solve_factored(kernels, false, false, n, k, packed, rows, y, scratch);
            for (Index j = 0; j < k; ++j)
                for (Index row = 0; row < n; ++row) x[i][columns[row] + j * n] = y[row + j * n];
            scale(n * k, x[i], a_exponent - b_exponent);
            return nullopt;
        });
        return std::move(x.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("full_piv_lu_solve");
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
