// Decompositions of one small real matrix that lies across the lanes of vectors, for one instruction set: a
// vector is a row, a lane a column. Jacobi rotations in a parallel ordering (Brent and Luk, SIAM J. Sci.
// Stat. Comput. 6, 1985): a round turns every column together with one other, so that it is one computation
// of angles, each lane its own, and one pass over the rows, where rotations one after the other would each
// wait for roots and quotients. n - 1 rounds, a sweep, turn every pair once. A column of zeros, which is
// never turned, makes the number of columns even.

// clang-format off
#if defined(TENFERRO_LINALG_ACROSS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_LINALG_ACROSS_INL_HPP
#undef TENFERRO_LINALG_ACROSS_INL_HPP
#else
#define TENFERRO_LINALG_ACROSS_INL_HPP
#endif
// clang-format on

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/small/across.hpp"
#include "linalg/small/rounds.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#undef TENFERRO_ESTIMATED_ROOTS
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define TENFERRO_ESTIMATED_ROOTS 1
/// 1 / sqrt(x), to 11 bits or more.
HWY_INLINE hn::Vec128<double> estimated_root(hn::Vec128<double> x) { return {_mm_rsqrt14_pd(x.raw)}; }
HWY_INLINE hn::Vec256<double> estimated_root(hn::Vec256<double> x) { return {_mm256_rsqrt14_pd(x.raw)}; }
HWY_INLINE hn::Vec512<double> estimated_root(hn::Vec512<double> x) { return {_mm512_rsqrt14_pd(x.raw)}; }
template <class V>
HWY_INLINE V estimated_root(V x) {
    return hn::ApproximateReciprocalSqrt(x);
}
#endif

/// 1 / sqrt(x) for x > 0, to a few units of rounding.
template <class D>
HWY_INLINE hn::Vec<D> reciprocal_root(D d, hn::Vec<D> x) {
    using R = hn::TFromD<D>;
    const hn::Vec<D> one = hn::Set(d, R(1));
#ifdef TENFERRO_ESTIMATED_ROOTS
    // y / sqrt(1 - off) by the first terms of its series
    const hn::Vec<D> y = estimated_root(x), off = hn::NegMulAdd(hn::Mul(x, y), y, one);
    hn::Vec<D> series = hn::Set(d, R(0.375));
    if constexpr (sizeof(R) == 8) series = hn::MulAdd(off, hn::Set(d, R(0.3125)), series);
    return hn::MulAdd(hn::Mul(y, off), hn::MulAdd(off, series, hn::Set(d, R(0.5))), y);
#else
    return hn::Div(one, hn::Sqrt(x));
#endif
}

/// Of at most N columns in N lanes.
template <class R, std::size_t N>
struct Across {
    using D = hn::CappedTag<R, N>;
    using V = hn::Vec<D>;
    using M = hn::Mask<D>;
    using DI = hn::RebindToSigned<D>;
    using Lane = hn::TFromD<DI>;
    using Table = Rounds<Lane, N>;
    static constexpr R kUnit = std::numeric_limits<R>::epsilon(), kLeast = std::numeric_limits<R>::min();
    static constexpr int kSweeps = 30;
    static constexpr Index kLanes = static_cast<Index>(N);

    static HWY_INLINE V constant(R value) { return hn::Set(D(), value); }
    static HWY_INLINE V row(const R* rows, Index i) { return hn::Load(D(), rows + i * kLanes); }
    static HWY_INLINE void put(V x, R* rows, Index i) { hn::Store(x, D(), rows + i * kLanes); }
    /// All bits in one lane.
    static HWY_INLINE V only(Index lane) { return hn::BitCast(D(), hn::Load(DI(), Table::only(lane))); }
    static HWY_INLINE void identity(R* rows) {
        for (Index i = 0; i < kLanes; ++i) put(hn::And(only(i), constant(1)), rows, i);
    }

    struct Round {
        const typename Table::Round& at;
        decltype(hn::IndicesFromVec(D(), hn::Vec<DI>())) partners;

