// LU by exchanging rows and columns of LinalgBackend, and systems by it.
#include <new>
#include <optional>

#include "linalg/backend/elimination.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

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
            const auto exponent = copy_scaled(matrices, i, packed);
            if (!exponent) return matrices.not_finite(i);
            *parity[i] = static_cast<RealOf<T>>(kernels.full_piv_lu(m, n, packed, rows, columns, scratch));
            permutation_matrix(m, rows, true, p[i]);
            permutation_matrix(n, columns, false, q[i]);
            unpack(m, n, packed, -*exponent, l[i], u[i]);
            return std::nullopt;
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
        const Dims batch = checked_system(session, a, b, true, kOp);
        const Index n = a.shape()[0], k = b.shape()[1];
        const Slices<T> matrices(a, 2), sides(b, 2);
        Result<T> x(session, {n, k}, batch);
        for_each_matrix(session, kOp, batch, cubic(1, n, n), [&](Index i, Scratch& scratch) -> MaybeProblem {
            T *const packed = scratch.take<T>(n * n), *const y = scratch.take<T>(n * k);
            std::int64_t *const rows = scratch.take<std::int64_t>(n), *const columns =
                                                                          scratch.take<std::int64_t>(n);
            const auto a_exponent = copy_scaled(matrices, i, packed), b_exponent = copy_scaled(sides, i, y);
            if (!a_exponent) return matrices.not_finite(i);
            if (!b_exponent) return sides.not_finite(i, kRightHandSide);
            static_cast<void>(kernels.full_piv_lu(n, n, packed, rows, columns, scratch));
            if (MaybeProblem problem = negligible_pivot(n, packed, *a_exponent)) return problem;
            solve_factored(kernels, false, false, n, k, packed, rows, y, scratch);
            for (Index j = 0; j < k; ++j)
                for (Index row = 0; row < n; ++row) x[i][columns[row] + j * n] = y[row + j * n];
            scale(n * k, x[i], *a_exponent - *b_exponent);
            return std::nullopt;
        });
        return std::move(x.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("full_piv_lu_solve");
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
