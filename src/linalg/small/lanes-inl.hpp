// Decompositions of small matrices, one matrix in each lane of a vector, for one instruction set. Element i
// of lane l is at [i * lanes + l], of complex ones at [2 * i * lanes + l] and behind the lanes of that. What
// a lane computes does not depend on the others: a rotation that a lane does not need is the identity there.
// Lanes whose matrix is not an ordinary one are left to the kernels for single matrices.

// clang-format off
#if defined(TENFERRO_LINALG_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_LINALG_LANES_INL_HPP
#undef TENFERRO_LINALG_LANES_INL_HPP
#else
#define TENFERRO_LINALG_LANES_INL_HPP
#endif
// clang-format on

#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "linalg/small/lanes.hpp"
#include "linalg/small/numbers-inl.hpp"
#include "tenferro/cpu/contraction/matrix_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class R>
using Lanes = hn::Vec<hn::ScalableTag<R>>;

template <class R>
using RealInLanes = RealNumbers<hn::ScalableTag<R>>;
template <class R>
using ComplexInLanes = ComplexNumbers<hn::ScalableTag<R>>;

template <class R, template <class> class NumberOf>
struct InLanes {
    using D = hn::ScalableTag<R>;
    using V = Lanes<R>;
    using M = hn::Mask<D>;
    using N = NumberOf<R>;
    static constexpr R kUnit = std::numeric_limits<R>::epsilon();
    static constexpr int kSweeps = 30;

    static HWY_INLINE N load(const R* a, Index i) { return N::load(a, i); }
    static HWY_INLINE V constant(R value) { return hn::Set(D(), value); }
    static HWY_INLINE N number(R value) { return N::of(constant(value)); }
    static HWY_INLINE V real(const R* a, Index i) { return load(a, i).re; }
    /// Lanes as 1 where `mask` holds, else 0.
    static HWY_INLINE void store_mask(M mask, R* to) {
        hn::Store(hn::IfThenElse(mask, constant(1), constant(0)), D(), to);
    }
    static HWY_INLINE void store_real(V value, R* to, Index i) { RealInLanes<R>{value}.store(to, i); }
    /// The least pivot that divides without overflow between.
    static HWY_INLINE V least_pivot() {
        const R least = std::numeric_limits<R>::min() / kUnit;
        return constant(N::kParts == 2 ? std::sqrt(least) : least);
    }

    static HWY_NOINLINE void pack(Index count, const R* const* from, const Index* offsets, R* to,
                                  R* largest) {
        const D d;
        bool in_order = true;
        for (Index e = 0; e < count; ++e) in_order = in_order && offsets[e] == e;
        if (in_order) {
            cpu::HWY_NAMESPACE::MatrixLanes<R>::gather(count, from, to);
        } else {
            const std::size_t lanes = hn::Lanes(d);
            for (Index e = 0; e < count; ++e) {
                const Index offset = offsets[e];
                R* const element = to + static_cast<std::size_t>(e) * lanes;
                for (std::size_t lane = 0; lane < lanes; ++lane)
                    element[lane] = offset < 0 ? R(0) : from[lane][offset];
            }
        }
        const V most = constant(std::numeric_limits<R>::max());
        V size = hn::Zero(d);
        M finite = hn::Le(size, most);
        for (Index e = 0; e < count; ++e) {
            const V x = hn::Abs(RealInLanes<R>::load(to, e).re);
            finite = hn::And(finite, hn::Le(x, most));
            size = hn::Max(size, x);
        }
        hn::StoreU(hn::IfThenElse(finite, size, constant(std::numeric_limits<R>::infinity())), d, largest);
    }

    static HWY_NOINLINE void unpack(Index count, const R* from, R* const* to) {
        cpu::HWY_NAMESPACE::MatrixLanes<R>::scatter(count, from, to);
    }

