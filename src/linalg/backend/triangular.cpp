// Cholesky and triangular systems of LinalgBackend.
#include <algorithm>
#include <cmath>
#include <new>
#include <optional>

#include "linalg/backend/elimination.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

Tensor LinalgBackend::cholesky_read(const TensorRead& a) const try {
    constexpr std::string_view kOp = "cholesky";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked_square(session, a, kOp);
        const Index n = a.shape()[0];
        const Slices<T> matrices(a, 2, Part::Lower);
        Result<T> l(session, {n, n}, batch);
        const auto alone = [&](Index i, Scratch& scratch) -> MaybeProblem {
            const auto exponent = copy_scaled(matrices, i, l[i], 2);
            if (!exponent) return matrices.not_finite(i);
            if (const Index minor = kernels.cholesky(n, l[i], scratch); minor != 0)
                return Problem{ErrorKind::NotPositiveDefinite,
                               text("the leading minor of order ", minor, " is not positive definite: pivot ",
                                    minor - 1, " is ",
                                    tensor_ops::field_text(times_power_of_two(
                                        real_part(l[i][(minor - 1) * (n + 1)]), -*exponent)))};
            scale(n * n, l[i], -*exponent / 2);
            return std::nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            group.kernels.cholesky(n, group.a, group.good);
            group.give(group.a, n * n, [&](Index i) { return l[i]; });
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
        const Dims batch = checked_system(session, a, b, options.left, kOp);
        const Index n = a.shape()[0], k = b.shape()[options.left ? 1 : 0];
        const Part part = options.unit_diagonal ? (options.lower ? Part::StrictLower : Part::StrictUpper)
                                                : (options.lower ? Part::Lower : Part::Upper);
        const Slices<T> matrices(a, 2, part), sides(b, 2);
        Result<T> x(session, {b.shape()[0], b.shape()[1]}, batch);
        const auto alone = [&](Index i, Scratch& scratch) -> MaybeProblem {
            T* const matrix = scratch.take<T>(n * n);
            const auto a_largest = matrices.copy(i, matrix), b_largest = sides.copy(i, x[i]);
            if (!a_largest) return matrices.not_finite(i);
            if (!b_largest) return sides.not_finite(i, kRightHandSide);
            if (!options.unit_diagonal)
                if (const Index zero = first_zero(n, matrix); zero < n)
                    return Problem{ErrorKind::Singular, text("diagonal element ", zero, " is 0")};
            const int a_exponent = options.unit_diagonal ? 0 : scale_exponent(*a_largest),
                      b_exponent = scale_exponent(*b_largest);
            const auto solve = [&](int exponent) {
                scale(n * n, matrix, exponent);
                scale(n * k, x[i], b_exponent);
                kernels.triangular_solve(options, n, k, matrix, x[i], scratch);
                scale(n * k, x[i], exponent - b_exponent);
            };
            // Scaled, small pivots beside a few large elements would be too small.
            if (a_exponent < 0) {
                solve(0);
                const auto is_finite = [](T y) { return std::isfinite(magnitude(y)); };
                if (std::all_of(x[i], x[i] + n * k, is_finite)) return std::nullopt;
                static_cast<void>(sides.copy(i, x[i]));
            }
            solve(a_exponent);
            return std::nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            RealOf<T>* const y = group.operand(sides, !options.left);
            if (!options.unit_diagonal) require_invertible(group, n);
            TriangularOptions kept = options;
            kept.transpose = options.transpose == options.left;
            group.kernels.substitute(kept, n, k, group.a, y);
            give_solution(group, y, n, k, options.left, [&](Index i) { return x[i]; });
        };
        for_each_small(session, *kernels_, kOp, batch, cubic(1, n, k), matrices, alone, in_lanes,
                       largest_in_lanes(k));
        return std::move(x.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("triangular_solve");
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
