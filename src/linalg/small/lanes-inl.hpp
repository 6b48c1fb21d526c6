// Decompositions of small real matrices, one matrix in each lane of a vector, for one instruction set.
// Element i of lane l is at [i * lanes + l]. What a lane computes does not depend on the others: a rotation
// that a lane does not need is the identity there. Lanes whose matrix is not an ordinary one are left to the
// kernels for single matrices.

// clang-format off
#if defined(TENFERRO_LINALG_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_LINALG_LANES_INL_HPP
#undef TENFERRO_LINALG_LANES_INL_HPP
#else
#define TENFERRO_LINALG_LANES_INL_HPP
#endif
// clang-format on

#include <hwy/highway.h>

#include <limits>

#include "tenferro/linalg/options.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class R>
struct InLanes {
    using D = hn::ScalableTag<R>;
    using V = hn::Vec<D>;
    using M = hn::Mask<D>;
    static constexpr R kUnit = std::numeric_limits<R>::epsilon();
    static constexpr int kSweeps = 30;

    static HWY_INLINE V load(const R* a, Index i) {
        const D d;
        return hn::Load(d, a + static_cast<std::size_t>(i) * hn::Lanes(d));
    }
    static HWY_INLINE void store(V value, R* a, Index i) {
        const D d;
        hn::Store(value, d, a + static_cast<std::size_t>(i) * hn::Lanes(d));
    }
    static HWY_INLINE V constant(R value) { return hn::Set(D(), value); }
    /// Lanes as 1 where `mask` holds, else 0.
    static HWY_INLINE void store_mask(M mask, R* to) {
        hn::Store(hn::IfThenElse(mask, constant(1), constant(0)), D(), to);
    }

    static HWY_NOINLINE void pack(Index count, const R* const* from, const Index* offsets, R* to,
                                  R* largest) {
        const D d;
        const std::size_t lanes = hn::Lanes(d);
        for (Index e = 0; e < count; ++e) {
            const Index offset = offsets[e];
            R* const element = to + static_cast<std::size_t>(e) * lanes;
            for (std::size_t lane = 0; lane < lanes; ++lane)
                element[lane] = offset < 0 ? R(0) : from[lane][offset];
        }
        const V most = constant(std::numeric_limits<R>::max());
        V size = hn::Zero(d);
        M finite = hn::Le(size, most);
        for (Index e = 0; e < count; ++e) {
            const V x = hn::Abs(load(to, e));
            finite = hn::And(finite, hn::Le(x, most));
            size = hn::Max(size, x);
        }
        hn::StoreU(hn::IfThenElse(finite, size, constant(std::numeric_limits<R>::infinity())), d, largest);
    }

    /// The rotation that makes [[p, q], [q, r]] diagonal, the identity where `nothing` holds.
    struct Rotation {
        V c, s;
    };
    static HWY_INLINE Rotation rotation(V p, V q, V r, M nothing) {
        const V one = constant(1);
        const V zeta = hn::Div(hn::Sub(r, p), hn::Mul(constant(2), q));
        const V root = hn::Sqrt(hn::MulAdd(zeta, zeta, one));
        V t = hn::CopySign(hn::Div(one, hn::Add(hn::Abs(zeta), root)), zeta);
        t = hn::IfThenZeroElse(nothing, t);
        const V c = hn::Div(one, hn::Sqrt(hn::MulAdd(t, t, one)));
        return {c, hn::Mul(c, t)};
    }
    /// (x, y) -> (c x - s y, s x + c y) for elements that are `step` apart.
    static HWY_INLINE void turn(const Rotation& g, Index count, R* a, Index x, Index y, Index step) {
        for (Index k = 0; k < count; ++k) {
            const V u = load(a, x + k * step), v = load(a, y + k * step);
            store(hn::Sub(hn::Mul(g.c, u), hn::Mul(g.s, v)), a, x + k * step);
            store(hn::MulAdd(g.s, u, hn::Mul(g.c, v)), a, y + k * step);
        }
    }