    /// The rotation that makes [[p, q], [conj(q), r]] diagonal, the identity where `nothing` holds: `turn` is
    /// the phase of q.
    struct Rotation {
        V c, s;
        N turn;
    };
    static HWY_INLINE Rotation rotation(V p, N beside, V r, M nothing) {
        const V one = constant(1);
        V q;
        const N phase = beside.phase(q);
        const V zeta = hn::Div(hn::Sub(r, p), hn::Mul(constant(2), q));
        const V root = hn::Sqrt(hn::MulAdd(zeta, zeta, one));
        V t = hn::CopySign(hn::Div(one, hn::Add(hn::Abs(zeta), root)), zeta);
        t = hn::IfThenZeroElse(nothing, t);
        const V c = hn::Div(one, hn::Sqrt(hn::MulAdd(t, t, one)));
        return {c, hn::Mul(c, t), N::of(one).where(nothing, phase)};
    }
    /// (x, y) -> (c x - s y', s x + c y') with y' = y times the conjugate of `turn`, for elements that are
    /// `step` apart; rows by the conjugate rotation.
    static HWY_INLINE void rotate(const Rotation& g, Index count, R* a, Index x, Index y, Index step,
                                  bool rows = false) {
        for (Index k = 0; k < count; ++k) {
            const N u = load(a, x + k * step), w = load(a, y + k * step);
            N v = w;
            if constexpr (N::kParts == 2) v = w * (rows ? g.turn : g.turn.conj());
            (u * g.c - v * g.s).store(a, x + k * step);
            (u * g.s + v * g.c).store(a, y + k * step);
        }
    }
    static HWY_INLINE void identity(Index m, Index n, R* a) {
        for (Index i = 0; i < m * n; ++i) number(i % m == i / m ? 1 : 0).store(a, i);
    }

