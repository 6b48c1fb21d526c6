// Systems and the inverse of LinalgBackend: by factors that nobody else needs.
#include <new>
#include <optional>

#include "linalg/backend/elimination.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// The packed factors of a matrix that was multiplied by 2^exponent, and the order of its rows.
template <class T>
struct Factored {
    const T* packed;
    const std::int64_t* rows;
    int exponent;
};

/// Those of matrix i, in memory of `scratch`; a problem where it is not finite or singular.
template <class T>
MaybeProblem factorise(const MatrixKernels<T>& kernels, const Slices<T>& matrices, Index i, Factored<T>& made,
                       Scratch& scratch) {
    const Index n = matrices.rows();
    T* const packed = scratch.take<T>(n * n);
    std::int64_t* const rows = scratch.take<std::int64_t>(n);
    const auto exponent = copy_scaled(matrices, i, packed);
    if (!exponent) return matrices.not_finite(i);
    static_cast<void>(kernels.lu(n, n, packed, rows, scratch));
    if (const Index zero = first_zero(n, packed); zero < n) return zero_pivot(zero);
    made = {packed, rows, *exponent};
    return std::nullopt;
}

/// x [n, k] in the lanes of a group becomes inv(A) x.
template <class T>
void solve_in_lanes(const LaneGroup<T>& group, Index n, Index k, RealOf<T>* x) {
    RealOf<T>*const order = group.real_room(n), *const sign = group.real_room(1);
    group.kernels.lu(n, group.a, order, sign, group.good, k, x);
    group.kernels.substitute({.lower = false}, n, k, group.a, x);
}

}  // namespace

Tensor LinalgBackend::solve_read(const TensorRead& a, const TensorRead& b) const try {
    constexpr std::string_view kOp = "solve";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked_system(session, a, b, true, kOp);
        const Index n = a.shape()[0], k = b.shape()[1];
        const Slices<T> matrices(a, 2), sides(b, 2);
        Result<T> x(session, {n, k}, batch);
        const auto alone = [&](Index i, Scratch& scratch) -> MaybeProblem {
            Factored<T> lu;
            if (MaybeProblem problem = factorise(kernels, matrices, i, lu, scratch)) return problem;
            const auto b_exponent = copy_scaled(sides, i, x[i]);
            if (!b_exponent) return sides.not_finite(i, kRightHandSide);
            solve_factored(kernels, false, false, n, k, lu.packed, lu.rows, x[i], scratch);
            scale(n * k, x[i], lu.exponent - *b_exponent);
            return std::nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            RealOf<T>* const y = group.operand(sides);
            solve_in_lanes(group, n, k, y);
            group.give(y, n * k, [&](Index i) { return x[i]; });
        };
        for_each_small(session, *kernels_, kOp, batch, cubic(1, n, n) + cubic(2, n, k), matrices, alone,
                       in_lanes, largest_in_lanes(k));
        return std::move(x.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("solve");
}

Tensor LinalgBackend::inv_read(const TensorRead& a) const try {
    constexpr std::string_view kOp = "inv";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked_square(session, a, kOp);
        const Index n = a.shape()[0];
        const Slices<T> matrices(a, 2);
        Result<T> inverse(session, {n, n}, batch);
        const auto alone = [&](Index i, Scratch& scratch) -> MaybeProblem {
            Factored<T> lu;
            if (MaybeProblem problem = factorise(kernels, matrices, i, lu, scratch)) return problem;
            std::fill_n(inverse[i], n * n, T(0));
            for (Index j = 0; j < n; ++j) inverse[i][j + j * n] = 1;
            solve_factored(kernels, false, false, n, n, lu.packed, lu.rows, inverse[i], scratch);
            scale(n * n, inverse[i], lu.exponent);
            return std::nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            const Index width = group.kernels.parts * group.kernels.lanes;
            RealOf<T>* const y = group.room(n * n);
            std::fill_n(y, n * n * width, RealOf<T>(0));
            for (Index j = 0; j < n; ++j)
                std::fill_n(y + (j + j * n) * width, group.kernels.lanes, RealOf<T>(1));
            solve_in_lanes(group, n, n, y);
            group.give(y, n * n, [&](Index i) { return inverse[i]; });
        };
        for_each_small(session, *kernels_, kOp, batch, cubic(2, n, n), matrices, alone, in_lanes);
        return std::move(inverse.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("inv");
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
