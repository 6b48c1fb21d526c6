// LU by exchanging rows of LinalgBackend, as factors and packed.
#include <new>
#include <optional>

#include "linalg/backend/elimination.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// The row of A for each row of P A, from the numbers of a lane.
template <class T>
void take_rows(const LaneGroup<T>& group, const RealOf<T>* order, Index lane, Index n, std::int64_t* rows) {
    for (Index i = 0; i < n; ++i) rows[i] = static_cast<std::int64_t>(order[i * group.kernels.lanes + lane]);
}

}  // namespace

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
            const auto exponent = copy_scaled(matrices, i, packed);
            if (!exponent) return matrices.not_finite(i);
            *parity[i] = static_cast<RealOf<T>>(kernels.lu(m, n, packed, rows, scratch));
            permutation_matrix(m, rows, true, p[i]);
            unpack(m, n, packed, -*exponent, l[i], u[i]);
            return std::nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            if (m != n) return std::fill_n(group.good, group.kernels.lanes, RealOf<T>(0)), void();
            auto *const order = group.real_room(n), *const sign = group.real_room(1);
            group.kernels.lu(n, group.a, order, sign, group.good, 0, nullptr);
            auto *const exchanges = group.room(n * n), *const lower = group.room(n * n),
                        *const upper = group.room(n * n);
            group.kernels.lu_factors(n, group.a, order, exchanges, lower, upper);
            group.give(exchanges, n * n, [&](Index i) { return p[i]; });
            group.give(lower, n * n, [&](Index i) { return l[i]; });
            group.give(upper, n * n, [&](Index i) { return u[i]; });
            group.each([&](Index i, Index lane) { *parity[i] = sign[lane]; });
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
            const auto exponent = copy_scaled(matrices, i, lu[i]);
            if (!exponent) return matrices.not_finite(i);
            static_cast<void>(kernels.lu(m, n, lu[i], rows[i], scratch));
            *exponents[i] = *exponent;
            return std::nullopt;
        };
        const auto in_lanes = [&](const auto& group) {
            if (m != n) return std::fill_n(group.good, group.kernels.lanes, RealOf<T>(0)), void();
            auto *const order = group.real_room(n), *const sign = group.real_room(1);
            group.kernels.lu(n, group.a, order, sign, group.good, 0, nullptr);
            group.give(group.a, n * n, [&](Index i) { return lu[i]; });
            group.each([&](Index i, Index lane) {
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

}}}  // namespace tenferro::TENFERRO_ABI::linalg
