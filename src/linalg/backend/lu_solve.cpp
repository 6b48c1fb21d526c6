// Systems of factors that were made before, of LinalgBackend.
#include <new>
#include <optional>

#include "linalg/backend/elimination.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

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

}}}  // namespace tenferro::TENFERRO_ABI::linalg
