// Jacobi's methods on the columns of one matrix, compiled once per instruction set. A sweep visits all pairs
// of columns in rounds of disjoint ones, as in a tournament (Brent and Luk, SIAM J. Sci. Stat. Comput. 6,
// 1985); each lane computes the rotation of its own column and its partner's, which differ in sign only.
// Eigenvalues by rotations of both sides, singular values by those of the columns (Hestenes, J. SIAM 6,
// 1958), with the thresholds of lanes-inl.hpp.
#include "linalg/small/columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/small/columns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class R>
class ColumnsInLanes {
    using D = hn::CappedTag<R, 16>;
    using V = hn::Vec<D>;
    using M = hn::Mask<D>;
    using Number = hwy::MakeSigned<R>;
    static constexpr D d{};
    static constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D{}));
    static constexpr R kUnit = std::numeric_limits<R>::epsilon();
    static constexpr int kSweeps = 30;
    static constexpr Index kMost = 16;  // columns, of any processor

public:
    static constexpr Index kMostRows = 16;

    static bool eigh(Index n, const R* from, R* w, R* v) {
        HWY_ALIGN R a[kLanes * kLanes], turned[kLanes * kLanes], x[kLanes * kLanes];
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < kLanes; ++i)
                a[j * kLanes + i] = i >= n ? 0 : from[std::max(i, j) + std::min(i, j) * n];
        if (v != nullptr) set_identity(n, x);
        const Rounds rounds(n);
        V sum = hn::Zero(d);
        for (Index i = 0; i < n; ++i) sum = hn::MulAdd(row(a, i), row(a, i), sum);
        const V norm = hn::Sqrt(hn::SumOfLanes(d, sum));
        const V floor = hn::Mul(norm, constant(kUnit * kUnit));
        // The diagonal is kept here; that in `a`, which no rotation reads, is not up to date.
        V diagonal = chosen(n, a, lanes());
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            bool settled = true;
            for (Index round = 0; round < rounds.count; ++round) {
                const Number* const partners = rounds.of(round);
                const auto exchange = hn::SetTableIndices(d, partners);
                const V partner = hn::ConvertTo(d, hn::Load(hn::RebindToSigned<D>(), partners));
                const V here = chosen(n, a, partner);  // the same for both of a pair
                const V beside =
                    hn::IfThenElse(hn::Lt(lanes(), partner), here, hn::TableLookupLanes(here, exchange));
                const V other = hn::TableLookupLanes(diagonal, exchange);
                const V sizes = hn::Mul(hn::Sqrt(hn::Abs(diagonal)), hn::Sqrt(hn::Abs(other)));
                const V least = hn::Max(floor, hn::Mul(sizes, constant(kUnit / 4)));
                const M nothing = hn::Or(hn::Le(hn::Abs(beside), least), hn::Eq(partner, lanes()));
                if (hn::AllTrue(d, nothing)) continue;
                settled = false;
                const Rotation g = rotation(diagonal, beside, other, partner, nothing);
                diagonal = hn::NegMulAdd(g.t, beside, diagonal);
                HWY_ALIGN R c[kLanes], s[kLanes];
                hn::Store(g.c, d, c);
                hn::Store(g.s, d, s);
                rotate(g, exchange, n, a);
                for (Index i = 0; i < n; ++i) {
                    const V y = hn::NegMulAdd(constant(s[i]), row(a, partners[i]),
                                              hn::Mul(constant(c[i]), row(a, i)));
                    const M annulled = hn::AndNot(nothing, hn::Eq(partner, constant(static_cast<R>(i))));
                    put(hn::IfThenZeroElse(annulled, y), turned, i);
                }
                std::copy_n(turned, n * kLanes, a);
                if (v != nullptr) rotate(g, exchange, n, x);
            }
            if (!settled) continue;
            hn::Store(diagonal, d, turned);
            Index order[kMost];
            sort(n, turned, order, false);
            const auto size = [&](Index j) { return std::abs(turned[j]); };
            R largest = 0, smallest = size(0);
            for (Index j = 0; j < n; ++j) {
                largest = std::max(largest, size(j));
                smallest = std::min(smallest, size(j));
            }
            if (!(smallest > largest * kUnit * static_cast<R>(8 * n))) return false;
            for (Index j = 0; j < n; ++j) w[j] = turned[order[j]];
            if (v != nullptr) give(n, n, x, order, v, n);
            return true;
        }
        return false;
    }

    static bool svd(Index m, Index n, const R* from, R* u, Index u_step, R* s, R* v) {
        HWY_ALIGN R a[kMostRows * kLanes], x[kLanes * kLanes], sizes[kLanes];
        for (Index i = 0; i < m; ++i)
            for (Index j = 0; j < kLanes; ++j) a[i * kLanes + j] = j >= n ? 0 : from[i + j * m];
        if (v != nullptr) set_identity(n, x);
        const Rounds rounds(n);
        const V tolerance = constant(kUnit * static_cast<R>(std::max(m, Index{2})));
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            bool settled = true;
            for (Index round = 0; round < rounds.count; ++round) {
                const auto exchange = hn::SetTableIndices(d, rounds.of(round));
                const V partner = hn::ConvertTo(d, hn::Load(hn::RebindToSigned<D>(), rounds.of(round)));
                V own = hn::Zero(d), beside = own;
                for (Index i = 0; i < m; ++i) {
                    const V y = row(a, i);
                    own = hn::MulAdd(y, y, own);
                    beside = hn::MulAdd(y, hn::TableLookupLanes(y, exchange), beside);
                }
                const V other = hn::TableLookupLanes(own, exchange);
                const V least = hn::Mul(tolerance, hn::Mul(hn::Sqrt(own), hn::Sqrt(other)));
                const M nothing = hn::Or(hn::Le(hn::Abs(beside), least), hn::Eq(partner, lanes()));
                if (hn::AllTrue(d, nothing)) continue;
                settled = false;
                const Rotation g = rotation(own, beside, other, partner, nothing);
                rotate(g, exchange, m, a);
                if (v != nullptr) rotate(g, exchange, n, x);
            }
            if (!settled) continue;
            V sum = hn::Zero(d);
            for (Index i = 0; i < m; ++i) sum = hn::MulAdd(row(a, i), row(a, i), sum);
            const V size = hn::Sqrt(sum);
            hn::Store(size, d, sizes);
            Index order[kMost];
            sort(n, sizes, order, true);
            if (!(sizes[order[n - 1]] > sizes[order[0]] * kUnit * static_cast<R>(8 * m))) return false;
            for (Index j = 0; j < n; ++j) s[j] = sizes[order[j]];
            if (v == nullptr) return true;
            for (Index i = 0; i < m; ++i) put(hn::Div(row(a, i), size), a, i);
            give(m, n, a, order, u, u_step);
            give(n, n, x, order, v, n);
            return true;
        }
        return false;
    }

