// LU and QR of one small real matrix in vectors, for one instruction set: of LU a vector is a column, of QR a
// row, so that a step is a few operations on whole vectors and none waits for a sum over lanes.

// clang-format off
#if defined(TENFERRO_LINALG_ELIMINATION_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_LINALG_ELIMINATION_INL_HPP
#undef TENFERRO_LINALG_ELIMINATION_INL_HPP
#else
#define TENFERRO_LINALG_ELIMINATION_INL_HPP
#endif
// clang-format on

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/small/across.hpp"
#include "tenferro/cpu/contraction/matrix_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class R>
struct Elimination {
    using D = hn::ScalableTag<R>;
    using V = hn::Vec<D>;
    using M = hn::Mask<D>;
    using DI = hn::RebindToSigned<D>;
    using Lane = hn::TFromD<DI>;
    using Lanes = cpu::HWY_NAMESPACE::MatrixLanes<R>;
    static constexpr Index kLanes = Lanes::kLanes;
    static_assert(kLanes <= kMostAcross);

    static HWY_INLINE V constant(R value) { return hn::Set(D(), value); }
    static HWY_INLINE V vector(const R* from, Index i) { return hn::Load(D(), from + i * kLanes); }
    static HWY_INLINE void put(V x, R* to, Index i) { hn::Store(x, D(), to + i * kLanes); }
    static HWY_INLINE V numbers() { return hn::Iota(D(), 0); }

    /// Columns a[i * kLanes + j] exchange the lanes x and y.
    static HWY_INLINE void exchange(Index x, Index y, Index columns, R* a) {
        const auto i = hn::Iota(DI(), 0), one = hn::Set(DI(), static_cast<Lane>(x)),
                   other = hn::Set(DI(), static_cast<Lane>(y));
        const auto from = hn::IfThenElse(hn::Eq(i, one), other, hn::IfThenElse(hn::Eq(i, other), one, i));
        const auto table = hn::IndicesFromVec(D(), from);
        for (Index j = 0; j < columns; ++j) put(hn::TableLookupLanes(vector(a, j), table), a, j);
    }

    static HWY_NOINLINE int lu(Index m, Index n, R* matrix, std::int64_t* rows) {
        const D d;
        HWY_ALIGN R a[(kMostAcross + 1) * kLanes];  // the last column is the order of the rows
        for (Index j = 0; j < n; ++j) {
            if (m < kLanes) put(hn::Zero(d), a, j);
            std::copy_n(matrix + j * m, m, a + j * kLanes);
        }
        put(numbers(), a, n);
        const M there = hn::FirstN(d, static_cast<std::size_t>(m));
        int parity = 1;
        for (Index step = 0; step < std::min(m, n); ++step) {
            const V at = constant(static_cast<R>(step)), x = vector(a, step);
            const V size = hn::IfThenElse(hn::And(there, hn::Ge(numbers(), at)), hn::Abs(x), constant(-1));
            const auto chosen =
                static_cast<Index>(hn::FindFirstTrue(d, hn::Eq(size, hn::MaxOfLanes(d, size))));
            if (chosen > step) {  // -1 where something is not a number

                parity = -parity;
                exchange(step, chosen, n + 1, a);
            }
            const R pivot = a[step * kLanes + step];
            if (pivot == 0) continue;
            const M below = hn::Gt(numbers(), at);
            const V column = vector(a, step), factors = hn::Div(column, constant(pivot));
            put(hn::IfThenElse(below, factors, column), a, step);
            const V eliminated = hn::IfThenElseZero(below, factors);
            for (Index j = step + 1; j < n; ++j)
                put(hn::NegMulAdd(eliminated, constant(a[j * kLanes + step]), vector(a, j)), a, j);
        }
        for (Index j = 0; j < n; ++j) std::copy_n(a + j * kLanes, m, matrix + j * m);
        for (Index i = 0; i < m; ++i) rows[i] = static_cast<std::int64_t>(a[n * kLanes + i]);
        return parity;
    }

