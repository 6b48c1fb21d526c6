// QR of LinalgBackend.
#include <cmath>
#include <new>

#include "linalg/backend/operand.hpp"
#include "linalg/small/groups.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Q D and Dᴴ R with the unit diagonal D that makes the diagonal of R real and not negative.
template <class T>
void make_positive(Index m, Index n, Index k, T* q, T* r) {
    for (Index i = 0; i < std::min(k, n); ++i) {
        const T turn = phase(r[i + i * k]);
        if (turn == T(1)) continue;
        for (Index row = 0; row < m; ++row) q[row + i * m] *= turn;
        for (Index j = i; j < n; ++j) r[i + j * k] *= conjugate(turn);
        r[i + i * k] = real_part(r[i + i * k]);
    }
}

}  // namespace

QrTensors LinalgBackend::qr_read(const TensorRead& a, const QrOptions& options) const try {
    constexpr std::string_view kOp = "qr";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked(session, a, kOp);
        const Index m = a.shape()[0], n = a.shape()[1], k = options.full ? m : std::min(m, n);
        const Slices<T> matrices(a, 2);
        Result<T> q(session, {m, k}, batch), r(session, {k, n}, batch);
        const auto alone = [&](Index i, Scratch& scratch) -> MaybeProblem {
            T* const matrix = scratch.take<T>(m * n);
            const auto exponent = copy_scaled(matrices, i, matrix);
            if (!exponent) return matrices.not_finite(i);
            kernels.qr(m, n, k, matrix, q[i], r[i], nullptr, scratch);
            if (options.positive) make_positive(m, n, k, q[i], r[i]);
            scale(k * n, r[i], -*exponent);
            return std::nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            auto *const factor = group.room(m * k), *const taus = group.room(m);
            group.kernels.qr(m, n, k, group.a, factor, taus);
            group.give(factor, m * k, [&](Index i) { return q[i]; });
            auto* const upper = k == m ? group.a : group.room(k * n);
            for (Index j = 0; k < m && j < n; ++j)
                for (Index row = 0; row < k; ++row) group.copy(group.a, row + j * m, upper, row + j * k);
            group.give(upper, k * n, [&](Index i) { return r[i]; });
            if (options.positive) group.each([&](Index i, Index) { make_positive(m, n, k, q[i], r[i]); });
        };
        for_each_small(session, *kernels_, kOp, batch, cubic(3, m, n), matrices, alone, in_lanes);
        return QrTensors{std::move(q.tensor), std::move(r.tensor)};
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("qr");
}

PivotedQrTensors LinalgBackend::pivoted_qr_read(const TensorRead& a, const PivotedQrOptions& options) const
    try {
    constexpr std::string_view kOp = "pivoted_qr";
    check_number(options.tolerance, "tolerance", kOp);
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        using R = RealOf<T>;
        const Dims batch = checked(session, a, kOp);
        const Index m = a.shape()[0], n = a.shape()[1], k = std::min(m, n);
        const R tolerance = options.tolerance >= 0 ? static_cast<R>(options.tolerance)
                                                   : static_cast<R>(std::max(m, n)) * kEps<T>;
        const Slices<T> matrices(a, 2);
        Result<T> q(session, {m, k}, batch), r(session, {k, n}, batch);
        Result<std::int64_t> columns(session, {n}, batch), ranks(session, {}, batch);
        for_each_matrix(session, kOp, batch, cubic(3, m, n), [&](Index i, Scratch& scratch) -> MaybeProblem {
            T* const matrix = scratch.take<T>(m * n);
            const auto exponent = copy_scaled(matrices, i, matrix);
            if (!exponent) return matrices.not_finite(i);
            kernels.qr(m, n, k, matrix, q[i], r[i], columns[i], scratch);
            Index rank = 0;
            while (rank < k && std::abs(r[i][rank + rank * k]) > tolerance * std::abs(r[i][0])) ++rank;
            *ranks[i] = rank;
            scale(k * n, r[i], -*exponent);
            return std::nullopt;
        });
        return PivotedQrTensors{std::move(q.tensor), std::move(r.tensor), std::move(columns.tensor),
                                std::move(ranks.tensor)};
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("pivoted_qr");
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