private:
    /// The partner of every column in each round; of a column that has none itself.
    struct Rounds {
        Index count;
        HWY_ALIGN Number partners[kLanes * kLanes];

        explicit Rounds(Index n) : count(n < 2 ? 0 : n + n % 2 - 1) {
            for (Index round = 0; round < count; ++round)
                for (Index j = 0; j < kLanes; ++j) {
                    // Of `count` players i and j meet where i + j = round; who would meet himself meets the
                    // last one.
                    const Index meets = (round - j + count) % std::max<Index>(count, 1);
                    Index partner = j < count ? (meets == j ? count : meets) : j == count ? last(round) : j;
                    if (j >= n || partner >= n) partner = j;
                    partners[round * kLanes + j] = static_cast<Number>(partner);
                }
        }
        [[nodiscard]] const Number* of(Index round) const { return partners + round * kLanes; }

    private:
        /// Who would meet himself: 2 j = round modulo `count`, which is odd.
        [[nodiscard]] Index last(Index round) const {
            return round % 2 == 0 ? round / 2 : (round + count) / 2;
        }
    };
    struct Rotation {
        V c, s, t;
    };

    static HWY_INLINE V constant(R value) { return hn::Set(d, value); }
    static HWY_INLINE V lanes() { return hn::Iota(d, R(0)); }
    static HWY_INLINE V row(const R* a, Index i) { return hn::Load(d, a + i * kLanes); }
    static HWY_INLINE void put(V value, R* a, Index i) { hn::Store(value, d, a + i * kLanes); }

    /// Columns in this order, `step` apart.
    static HWY_INLINE void give(Index m, Index n, const R* a, const Index* order, R* to, Index step) {
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < m; ++i) to[i + j * step] = a[i * kLanes + order[j]];
    }
    static HWY_INLINE void set_identity(Index n, R* x) {
        for (Index i = 0; i < n; ++i)
            put(hn::IfThenElseZero(hn::Eq(lanes(), constant(static_cast<R>(i))), constant(1)), x, i);
    }
    /// In each lane the element of its column in that row.
    static HWY_INLINE V chosen(Index n, const R* a, V rows) {
        V element = hn::Zero(d);
        for (Index i = 0; i < n; ++i)
            element = hn::IfThenElse(hn::Eq(rows, constant(static_cast<R>(i))), row(a, i), element);
        return element;
    }
    /// What makes [[own, beside], [beside, other]] diagonal, the identity where `nothing` holds: (x, y)
    /// become (c x - s y, s x + c y), in the lane of y with the other sign of s.
    static HWY_INLINE Rotation rotation(V own, V beside, V other, V partner, M nothing) {
        const V gap = hn::Sub(other, own), twice = hn::Add(beside, beside);
        const V root = hn::Sqrt(hn::MulAdd(gap, gap, hn::Mul(twice, twice)));
        const V size = hn::Div(twice, hn::Add(hn::Abs(gap), root));
        const V sign = hn::IfThenElse(hn::Eq(gap, hn::Zero(d)), hn::Sub(partner, lanes()), gap);
        const V t =
            hn::IfThenZeroElse(nothing, hn::IfThenElse(hn::Lt(sign, hn::Zero(d)), hn::Neg(size), size));
        const V c = hn::Div(constant(1), hn::Sqrt(hn::MulAdd(t, t, constant(1))));
        return {c, hn::Mul(c, t), t};
    }
    template <class Exchange>
    static HWY_INLINE void rotate(const Rotation& g, Exchange exchange, Index rows, R* a) {
        for (Index i = 0; i < rows; ++i) {
            const V y = row(a, i);
            put(hn::NegMulAdd(g.s, hn::TableLookupLanes(y, exchange), hn::Mul(g.c, y)), a, i);
        }
    }
    static HWY_INLINE void sort(Index n, const R* values, Index* order, bool descending) {
        for (Index j = 0; j < n; ++j) {
            Index at = j;
            for (; at > 0 &&
                   (descending ? values[order[at - 1]] < values[j] : values[order[at - 1]] > values[j]);
                 --at)
                order[at] = order[at - 1];
            order[at] = j;
        }
    }
};

template <class R>
ColumnKernels<R> table() {
    using Kernels = ColumnsInLanes<R>;
    constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(hn::CappedTag<R, 16>{}));
    return {kLanes, Kernels::kMostRows, Kernels::eigh, Kernels::svd};
}
ColumnKernels<float> columns_f32() { return table<float>(); }
ColumnKernels<double> columns_f64() { return table<double>(); }

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

HWY_EXPORT(columns_f32);
HWY_EXPORT(columns_f64);
template <>
ColumnKernels<float> column_kernels<float>() {
    return HWY_DYNAMIC_DISPATCH(columns_f32)();
}
template <>
ColumnKernels<double> column_kernels<double>() {
    return HWY_DYNAMIC_DISPATCH(columns_f64)();
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
#endif