    /// Householder's reflections I - tau v v^T with v = 1 in row `step`, below it in that column of `a`.
    static HWY_NOINLINE void qr(Index m, Index n, Index k, const R* matrix, R* q, R* r) {
        const D d;
        HWY_ALIGN R a[kTallestAcross * kLanes], x[kTallestAcross * kLanes], products[kLanes];
        R taus[kMostAcross];
        const R* from[kMostAcross];
        for (Index j = 0; j < kLanes; ++j) from[j] = matrix + std::min(j, n - 1) * m;
        Lanes::gather(m, from, a);
        const Index steps = std::min(m, n);
        constexpr R kTiny = std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon();
        for (Index step = 0; step < steps; ++step) {
            const auto element = [&](Index i) { return a[i * kLanes + step]; };
            V below = hn::Zero(d), more = below;
            Index i = step + 1;
            for (; i + 2 <= m; i += 2) {
                below = hn::MulAdd(constant(element(i)), vector(a, i), below);
                more = hn::MulAdd(constant(element(i + 1)), vector(a, i + 1), more);
            }
            if (i < m) below = hn::MulAdd(constant(element(i)), vector(a, i), below);
            below = hn::Add(below, more);
            put(below, products, 0);
            const R alpha = element(step), rest = products[step], all = alpha * alpha + rest;
            taus[step] = 0;
            if (rest <= kTiny || all <= kTiny) continue;
            const R value = -std::copysign(std::sqrt(all), alpha), by = 1 / (alpha - value);
            taus[step] = (value - alpha) / value;
            const M later = hn::Gt(numbers(), constant(static_cast<R>(step))),
                    here = hn::Eq(numbers(), constant(static_cast<R>(step)));
            const V row = vector(a, step);
            const V sum = hn::IfThenElseZero(
                later, hn::Mul(constant(taus[step]), hn::MulAdd(constant(by), below, row)));
            put(hn::IfThenElse(here, constant(value), hn::Sub(row, sum)), a, step);
            for (i = step + 1; i < m; ++i) {
                const V v = constant(element(i) * by);
                put(hn::IfThenElse(here, v, hn::NegMulAdd(v, sum, vector(a, i))), a, i);
            }
        }
        for (Index i = 0; i < m; ++i)
            put(hn::IfThenElseZero(hn::Eq(numbers(), constant(static_cast<R>(i))), constant(1)), x, i);
        for (Index step = steps - 1; step >= 0; --step) {
            if (taus[step] == 0) continue;
            const auto v = [&](Index i) HWY_ATTR { return constant(a[i * kLanes + step]); };
            V sum = vector(x, step), more = hn::Zero(d);
            Index i = step + 1;
            for (; i + 2 <= m; i += 2) {
                sum = hn::MulAdd(v(i), vector(x, i), sum);
                more = hn::MulAdd(v(i + 1), vector(x, i + 1), more);
            }
            if (i < m) sum = hn::MulAdd(v(i), vector(x, i), sum);
            sum = hn::Mul(constant(taus[step]), hn::Add(sum, more));
            put(hn::Sub(vector(x, step), sum), x, step);
            for (i = step + 1; i < m; ++i) put(hn::NegMulAdd(v(i), sum, vector(x, i)), x, i);
        }
        R* to[kMostAcross];
        for (Index j = 0; j < kLanes; ++j) to[j] = j < k ? q + j * m : nullptr;
        Lanes::scatter(m, x, to);
        for (Index i = 0; i < k; ++i)
            put(hn::IfThenElseZero(hn::Ge(numbers(), constant(static_cast<R>(i))), vector(a, i)), a, i);
        for (Index j = 0; j < kLanes; ++j) to[j] = j < n ? r + j * k : nullptr;
        Lanes::scatter(k, a, to);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