    /// Symmetric a [n, n], whole; w becomes its eigenvalues in no order, v the vectors. `good` is 1 where it
    /// converged.
    static HWY_NOINLINE void eigh(Index n, R* a, R* w, R* v, R* good) {
        const D d;
        V sum = hn::Zero(d);
        for (Index i = 0; i < n * n; ++i) {
            sum = hn::MulAdd(load(a, i), load(a, i), sum);
            store(constant(i % (n + 1) == 0 ? 1 : 0), v, i);
        }
        const V negligible = hn::Mul(hn::Sqrt(sum), constant(kUnit / static_cast<R>(16 * n)));
        M settled = hn::Ge(sum, hn::Zero(d));
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            settled = hn::Ge(sum, hn::Zero(d));
            for (Index p = 0; p < n; ++p)
                for (Index q = p + 1; q < n; ++q) {
                    const V beside = load(a, p + q * n);
                    const M nothing = hn::Le(hn::Abs(beside), negligible);
                    if (hn::AllTrue(d, nothing)) continue;
                    settled = hn::And(settled, nothing);
                    const Rotation g = rotation(load(a, p + p * n), beside, load(a, q + q * n), nothing);
                    turn(g, n, a, p * n, q * n, 1);
                    turn(g, n, a, p, q, n);
                    turn(g, n, v, p * n, q * n, 1);
                }
            if (hn::AllTrue(d, settled)) break;
        }
        for (Index i = 0; i < n; ++i) store(load(a, i + i * n), w, i);
        store_mask(settled, good);
    }

    /// a [m, n] with m >= n: u, in place of a, s and v [n, n] in no order. `good` is 1 where it converged and
    /// the matrix is of full rank.
    static HWY_NOINLINE void svd(Index m, Index n, R* a, R* s, R* v, R* good) {
        const D d;
        for (Index i = 0; i < n * n; ++i) store(constant(i % (n + 1) == 0 ? 1 : 0), v, i);
        const V tolerance = constant(kUnit * static_cast<R>(HWY_MAX(m, Index{2})));
        M settled = hn::Ge(tolerance, hn::Zero(d));
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            settled = hn::Ge(tolerance, hn::Zero(d));
            for (Index i = 0; i < n; ++i)
                for (Index j = i + 1; j < n; ++j) {
                    V p = hn::Zero(d), q = p, r = p;
                    for (Index k = 0; k < m; ++k) {
                        const V x = load(a, k + i * m), y = load(a, k + j * m);
                        p = hn::MulAdd(x, x, p);
                        q = hn::MulAdd(x, y, q);
                        r = hn::MulAdd(y, y, r);
                    }
                    const M nothing =
                        hn::Le(hn::Abs(q), hn::Mul(tolerance, hn::Mul(hn::Sqrt(p), hn::Sqrt(r))));
                    if (hn::AllTrue(d, nothing)) continue;
                    settled = hn::And(settled, nothing);
                    const Rotation g = rotation(p, q, r, nothing);
                    turn(g, m, a, i * m, j * m, 1);
                    turn(g, n, v, i * n, j * n, 1);
                }
            if (hn::AllTrue(d, settled)) break;
        }
        V largest = hn::Zero(d), least = constant(std::numeric_limits<R>::max());
        for (Index j = 0; j < n; ++j) {
            V sum = hn::Zero(d);
            for (Index k = 0; k < m; ++k) sum = hn::MulAdd(load(a, k + j * m), load(a, k + j * m), sum);
            const V size = hn::Sqrt(sum);
            store(size, s, j);
            largest = hn::Max(largest, size);
            least = hn::Min(least, size);
            for (Index k = 0; k < m; ++k) store(hn::Div(load(a, k + j * m), size), a, k + j * m);
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
                const V factor = load(a, j + k * n);
                for (Index i = j; i < n; ++i)
                    store(hn::NegMulAdd(load(a, i + k * n), factor, load(a, i + j * n)), a, i + j * n);
            }
            const V pivot = load(a, j + j * n);
            positive = hn::And(positive, hn::Gt(pivot, hn::Zero(d)));
            const V root = hn::Sqrt(pivot);
            store(root, a, j + j * n);
            for (Index i = j + 1; i < n; ++i) store(hn::Div(load(a, i + j * n), root), a, i + j * n);
            for (Index i = 0; i < j; ++i) store(hn::Zero(d), a, i + j * n);
        }
        store_mask(positive, good);
    }

    /// a [n, n] becomes L and U of P A; row i of P A is row rows[i] of A, as a number. `good` is 1 where no
    /// pivot is tiny.
    static HWY_NOINLINE void lu(Index n, R* a, R* rows, R* good) {
        const D d;
        for (Index i = 0; i < n; ++i) store(constant(static_cast<R>(i)), rows, i);
        M ordinary = hn::Ge(hn::Zero(d), hn::Zero(d));
        for (Index step = 0; step < n; ++step) {
            V most = hn::Abs(load(a, step + step * n)), chosen = constant(static_cast<R>(step));
            for (Index i = step + 1; i < n; ++i) {
                const V size = hn::Abs(load(a, i + step * n));
                const M larger = hn::Gt(size, most);
                most = hn::IfThenElse(larger, size, most);
                chosen = hn::IfThenElse(larger, constant(static_cast<R>(i)), chosen);
            }
            ordinary = hn::And(ordinary, hn::Gt(most, constant(std::numeric_limits<R>::min() / kUnit)));
            for (Index i = step + 1; i < n; ++i) {
                const M here = hn::Eq(chosen, constant(static_cast<R>(i)));
                if (hn::AllFalse(d, here)) continue;
                for (Index j = 0; j < n; ++j) exchange(here, a, step + j * n, i + j * n);
                exchange(here, rows, step, i);
            }
            const V pivot = load(a, step + step * n);
            for (Index i = step + 1; i < n; ++i)
                store(hn::Div(load(a, i + step * n), pivot), a, i + step * n);
            for (Index j = step + 1; j < n; ++j) {
                const V factor = load(a, step + j * n);
                for (Index i = step + 1; i < n; ++i)
                    store(hn::NegMulAdd(load(a, i + step * n), factor, load(a, i + j * n)), a, i + j * n);
            }
        }
        store_mask(ordinary, good);
    }
    static HWY_INLINE void exchange(M where, R* a, Index x, Index y) {
        const V u = load(a, x), v = load(a, y);
        store(hn::IfThenElse(where, v, u), a, x);
        store(hn::IfThenElse(where, u, v), a, y);
    }

    static HWY_NOINLINE void substitute(const TriangularOptions& options, Index n, Index k, const R* a,
                                        R* x) {
        const bool forward = options.lower != options.transpose;
        for (Index column = 0; column < k; ++column, x += static_cast<std::size_t>(n) * hn::Lanes(D()))
            for (Index step = 0; step < n; ++step) {
                const Index j = forward ? step : n - 1 - step;
                V value = load(x, j);
                const Index begin = forward == options.transpose ? 0 : j + 1,
                            end = forward == options.transpose ? j : n;
                if (options.transpose)
                    for (Index i = begin; i < end; ++i)
                        value = hn::NegMulAdd(load(a, i + j * n), load(x, i), value);
                if (!options.unit_diagonal) value = hn::Div(value, load(a, j + j * n));
                store(value, x, j);
                if (!options.transpose)
                    for (Index i = begin; i < end; ++i)
                        store(hn::NegMulAdd(load(a, i + j * n), value, load(x, i)), x, i);
            }
    }

    /// a [m, n] becomes R, q [m, k] its orthonormal factor; k is at least min(m, n).
    static HWY_NOINLINE void qr(Index m, Index n, Index k, R* a, R* q, R* taus) {
        const D d;
        const Index steps = HWY_MIN(m, n);
        for (Index step = 0; step < steps; ++step) {
            V below = hn::Zero(d);
            for (Index i = step + 1; i < m; ++i)
                below = hn::MulAdd(load(a, i + step * m), load(a, i + step * m), below);
            const V alpha = load(a, step + step * m);
            const M nothing = hn::Le(below, constant(std::numeric_limits<R>::min() / kUnit));
            const V length = hn::Sqrt(hn::MulAdd(alpha, alpha, below));
            const V value = hn::IfThenElse(nothing, alpha, hn::Neg(hn::CopySign(length, alpha)));
            const V tau = hn::IfThenZeroElse(nothing, hn::Div(hn::Sub(value, alpha), value));
            const V by = hn::IfThenZeroElse(nothing, hn::Div(constant(1), hn::Sub(alpha, value)));
            for (Index i = step + 1; i < m; ++i) store(hn::Mul(load(a, i + step * m), by), a, i + step * m);
            store(tau, taus, step);
            store(value, a, step + step * m);
            for (Index j = step + 1; j < n; ++j) reflect(m, step, a, tau, a, j);
        }
        for (Index i = 0; i < m * k; ++i) store(constant(i % m == i / m ? 1 : 0), q, i);
        for (Index step = steps - 1; step >= 0; --step)
            for (Index j = step; j < k; ++j) reflect(m, step, a, load(taus, step), q, j);
        for (Index j = 0; j < n; ++j)
            for (Index i = j + 1; i < m; ++i) store(hn::Zero(d), a, i + j * m);
    }
    /// Column j of x [m, …], by the reflection in column `step` of a.
    static HWY_INLINE void reflect(Index m, Index step, const R* a, V tau, R* x, Index j) {
        V sum = load(x, step + j * m);
        for (Index i = step + 1; i < m; ++i) sum = hn::MulAdd(load(a, i + step * m), load(x, i + j * m), sum);
        sum = hn::Mul(tau, sum);
        store(hn::Sub(load(x, step + j * m), sum), x, step + j * m);
        for (Index i = step + 1; i < m; ++i)
            store(hn::NegMulAdd(sum, load(a, i + step * m), load(x, i + j * m)), x, i + j * m);
    }

    static Index lanes() { return static_cast<Index>(hn::Lanes(D())); }
};

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
