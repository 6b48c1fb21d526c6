// The singular value decomposition of LinalgBackend, and what follows from it: pseudoinverse, least squares.
#include <cmath>
#include <new>

#include "linalg/backend/gauge.hpp"
#include "linalg/backend/operand.hpp"
#include "linalg/small/groups.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// A matrix of the batch and its singular values, from which the rest is computed; `exponent` as for scale().
template <class T>
struct Decomposition {
    T *a, *u, *vh;
    RealOf<T>* s;
    int exponent;
};

template <class T>
MaybeProblem decompose(const MatrixKernels<T>& kernels, const Slices<T>& matrices, Index i, bool full,
                       Decomposition<T>& d, Scratch& scratch) {
    const Index m = matrices.rows(), n = matrices.columns();
    const auto exponent = copy_scaled(matrices, i, d.a);
    if (!exponent) return matrices.not_finite(i);
    d.exponent = *exponent;
    if (!kernels.svd(m, n, full, d.a, d.u, d.s, d.vh, scratch))
        return Problem{ErrorKind::NoConvergence, "the singular values do not converge"};
    return std::nullopt;
}

template <class T>
void fix_vectors(Index m, Index n, bool full, T* u, T* vh) {
    const Index k = std::min(m, n), u_columns = full ? m : k, rows = full ? n : k;
    for (Index j = 0; j < std::max(u_columns, rows); ++j) {
        const T factor = j < u_columns ? gauge_factor(m, u + j * m) : gauge_factor(n, vh + j, rows);
        if (j < u_columns) multiply(m, u + j * m, factor);
        if (j < rows) multiply(n, vh + j, j < k ? conjugate(factor) : factor, rows);
    }
}

/// The singular values and vectors of a group.
template <class T>
class LaneSingularValues {
    using R = RealOf<T>;

public:
    LaneSingularValues(const LaneGroup<T>& group, Index m, Index n)
        : group_(group),
          m_(m),
          n_(n),
          k_(std::min(m, n)),
          left_(group.a),
          s_(group.real_room(k_)),
          right_(group.room(k_ * k_)) {
        if (m < n) {
            left_ = group.room(m * n);
            for (Index lane = 0; lane < group.kernels.lanes; ++lane)
                for (Index j = 0; j < n; ++j)
                    for (Index i = 0; i < m; ++i)
                        group.put(conjugate(group.get(group.a, i + j * m, lane)), left_, j + i * n, lane);
        }
        group.kernels.svd(std::max(m, n), k_, left_, s_, right_, group.good);
    }
    /// In descending order; vectors unless u is null.
    void give(Index lane, T* u, R* s, T* vh) const {
        const Index lanes = group_.kernels.lanes;
        Index order[kLargestInLanes];
        for (Index j = 0; j < k_; ++j) {
            Index at = j;
            for (; at > 0 && s_[order[at - 1] * lanes + lane] < s_[j * lanes + lane]; --at)
                order[at] = order[at - 1];
            order[at] = j;
        }
        const bool tall = m_ >= n_;
        const R *const first = tall ? left_ : right_, *const second = tall ? right_ : left_;
        for (Index j = 0; j < k_; ++j) {
            s[j] = s_[order[j] * lanes + lane];
            if (u == nullptr) continue;
            for (Index i = 0; i < m_; ++i) u[i + j * m_] = group_.get(first, i + order[j] * m_, lane);
            for (Index i = 0; i < n_; ++i)
                vh[j + i * k_] = conjugate(group_.get(second, i + order[j] * n_, lane));
        }
    }

private:
    const LaneGroup<T>& group_;
    Index m_, n_, k_;
    R *left_, *s_, *right_;
};

/// How many of k singular values are more than rtol times the first.
template <class R>
Index rank_of(Index m, Index n, const R* s, const RankOptions& options) {
    const R rtol = options.rtol >= 0 ? static_cast<R>(options.rtol)
                                     : static_cast<R>(std::max(m, n)) * std::numeric_limits<R>::epsilon();
    Index rank = 0;
    while (rank < std::min(m, n) && s[rank] > rtol * s[0]) ++rank;
    return rank;
}

/// x [n, k] = V diag(1/s) y [rank, k].
template <class T>
void expand(Index n, Index rows, Index rank, Index k, const T* vh, const RealOf<T>* s, const T* y, T* x) {
    std::fill_n(x, n * k, T(0));
    if (rank == 0) return;
    for (Index j = 0; j < k; ++j)
        for (Index r = 0; r < rank; ++r) {
            const T factor = y[r + j * rank] / s[r];
            for (Index i = 0; i < n; ++i) x[i + j * n] += conjugate(vh[r + i * rows]) * factor;
        }
}

}  // namespace