    /// Hermitian a [n, n], whole; w becomes its eigenvalues in no order, v the vectors. `good` is 1 where it
    /// converged.
    static HWY_NOINLINE void eigh(Index n, R* a, R* w, R* v, R* good) {
        const D d;
        V sum = hn::Zero(d);
        for (Index i = 0; i < n * n; ++i) sum = hn::Add(load(a, i).squared(), sum);
        identity(n, n, v);
        const V negligible = hn::Mul(hn::Sqrt(sum), constant(kUnit / static_cast<R>(16 * n)));
        M settled = hn::Ge(sum, hn::Zero(d));
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            settled = hn::Ge(sum, hn::Zero(d));
            for (Index p = 0; p < n; ++p)
                for (Index q = p + 1; q < n; ++q) {
                    const N beside = load(a, p + q * n);
                    const M nothing = hn::Le(beside.size(), negligible);
                    if (hn::AllTrue(d, nothing)) continue;
                    settled = hn::And(settled, nothing);
                    const Rotation g = rotation(real(a, p + p * n), beside, real(a, q + q * n), nothing);
                    rotate(g, n, a, p * n, q * n, 1);
                    rotate(g, n, a, p, q, n, true);
                    rotate(g, n, v, p * n, q * n, 1);
                }
            if (hn::AllTrue(d, settled)) break;
        }
        for (Index i = 0; i < n; ++i) store_real(real(a, i + i * n), w, i);
        store_mask(settled, good);
    }

    /// a [m, n] with m >= n: u, in place of a, s and v [n, n] in no order. `good` is 1 where it converged and
    /// the matrix is of full rank.
    static HWY_NOINLINE void svd(Index m, Index n, R* a, R* s, R* v, R* good) {
        const D d;
        identity(n, n, v);
        const V tolerance = constant(kUnit * static_cast<R>(HWY_MAX(m, Index{2})));
        M settled = hn::Ge(tolerance, hn::Zero(d));
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            settled = hn::Ge(tolerance, hn::Zero(d));
            for (Index i = 0; i < n; ++i)
                for (Index j = i + 1; j < n; ++j) {
                    V p = hn::Zero(d), r = p;
                    N q = number(0);
                    for (Index k = 0; k < m; ++k) {
                        const N x = load(a, k + i * m), y = load(a, k + j * m);
                        p = hn::Add(p, x.squared());
                        q = q.plus(x.conj(), y);
                        r = hn::Add(r, y.squared());
                    }
                    const M nothing = hn::Le(q.size(), hn::Mul(tolerance, hn::Mul(hn::Sqrt(p), hn::Sqrt(r))));
                    if (hn::AllTrue(d, nothing)) continue;
                    settled = hn::And(settled, nothing);
                    const Rotation g = rotation(p, q, r, nothing);
                    rotate(g, m, a, i * m, j * m, 1);
                    rotate(g, n, v, i * n, j * n, 1);
                }
            if (hn::AllTrue(d, settled)) break;
        }
        V largest = hn::Zero(d), least = constant(std::numeric_limits<R>::max());
        for (Index j = 0; j < n; ++j) {
            V sum = hn::Zero(d);
            for (Index k = 0; k < m; ++k) sum = hn::Add(load(a, k + j * m).squared(), sum);
            const V size = hn::Sqrt(sum);
            store_real(size, s, j);
            largest = hn::Max(largest, size);
            least = hn::Min(least, size);
            for (Index k = 0; k < m; ++k) (load(a, k + j * m) / size).store(a, k + j * m);
        }
        const M whole = hn::Gt(least, hn::Mul(largest, constant(kUnit * static_cast<R>(8 * m))));
        store_mask(hn::And(settled, whole), good);
    }

    /// a becomes L, of which the upper triangle is 0; `good` is 1 where it is positive definite.
    static HWY_NOINLINE void cholesky(Index n, R* a, R* good) {
        const D d;
        M positive = hn::Ge(hn::Zero(d), hn::Zero(d));
        for (Index j = 0; j < n; ++j) {
            for (Index k = 0; k < j; ++k) {
                const N factor = load(a, j + k * n).conj();
                for (Index i = j; i < n; ++i)
                    load(a, i + j * n).minus(load(a, i + k * n), factor).store(a, i + j * n);
            }
            const V pivot = real(a, j + j * n);
            positive = hn::And(positive, hn::Gt(pivot, hn::Zero(d)));
            const V root = hn::Sqrt(pivot);
            N::of(root).store(a, j + j * n);
            for (Index i = j + 1; i < n; ++i) (load(a, i + j * n) / root).store(a, i + j * n);
            for (Index i = 0; i < j; ++i) number(0).store(a, i + j * n);
        }
        store_mask(positive, good);
    }

    /// a [n, n] becomes L and U of P A; row i of P A is row rows[i] of A, as a number; P has that parity.
    /// `good` is 1 where no pivot is tiny.
    static HWY_NOINLINE void lu(Index n, R* a, R* rows, R* parity, R* good, Index k, R* x) {
        const D d;
        V sign = constant(1);
        for (Index i = 0; i < n; ++i) store_real(constant(static_cast<R>(i)), rows, i);
        M ordinary = hn::Ge(hn::Zero(d), hn::Zero(d));
        for (Index step = 0; step < n; ++step) {
            V most = load(a, step + step * n).size(), chosen = constant(static_cast<R>(step));
            for (Index i = step + 1; i < n; ++i) {
                const V size = load(a, i + step * n).size();
                const M larger = hn::Gt(size, most);
                most = hn::IfThenElse(larger, size, most);
                chosen = hn::IfThenElse(larger, constant(static_cast<R>(i)), chosen);
            }
            ordinary = hn::And(ordinary, hn::Gt(most, least_pivot()));
            for (Index i = step + 1; i < n; ++i) {
                const M here = hn::Eq(chosen, constant(static_cast<R>(i)));
                if (hn::AllFalse(d, here)) continue;
                for (Index j = 0; j < n; ++j) exchange<N>(here, a, step + j * n, i + j * n);
                for (Index j = 0; j < k; ++j) exchange<N>(here, x, step + j * n, i + j * n);
                exchange<RealInLanes<R>>(here, rows, step, i);
                sign = hn::IfThenElse(here, hn::Neg(sign), sign);
            }
            const N pivot = load(a, step + step * n);
            for (Index i = step + 1; i < n; ++i) (load(a, i + step * n) / pivot).store(a, i + step * n);
            const auto eliminate = [&](R* columns, Index j) HWY_ATTR {
                const N factor = load(columns, step + j * n);
                for (Index i = step + 1; i < n; ++i)
                    load(columns, i + j * n).minus(load(a, i + step * n), factor).store(columns, i + j * n);
            };
            for (Index j = step + 1; j < n; ++j) eliminate(a, j);
            for (Index j = 0; j < k; ++j) eliminate(x, j);
        }
        store_real(sign, parity, 0);
        store_mask(ordinary, good);
    }
    static HWY_NOINLINE void lu_factors(Index n, const R* a, const R* rows, R* p, R* l, R* u) {
        const N zero = number(0), one = number(1);
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i) {
                const Index e = i + j * n;
                const N x = load(a, e);
                one.where(hn::Eq(RealInLanes<R>::load(rows, i).re, constant(static_cast<R>(j))), zero)
                    .store(p, e);
                (i > j ? x : i == j ? one : zero).store(l, e);
                (i > j ? zero : x).store(u, e);
            }
    }
    template <class Number>
    static HWY_INLINE void exchange(M where, R* a, Index x, Index y) {
        const Number u = Number::load(a, x), v = Number::load(a, y);
        v.where(where, u).store(a, x);
        u.where(where, v).store(a, y);
    }

    static HWY_NOINLINE void substitute(const TriangularOptions& options, Index n, Index k, const R* a,
                                        R* x) {
        const bool forward = options.lower != options.transpose;
        const auto element = [&](Index i) HWY_ATTR {
            const N value = load(a, i);
            return options.conjugate ? value.conj() : value;
        };
        for (Index column = 0; column < k; ++column)
            for (Index step = 0; step < n; ++step) {
                const Index j = forward ? step : n - 1 - step, at = column * n;
                const Index begin = forward == options.transpose ? 0 : j + 1,
                            end = forward == options.transpose ? j : n;
                N value = load(x, at + j);
                if (options.transpose)
                    for (Index i = begin; i < end; ++i)
                        value = value.minus(element(i + j * n), load(x, at + i));
                if (!options.unit_diagonal) value = value / element(j + j * n);
                value.store(x, at + j);
                if (!options.transpose)
                    for (Index i = begin; i < end; ++i)
                        load(x, at + i).minus(element(i + j * n), value).store(x, at + i);
            }
    }

    /// a [m, n] becomes R, q [m, k] its orthonormal factor; k is at least min(m, n).
    static HWY_NOINLINE void qr(Index m, Index n, Index k, R* a, R* q, R* taus) {
        const D d;
        const Index steps = HWY_MIN(m, n);
        for (Index step = 0; step < steps; ++step) {
            V below = hn::Zero(d);
            for (Index i = step + 1; i < m; ++i) below = hn::Add(load(a, i + step * m).squared(), below);
            const N alpha = load(a, step + step * m);
            const V all = hn::Add(alpha.squared(), below), length = hn::Sqrt(all);
            const V tiny = constant(std::numeric_limits<R>::min() / kUnit);
            const M nothing = hn::Or(hn::Le(all, tiny), hn::And(hn::Le(below, tiny), alpha.is_real()));
            const V value = hn::IfThenElse(nothing, alpha.re, hn::Neg(hn::CopySign(length, alpha.re)));
            const N tau = number(0).where(nothing, (N::of(value) - alpha) / value);
            const N by = number(0).where(nothing, number(1) / (alpha - N::of(value)));
            for (Index i = step + 1; i < m; ++i) (load(a, i + step * m) * by).store(a, i + step * m);
            tau.store(taus, step);
            N::of(value).store(a, step + step * m);
            for (Index j = step + 1; j < n; ++j) reflect(m, step, a, step * m, tau.conj(), a, j * m, 1);
        }
        identity(m, k, q);
        for (Index step = steps - 1; step >= 0; --step)
            for (Index j = step; j < k; ++j) reflect(m, step, a, step * m, load(taus, step), q, j * m, 1);
        for (Index j = 0; j < n; ++j)
            for (Index i = j + 1; i < m; ++i) number(0).store(a, i + j * m);
    }
    /// The elements from `first` to m of x, `step` apart from `at` on, by the reflection I - tau v vᴴ with
    /// v_first = 1, whose others are behind `column` of v.
    static HWY_INLINE void reflect(Index m, Index first, const R* v, Index column, N tau, R* x, Index at,
                                   Index step) {
        N sum = load(x, at + first * step);
        for (Index i = first + 1; i < m; ++i)
            sum = sum.plus(load(v, column + i).conj(), load(x, at + i * step));
        sum = tau * sum;
        (load(x, at + first * step) - sum).store(x, at + first * step);
        for (Index i = first + 1; i < m; ++i)
            load(x, at + i * step).minus(sum, load(v, column + i)).store(x, at + i * step);
    }

    static LaneKernels<R> table(decltype(LaneKernels<R>::eig) eig) {
        return {static_cast<Index>(hn::Lanes(D())),
                N::kParts,
                pack,
                unpack,
                eigh,
                svd,
                cholesky,
                lu,
                lu_factors,
                substitute,
                qr,
                eig};
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