        explicit HWY_INLINE Round(const typename Table::Round& round)
            : at(round), partners(hn::IndicesFromVec(D(), hn::Load(DI(), round.partner))) {}
        HWY_INLINE V exchanged(V x) const { return hn::TableLookupLanes(x, partners); }
        /// The first of two columns is positive, the second negative.
        HWY_INLINE V side() const {
            return hn::BitCast(D(), hn::Sub(hn::Load(DI(), at.partner), hn::Iota(DI(), 0)));
        }
        /// Of row i of a matrix the element in the column that column i meets, the others 0.
        HWY_INLINE V pivot(V x, Index i) const { return hn::And(only(at.partner[i]), x); }
        HWY_INLINE V without_pivot(V x, Index i) const { return hn::AndNot(only(at.partner[i]), x); }
    };

    /// What turns column p, in whose lane it is, and column q that it meets: c p - s q. It makes
    /// [[own, beside], [beside, other]] diagonal with own + change in the place of own; the identity where
    /// `nothing` holds. Both lanes of a pair must have the same operands to the last bit: else they turn by
    /// different angles.
    struct Rotation {
        V c, s, change;

        HWY_INLINE Rotation(const Round& round, V own, V twice_beside, V other, M nothing) {
            const D d;
            const V x = hn::Sub(other, own), y = twice_beside, yy = hn::Mul(y, y);
            const V square = hn::MulAdd(x, x, yy);
            // tan = y / (|x| + sqrt(x² + y²)), with the sign of x
            const V u = hn::MulAdd(square, reciprocal_root(d, square), hn::Abs(x));
            const V scale = reciprocal_root(d, hn::MulAdd(u, u, yy));
            const V direction = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), round.side(), x);
            c = hn::IfThenElse(nothing, constant(1), hn::Mul(u, scale));
            s = hn::IfThenZeroElse(nothing, hn::Xor(hn::Mul(y, scale), hn::And(direction, hn::SignBit(d))));
            change = hn::Mul(s, hn::NegMulAdd(c, y, hn::Mul(s, x)));
        }
        /// A row, of which all columns are turned.
        HWY_INLINE V of(V x, const Round& round) const {
            return hn::NegMulAdd(s, round.exchanged(x), hn::Mul(c, x));
        }
    };
    /// The same for two rows.
    struct RowRotation {
        V c, s;
        HWY_INLINE void turn(V& x, V& y) const {
            const V before = x;
            x = hn::NegMulAdd(s, y, hn::Mul(c, x));
            y = hn::MulAdd(s, before, hn::Mul(c, y));
        }
    };

    /// The lanes below n in the order of before(x, y), equal ones as they are.
    template <class F>
    static HWY_INLINE void sort(Index n, V x, F&& before, Index* order) {
        HWY_ALIGN R numbers[N];
        HWY_ALIGN Lane places[N];
        hn::Store(x, D(), numbers);
        hn::Vec<DI> place = hn::Zero(DI());
        for (Index i = 0; i < n; ++i) {
            const V other = constant(numbers[i]);
            const auto earlier = hn::Lt(hn::Set(DI(), static_cast<Lane>(i)), hn::Iota(DI(), 0));
            const M first = hn::Or(before(other, x), hn::And(hn::Eq(other, x), hn::RebindMask(D(), earlier)));
            place = hn::Sub(place, hn::BitCast(DI(), hn::VecFromMask(D(), first)));
        }
        hn::Store(place, DI(), places);
        for (Index i = 0; i < n; ++i) order[places[i]] = i;
    }
    /// The first n lanes of row i, to where what lies behind them, up to `end`, is written later.
    static HWY_INLINE void give(Index n, const R* rows, Index i, R* to, const R* end) {
        if (end - to >= kLanes)
            hn::StoreU(row(rows, i), D(), to);
        else
            std::copy_n(rows + i * kLanes, n, to);
    }

    /// Two-sided rotations. Elements that are nothing beside the root of the product of their diagonal ones
    /// are not turned away, which keeps the digits of small values (Demmel and Veselić, SIAM J. Matrix Anal.
    /// Appl. 13, 1992).
    template <bool kVectors>
    static HWY_NOINLINE bool eigh_of(Index n, R* matrix, R* w) {
        const D d;
        HWY_ALIGN R a[N * N], v[kVectors ? N * N : N], numbers[N], cosines[N], sines[N];
        const Index even = n + n % 2;
        for (Index i = 0; i < even; ++i) put(hn::Zero(d), a, i);
        put(hn::Zero(d), numbers, 0);
        for (Index j = 0; j < n; ++j) {
            numbers[j] = matrix[j + j * n];
            for (Index i = j + 1; i < n; ++i) a[i * kLanes + j] = a[j * kLanes + i] = matrix[i + j * n];
        }
        if constexpr (kVectors) identity(v);
        const auto* const rounds = Table::of(even);
        const auto pivots = [&](const Round& round) HWY_ATTR {
            V all = hn::Zero(d);
            for (Index i = 0; i < even; ++i) all = hn::Or(all, round.pivot(row(a, i), i));
            return all;
        };
        // rows of `a` have no diagonal, which is in `values`
        V values = row(numbers, 0), beside = pivots(Round(rounds[0]));
        const V tiny = constant(std::sqrt(kLeast)), negligible = constant(4 * kUnit * kUnit);
        bool settled = false;
        for (int sweep = 0; sweep < kSweeps && !settled; ++sweep) {
            settled = true;
            for (Index k = 0; k + 1 < even; ++k) {
                const Round round(rounds[k]), next(rounds[k + 2 < even ? k + 1 : 0]);
                const V other = round.exchanged(values);
                // A is symmetric but for rounding
                const V twice = hn::Add(beside, round.exchanged(beside));
                const V bound = hn::Abs(hn::Mul(hn::Mul(values, other), negligible));
                const M nothing = hn::Or(hn::Le(hn::Mul(twice, twice), bound), hn::Le(hn::Abs(twice), tiny));
                if (hn::AllTrue(d, nothing)) {
                    beside = pivots(next);
                    continue;
                }
                settled = false;
                const Rotation g(round, values, twice, other, nothing);
                values = hn::Add(values, g.change);
                put(g.c, cosines, 0);
                put(g.s, sines, 0);
                beside = hn::Zero(d);
                for (Index pair = 0; pair < even / 2; ++pair) {
                    const Index p = round.at.first[pair], q = round.at.second[pair];
                    const RowRotation rows{constant(cosines[p]), constant(sines[p])};
                    V x = g.of(row(a, p), round), y = g.of(row(a, q), round);
                    rows.turn(x, y);
                    x = round.without_pivot(x, p);
                    y = round.without_pivot(y, q);
                    put(x, a, p);
                    put(y, a, q);
                    beside = hn::Or(beside, hn::Or(next.pivot(x, p), next.pivot(y, q)));
                    if constexpr (kVectors) {  // of which rows are columns
                        x = row(v, p), y = row(v, q);
                        rows.turn(x, y);
                        put(x, v, p);
                        put(y, v, q);
                    }
                }
            }
        }
        if (!settled) return false;
        Index order[N];
        sort(
            n, values, [](V x, V y) HWY_ATTR { return hn::Lt(x, y); }, order);
        put(values, numbers, 0);
        for (Index j = 0; j < n; ++j) w[j] = numbers[order[j]];
        if constexpr (kVectors)
            for (Index j = 0; j < n; ++j) give(n, v, order[j], matrix + j * n, matrix + n * n);
        return true;
    }
    static bool eigh(Index n, bool vectors, R* matrix, R* w) {
        return vectors ? eigh_of<true>(n, matrix, w) : eigh_of<false>(n, matrix, w);
    }

    /// Of every column the sum of squares, and its product with the column that it meets.
    struct Sums {
        V squares, products;
        HWY_INLINE Sums() : squares(hn::Zero(D())), products(squares) {}
        HWY_INLINE void add(V x, const Round& round) {
            squares = hn::MulAdd(x, x, squares);
            products = hn::MulAdd(x, round.exchanged(x), products);
        }
        HWY_INLINE void add(const Sums& more) {
            squares = hn::Add(squares, more.squares);
            products = hn::Add(products, more.products);
        }
    };
    /// Of `change`(row) for each row, which replaces it.
    template <class F>
    static HWY_INLINE Sums sums(Index count, R* rows, const Round& round, F&& change) {
        Sums even, odd;
        const auto add = [&](Index i, Sums& to) HWY_ATTR {
            const V x = change(row(rows, i));
            put(x, rows, i);
            to.add(x, round);
        };
        Index i = 0;
        for (; i + 2 <= count; i += 2) {
            add(i, even);
            add(i + 1, odd);
        }
        if (i < count) add(i, even);
        even.add(odd);
        return even;
    }

    /// One-sided rotations (Hestenes, J. SIAM 6, 1958): the columns of the matrix, or of the transpose of a
    /// wide one, become orthogonal.
    template <bool kVectors>
    static HWY_NOINLINE bool svd_of(Index m, Index n, const R* a, R* u, R* s, R* vh, R* rows) {
        // so that squares of what is small in a moderate matrix have the range that `least` asks for
        constexpr R kScale = sizeof(R) == 4 ? 1024 : 1;
        const D d;
        HWY_ALIGN R v[kVectors ? N * N : N], numbers[N];
        const bool tall = m >= n;
        const Index count = std::max(m, n), columns = std::min(m, n), even = columns + columns % 2;
        for (Index i = 0; i < count; ++i) {
            put(hn::Zero(d), rows, i);
            for (Index j = 0; j < columns; ++j)
                rows[i * kLanes + j] = kScale * (tall ? a[i + j * m] : a[j + i * m]);
        }
        if constexpr (kVectors) identity(v);
        const auto* const rounds = Table::of(even);
        const V tolerance = constant(kUnit * kUnit * static_cast<R>(count * count));
        const auto same = [](V x) HWY_ATTR { return x; };
        Sums now = sums(count, rows, Round(rounds[0]), same);
        // Squares of columns that are there: products of two of them, times the tolerance, are of full
        // precision, and none is what rounding left of one, which others would cancel again and again.
        const V least =
            hn::Max(constant(std::sqrt(kLeast) / kUnit),
                    hn::Mul(hn::SumOfLanes(d, now.squares), constant(kUnit * kUnit * kUnit * kUnit)));
        const M padding = hn::Not(hn::FirstN(d, static_cast<std::size_t>(columns)));
        const auto whole = [&]() HWY_ATTR {
            return hn::AllTrue(d, hn::Or(padding, hn::Gt(now.squares, least)));
        };
        bool settled = false;
        for (int sweep = 0; sweep < kSweeps && !settled && whole(); ++sweep) {
            settled = true;
            for (Index k = 0; k + 1 < even; ++k) {
                const Round round(rounds[k]), next(rounds[k + 2 < even ? k + 1 : 0]);
                const V other = round.exchanged(now.squares);
                const M nothing = hn::Le(hn::Mul(now.products, now.products),
                                         hn::Mul(hn::Mul(now.squares, other), tolerance));
                if (hn::AllTrue(d, nothing)) {
                    now = sums(count, rows, next, same);
                    continue;
                }
                settled = false;
                const Rotation g(round, now.squares, hn::Add(now.products, now.products), other, nothing);
                const auto turned = [&](V x) HWY_ATTR { return g.of(x, round); };
                now = sums(count, rows, next, turned);
                if constexpr (kVectors)
                    for (Index i = 0; i < columns; ++i) put(turned(row(v, i)), v, i);
            }
        }
        if (!settled || !whole()) return false;
        Index order[N];
        sort(
            columns, now.squares, [](V x, V y) HWY_ATTR { return hn::Gt(x, y); }, order);
        const V lengths = hn::Sqrt(now.squares);
        put(hn::Mul(lengths, constant(1 / kScale)), numbers, 0);
        for (Index j = 0; j < columns; ++j) s[j] = numbers[order[j]];
        if constexpr (kVectors) {
            const V by = hn::Div(constant(1), lengths);
            for (Index i = 0; i < count; ++i) put(hn::Mul(row(rows, i), by), rows, i);
            HWY_ALIGN Lane from[N] = {};
            for (Index j = 0; j < columns; ++j) from[j] = static_cast<Lane>(order[j]);
            const auto sorted = hn::IndicesFromVec(d, hn::Load(DI(), from));
            R *const left = tall ? rows : v, *const right = tall ? v : rows;
            for (Index i = 0; i < n; ++i) {
                put(hn::TableLookupLanes(row(right, i), sorted), right, i);
                give(columns, right, i, vh + i * columns, vh + n * columns);
            }
            for (Index j = 0; j < columns; ++j)
                for (Index i = 0; i < m; ++i) u[i + j * m] = left[i * kLanes + order[j]];
        }
        return true;
    }
    static bool svd(Index m, Index n, const R* a, R* u, R* s, R* vh, R* room) {
        return u != nullptr ? svd_of<true>(m, n, a, u, s, vh, room) : svd_of<false>(m, n, a, u, s, vh, room);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