SvdTensors LinalgBackend::svd_read(const TensorRead& a, const SvdOptions& options) const try {
    constexpr std::string_view kOp = "svd";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked(session, a, kOp);
        const Index m = a.shape()[0], n = a.shape()[1], k = std::min(m, n);
        const Slices<T> matrices(a, 2);
        Result<T> u(session, {m, options.full ? m : k}, batch), vh(session, {options.full ? n : k, n}, batch);
        Result<RealOf<T>> s(session, {k}, batch);
        const auto alone = [&](Index i, Scratch& scratch) -> MaybeProblem {
            Decomposition<T> d{scratch.take<T>(m * n), u[i], vh[i], s[i], 0};
            if (auto problem = decompose(kernels, matrices, i, options.full, d, scratch)) return problem;
            if (options.fix_gauge) fix_vectors(m, n, options.full, u[i], vh[i]);
            scale(k, s[i], -d.exponent);
            return std::nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            if (options.full && m != n)  // vectors beyond K are completed alone
                return std::fill_n(group.good, group.kernels.lanes, RealOf<T>(0)), void();
            const LaneSingularValues<T> lanes(group, m, n);
            group.each([&](Index i, Index lane) {
                lanes.give(lane, u[i], s[i], vh[i]);
                if (options.fix_gauge) fix_vectors(m, n, options.full, u[i], vh[i]);
            });
        };
        for_each_small(session, *kernels_, kOp, batch, cubic(20, m, n), matrices, alone, in_lanes,
                       kLargestInLanes, fewest_decomposed_in_lanes<T>(k));
        return SvdTensors{std::move(u.tensor), std::move(s.tensor), std::move(vh.tensor)};
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("svd");
}

Tensor LinalgBackend::svdvals_read(const TensorRead& a) const try {
    constexpr std::string_view kOp = "svdvals";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked(session, a, kOp);
        const Index m = a.shape()[0], n = a.shape()[1], k = std::min(m, n);
        const Slices<T> matrices(a, 2);
        Result<RealOf<T>> s(session, {k}, batch);
        const auto alone = [&](Index i, Scratch& scratch) -> MaybeProblem {
            Decomposition<T> d{scratch.take<T>(m * n), nullptr, nullptr, s[i], 0};
            if (auto problem = decompose(kernels, matrices, i, false, d, scratch)) return problem;
            scale(k, s[i], -d.exponent);
            return std::nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            const LaneSingularValues<T> lanes(group, m, n);
            T* const none = nullptr;
            group.each([&](Index i, Index lane) { lanes.give(lane, none, s[i], none); });
        };
        for_each_small(session, *kernels_, kOp, batch, cubic(5, m, n), matrices, alone, in_lanes,
                       kLargestInLanes, fewest_decomposed_in_lanes<T>(k));
        return std::move(s.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("svdvals");
}

Tensor LinalgBackend::pinv_read(const TensorRead& a, const RankOptions& options) const try {
    constexpr std::string_view kOp = "pinv";
    check_number(options.rtol, "rtol", kOp);
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked(session, a, kOp);
        const Index m = a.shape()[0], n = a.shape()[1], k = std::min(m, n);
        const Slices<T> matrices(a, 2);
        Result<T> x(session, {n, m}, batch);
        for_each_matrix(session, kOp, batch, cubic(22, m, n), [&](Index i, Scratch& scratch) -> MaybeProblem {
            Decomposition<T> d{scratch.take<T>(m * n), scratch.take<T>(m * k), scratch.take<T>(k * n),
                               scratch.take<RealOf<T>>(k), 0};
            if (auto problem = decompose(kernels, matrices, i, false, d, scratch)) return problem;
            const Index rank = rank_of(m, n, d.s, options);
            T* const y = scratch.take<T>(rank * m);
            for (Index r = 0; r < rank; ++r)
                for (Index j = 0; j < m; ++j) y[r + j * rank] = conjugate(d.u[j + r * m]);
            expand(n, k, rank, m, d.vh, d.s, y, x[i]);
            scale(n * m, x[i], d.exponent);
            return std::nullopt;
        });
        return std::move(x.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("pinv");
}

LstsqTensors LinalgBackend::lstsq_read(const TensorRead& a, const TensorRead& b,
                                       const RankOptions& options) const try {
    constexpr std::string_view kOp = "lstsq";
    check_number(options.rtol, "rtol", kOp);
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        static_cast<void>(checked(session, a, kOp, "the matrix"));
        static_cast<void>(checked(session, b, kOp, kRightHandSide));
        check_same_dtype(a, b, kOp);
        const Dims batch = common_batch(a, 2, b, 2, kOp);
        const Index m = a.shape()[0], n = a.shape()[1], k = std::min(m, n), sides = b.shape()[1];
        check_system(a, b, true, kOp);
        const Slices<T> matrices(a, 2), right(b, 2);
        Result<T> x(session, {n, sides}, batch);
        Result<std::int64_t> ranks(session, {}, batch);
        Result<RealOf<T>> s(session, {k}, batch);
        for_each_matrix(session, kOp, batch, cubic(20, m, n), [&](Index i, Scratch& scratch) -> MaybeProblem {
            Decomposition<T> d{scratch.take<T>(m * n), scratch.take<T>(m * k), scratch.take<T>(k * n), s[i],
                               0};
            if (auto problem = decompose(kernels, matrices, i, false, d, scratch)) return problem;
            T* const side = scratch.take<T>(m * sides);
            const auto b_exponent = copy_scaled(right, i, side);
            if (!b_exponent) return right.not_finite(i, kRightHandSide);
            const Index rank = rank_of(m, n, d.s, options);
            T* const y = scratch.take<T>(rank * sides);
            for (Index r = 0; r < rank; ++r)
                for (Index j = 0; j < sides; ++j) y[r + j * rank] = dot(m, d.u + r * m, side + j * m);
            expand(n, k, rank, sides, d.vh, d.s, y, x[i]);
            scale(n * sides, x[i], d.exponent - *b_exponent);
            scale(k, s[i], -d.exponent);
            *ranks[i] = rank;
            return std::nullopt;
        });
        return LstsqTensors{std::move(x.tensor), std::move(ranks.tensor), std::move(s.tensor)};
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("lstsq");
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
