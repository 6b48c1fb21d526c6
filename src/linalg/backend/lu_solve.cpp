// Systems of factors that were made before, and the inverse, of LinalgBackend.
#include <new>
#include <optional>

#include "linalg/backend/elimination.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

Problem zero_pivot(Index at) { return {ErrorKind::Singular, text("pivot ", at, " is 0")}; }

template <class T>
void transpose_copy(Index rows, Index columns, const T* from, T* to) {
    for (Index j = 0; j < columns; ++j)
        for (Index i = 0; i < rows; ++i) to[j + i * columns] = from[i + j * rows];
}

}  // namespace

Tensor LinalgBackend::lu_solve_read(const TensorRead& lu, const TensorRead& rows, const TensorRead& exponent,
                                    const TensorRead& b, const TriangularOptions& options) const try {
    constexpr std::string_view kOp = "solve";
    return compute(*backend_, *kernels_, lu, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked_system(session, lu, b, options.left, kOp);
        const Index n = lu.shape()[0], k = b.shape()[options.left ? 1 : 0];
        const RowOrders orders(session, lu, rows, exponent, kOp);
        const Slices<T> factors(lu, 2), sides(b, 2);
        Result<T> x(session, {b.shape()[0], b.shape()[1]}, batch);
        const auto alone = [&](Index i, Scratch& scratch) -> MaybeProblem {
            if (MaybeProblem problem = orders.problem(i, scratch)) return problem;
            const T* const packed = factors.compact(i, scratch);
            if (packed == nullptr) return factors.not_finite(i);
            if (const Index zero = first_zero(n, packed); zero < n) return zero_pivot(zero);
            const auto b_exponent = copy_scaled(sides, i, x[i]);
            if (!b_exponent) return sides.not_finite(i, kRightHandSide);
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
            scale(n * k, x[i], orders.exponent(i) - *b_exponent);
            return std::nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            group.require([&](Index i, Index) { return orders.exponent(i) == 0 && orders.is_right(i); });
            require_invertible(group, n);
            RealOf<T>*y = group.operand(sides, !options.left), *z = group.room(n * k);
            const bool transpose = options.transpose == options.left;
            const auto permute = [&] {  // y to z
                group.each([&](Index i, Index lane) {
                    const std::int64_t* const order = orders.rows(i);
                    for (Index j = 0; j < k; ++j)
                        for (Index row = 0; row < n; ++row) {
                            const Index other = j * n + order[row], here = j * n + row;
                            group.copy_lane(lane, y, transpose ? here : other, z, transpose ? other : here);
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
            give_solution(group, y, n, k, options.left, [&](Index i) { return x[i]; });
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
            const auto exponent = copy_scaled(matrices, i, packed);
            if (!exponent) return matrices.not_finite(i);
            static_cast<void>(kernels.lu(n, n, packed, rows, scratch));
            if (const Index zero = first_zero(n, packed); zero < n) return zero_pivot(zero);
            std::fill_n(inverse[i], n * n, T(0));
            for (Index j = 0; j < n; ++j) inverse[i][j + j * n] = 1;
            solve_factored(kernels, false, false, n, n, packed, rows, inverse[i], scratch);
            scale(n * n, inverse[i], *exponent);
            return std::nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            const Index lanes = group.kernels.lanes;
            RealOf<T>*const order = group.real_room(n), *const sign = group.real_room(1),
                            *const y = group.room(n * n);
            group.kernels.lu(n, group.a, order, sign, group.good);
            for (Index lane = 0; lane < lanes; ++lane)
                for (Index j = 0; j < n; ++j)
                    for (Index row = 0; row < n; ++row)
                        group.put(static_cast<Index>(order[row * lanes + lane]) == j ? T(1) : T(0), y,
                                  row + j * n, lane);
            group.kernels.substitute({.lower = true, .unit_diagonal = true}, n, n, group.a, y);
            group.kernels.substitute({.lower = false}, n, n, group.a, y);
            group.give(y, n * n, [&](Index i) { return inverse[i]; });
        };
        for_each_small(session, *kernels_, kOp, batch, cubic(2, n, n), matrices, alone, in_lanes);
        return std::move(inverse.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("inv");
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
