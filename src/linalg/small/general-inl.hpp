// Eigenvalues and vectors of small general matrices of real numbers, one in each lane of a vector, for one
// instruction set: Hessenberg form by reflections, the QR algorithm with two shifts at a time (Golub and Van
// Loan, 7.4 and 7.5), vectors by substitution. Every lane has an active block of its own; a reflection beside
// it is the identity there. What needs more than that (scaling, permutation, shifts of another kind, equal
// eigenvalues) is left to the kernels for single matrices.

// clang-format off
#if defined(TENFERRO_LINALG_GENERAL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_LINALG_GENERAL_INL_HPP
#undef TENFERRO_LINALG_GENERAL_INL_HPP
#else
#define TENFERRO_LINALG_GENERAL_INL_HPP
#endif
// clang-format on

#include "linalg/small/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

template <class R>
class GeneralInLanes : InLanes<R, RealInLanes> {
    using Base = InLanes<R, RealInLanes>;
    using Base::constant, Base::kUnit, Base::real, Base::reflect, Base::store_real;
    using typename Base::D, typename Base::V, typename Base::M;
    using C = ComplexInLanes<R>;

public:
    /// The eigenvalues w [n] of a [n, n], which is overwritten, and unless v is null their vectors v [n, n]
    /// of norm 1, both complex; `good` is 1 where they are found. `work` holds n (n + 2) numbers.
    static HWY_NOINLINE void eig(Index n, R* a, R* w, R* v, R* work, R* good) {
        R *const z = work, *const x = work + n * n * static_cast<Index>(hn::Lanes(D()));
        M ordinary = is_balanced(n, a);
        make_hessenberg(n, a, z, x);
        ordinary = hn::And(ordinary, make_schur(n, a, z));
        ordinary = hn::And(ordinary, values(n, a, z, w));
        if (v != nullptr && !hn::AllFalse(D(), ordinary))
            ordinary = hn::And(ordinary, vectors(n, a, z, w, x, v));
        Base::store_mask(ordinary, good);
    }

private:
    static HWY_INLINE V index(Index value) { return constant(static_cast<R>(value)); }
    static HWY_INLINE M all() { return hn::Eq(hn::Zero(D()), hn::Zero(D())); }
    /// Squares that are nothing, beside those of rows and columns that are longer than kShort.
    static constexpr R kTiny = std::numeric_limits<R>::min() / kUnit, kShort = kTiny / (kUnit * kUnit);
    static HWY_INLINE V tiny() { return constant(kTiny); }

    /// Every row is about as long as its column, so that scaling would gain little, and neither is 0 but for
    /// the diagonal, so that there is nothing to permute.
    static HWY_NOINLINE M is_balanced(Index n, const R* a) {
        constexpr R kFactor = 256;  // of squares
        M balanced = all();
        for (Index i = 0; i < n; ++i) {
            V row = hn::Zero(D()), column = row;
            for (Index j = 0; j < n; ++j) {
                if (j == i) continue;
                const V to = real(a, i + j * n), from = real(a, j + i * n);
                row = hn::MulAdd(to, to, row);
                column = hn::MulAdd(from, from, column);
            }
            const V least = hn::Min(row, column), most = hn::Max(row, column), d = real(a, i + i * n);
            const V square = hn::Mul(d, d);
            balanced = hn::And(balanced, hn::Gt(least, constant(kShort)));
            balanced = hn::And(
                balanced, hn::Lt(hn::Add(most, square), hn::Mul(hn::Add(least, square), constant(kFactor))));
        }
        return balanced;
    }

    /// I - tau v vᵀ with v = (1, by x_1, by x_2, …), which makes (value, 0, 0, …) of x; `below` is the sum of
    /// the squares from x_1 on.
    struct Reflection {
        V tau, by, value;
    };
    static HWY_INLINE Reflection reflection(V x, V below, M wanted) {
        const V length = hn::Sqrt(hn::MulAdd(x, x, below));
        const M some = hn::And(wanted, hn::Gt(below, tiny()));
        const V value = hn::IfThenElse(some, hn::Neg(hn::CopySign(length, x)), x);
        const V gap = hn::Sub(value, x);
        return {hn::IfThenElseZero(some, hn::Div(gap, value)),
                hn::IfThenElseZero(some, hn::Div(constant(-1), gap)), value};
    }

    /// a = z h zᵀ, with h in the place of a.
    static HWY_NOINLINE void make_hessenberg(Index n, R* a, R* z, R* taus) {
        for (Index k = 0; k + 2 < n; ++k) {
            V below = hn::Zero(D());
            for (Index i = k + 2; i < n; ++i) {
                const V x = real(a, i + k * n);
                below = hn::MulAdd(x, x, below);
            }
            const Reflection q = reflection(real(a, k + 1 + k * n), below, all());
            store_real(q.value, a, k + 1 + k * n);
            store_real(q.tau, taus, k);
            for (Index i = k + 2; i < n; ++i) store_real(hn::Mul(real(a, i + k * n), q.by), a, i + k * n);
            for (Index j = k + 1; j < n; ++j) reflect(n, k + 1, a, k * n, {q.tau}, a, j * n, 1);
            for (Index i = 0; i < n; ++i) reflect(n, k + 1, a, k * n, {q.tau}, a, i, n);
        }
        Base::identity(n, n, z);
        for (Index k = n - 3; k >= 0; --k) {
            for (Index j = k + 1; j < n; ++j) reflect(n, k + 1, a, k * n, Base::load(taus, k), z, j * n, 1);
            for (Index i = k + 2; i < n; ++i) store_real(hn::Zero(D()), a, i + k * n);
        }
    }
    /// The rows [first, last] of the active block, last <= 0 where there is none.
    struct Block {
        V first, last;
    };
    /// h becomes block triangular, with blocks of one or two rows; where it does.
    static HWY_NOINLINE M make_schur(Index n, R* h, R* z) {
        const int most = static_cast<int>(10 * n);
        Block block{hn::Zero(D()), index(n - 1)};
        for (int sweeps = 0; sweeps <= most; ++sweeps) {
            set_zeros(n, h);
            block = active(n, h, block);
            if (hn::AllTrue(D(), hn::Le(block.last, hn::Zero(D())))) break;
            sweep(n, h, z, block);
        }
        return hn::Le(block.last, hn::Zero(D()));
    }
    /// What is nothing beside the diagonal (Ahues and Tisseur, LAPACK Working Note 122) becomes 0.
    static HWY_INLINE void set_zeros(Index n, R* h) {
        const V unit = constant(kUnit);
        for (Index k = 1; k < n; ++k) {
            const Index at = k + (k - 1) * n;
            const V beside = hn::Abs(real(h, at)), above = hn::Abs(real(h, k - 1 + k * n)),
                    before = real(h, k - 1 + (k - 1) * n), here = real(h, k + k * n);
            const M small = hn::Le(beside, hn::Mul(unit, hn::Add(hn::Abs(before), hn::Abs(here)))),
                    smaller = hn::Le(hn::Mul(beside, above),
                                     hn::Mul(hn::Mul(unit, hn::Abs(here)), hn::Abs(hn::Sub(before, here))));
            const M nothing = hn::Or(hn::And(small, smaller), hn::Le(beside, tiny()));
            store_real(hn::IfThenZeroElse(nothing, real(h, at)), h, at);
        }
    }
    /// What is left of the active block without the blocks of one or two rows at its end.
    static HWY_INLINE Block active(Index n, const R* h, Block block) {
        const V zero = hn::Zero(D());
        const auto ends = [&](Index k) HWY_ATTR { return hn::Eq(real(h, k + (k - 1) * n), zero); };
        for (Index k = n - 1; k > 0; --k) {
            const M here = hn::Eq(block.last, index(k));
            const M pair = k > 1 ? ends(k - 1) : all();
            const V last =
                hn::IfThenElse(ends(k), index(k - 1), hn::IfThenElse(pair, index(k - 2), index(k)));
            block.last = hn::IfThenElse(here, last, block.last);
        }
        block.first = zero;
        for (Index k = 1; k < n - 1; ++k)
            block.first =
                hn::IfThenElse(hn::And(ends(k), hn::Lt(index(k), block.last)), index(k), block.first);
        return block;
    }
    /// Of [[a, b], [c, d]] half of a - d, the square of half the gap of the eigenvalues, negative for complex
    /// ones, and how far from d the farther of real ones is.
    struct Gap {
        V half, square, far;
    };
    static HWY_INLINE Gap gap_of(V a, V b, V c, V d) {
        const V half = hn::Mul(constant(R(0.5)), hn::Sub(a, d)),
                square = hn::MulAdd(half, half, hn::Mul(b, c));
        return {half, square, hn::Add(half, hn::CopySign(hn::Sqrt(hn::Abs(square)), half))};
    }
    /// One sweep of two shifts over the active blocks.
    static HWY_NOINLINE void sweep(Index n, R* h, R* z, const Block& block) {
        const V one = constant(1);
        // The last 2 x 2 block of each, its sum and product of eigenvalues, real ones twice the nearer to d.
        V a = one, b = a, c = a, d = a;
        for (Index k = 1; k < n; ++k) {
            const M here = hn::Eq(block.last, index(k));
            a = hn::IfThenElse(here, real(h, k - 1 + (k - 1) * n), a);
            b = hn::IfThenElse(here, real(h, k - 1 + k * n), b);
            c = hn::IfThenElse(here, real(h, k + (k - 1) * n), c);
            d = hn::IfThenElse(here, real(h, k + k * n), d);
        }
        const auto [half, square, far] = gap_of(a, b, c, d);
        const M is_real = hn::Ge(square, hn::Zero(D()));
        const M apart = hn::Ne(far, hn::Zero(D()));
        const V near =
            hn::Sub(d, hn::IfThenElseZero(apart, hn::Mul(b, hn::Div(c, hn::IfThenElse(apart, far, one)))));
        const V sum = hn::IfThenElse(is_real, hn::Add(near, near), hn::Add(a, d)),
                product = hn::IfThenElse(is_real, hn::Mul(near, near), hn::NegMulAdd(b, c, hn::Mul(a, d)));
        for (Index k = 0; k + 1 < n; ++k) {
            const M begins = hn::Eq(block.first, index(k)), within = hn::Lt(index(k), block.last),
                    active = hn::And(hn::Ge(index(k), block.first), within);
            if (hn::AllFalse(D(), active)) continue;
            const bool is_last = k + 2 == n;
            const M three = hn::And(active, hn::Lt(index(k + 1), block.last));
            // The first column of the matrix of both shifts, or what the last reflection left.
            const V top = real(h, k + k * n), below = real(h, k + 1 + k * n),
                    right = real(h, k + (k + 1) * n), corner = real(h, k + 1 + (k + 1) * n);
            V x = hn::MulAdd(top, hn::Sub(top, sum), hn::MulAdd(right, below, product)),
              y = hn::Mul(below, hn::Sub(hn::Add(top, corner), sum)), last = hn::Zero(D());
            if (!is_last) last = hn::Mul(below, real(h, k + 2 + (k + 1) * n));
            if (k > 0) {
                x = hn::IfThenElse(begins, x, real(h, k + (k - 1) * n));
                y = hn::IfThenElse(begins, y, real(h, k + 1 + (k - 1) * n));
                if (!is_last) last = hn::IfThenElse(begins, last, real(h, k + 2 + (k - 1) * n));
            }
            last = hn::IfThenElseZero(three, last);
            const Reflection q = reflection(x, hn::MulAdd(y, y, hn::Mul(last, last)), active);
            if (k > 0) {
                const M goes_on = hn::And(hn::Not(begins), active);
                const auto set = [&](M where, V value, Index i) HWY_ATTR {
                    store_real(hn::IfThenElse(where, value, real(h, i + (k - 1) * n)), h, i + (k - 1) * n);
                };
                set(goes_on, q.value, k);
                set(goes_on, hn::Zero(D()), k + 1);
                if (!is_last) set(hn::And(goes_on, three), hn::Zero(D()), k + 2);
            }
            const Triple triple{hn::Mul(y, q.by), hn::Mul(last, q.by), q.tau};
            const Index rows = is_last ? n : k + 4 < n ? k + 4 : n;
            if (is_last) {
                for (Index j = k; j < n; ++j) triple.template turn<2>(h, k + j * n, 1);
                for (Index i = 0; i < rows; ++i) triple.template turn<2>(h, i + k * n, n);
                for (Index i = 0; i < n; ++i) triple.template turn<2>(z, i + k * n, n);
            } else {
                for (Index j = k; j < n; ++j) triple.template turn<3>(h, k + j * n, 1);
                for (Index i = 0; i < rows; ++i) triple.template turn<3>(h, i + k * n, n);
                for (Index i = 0; i < n; ++i) triple.template turn<3>(z, i + k * n, n);
            }
        }
    }
    /// A reflection of two or three elements.
    struct Triple {
        V v_1, v_2, tau;

        template <int kCount>
        HWY_INLINE void turn(R* a, Index at, Index step) const {
            const V x = real(a, at), y = real(a, at + step);
            V sum = hn::MulAdd(v_1, y, x), last = sum;
            if constexpr (kCount == 3) {
                last = real(a, at + 2 * step);
                sum = hn::MulAdd(v_2, last, sum);
            }
            sum = hn::Mul(tau, sum);
            store_real(hn::Sub(x, sum), a, at);
            store_real(hn::NegMulAdd(v_1, sum, y), a, at + step);
            if constexpr (kCount == 3) store_real(hn::NegMulAdd(v_2, sum, last), a, at + 2 * step);
        }
    };

    /// Blocks of two real eigenvalues become triangular; all eigenvalues, and where no two of a block are
    /// nearly equal.
    static HWY_NOINLINE M values(Index n, R* h, R* z, R* w) {
        constexpr R kNear = 256 * kUnit;
        const V zero = hn::Zero(D()), one = constant(1);
        M apart = all();
        for (Index k = 0; k + 1 < n; ++k) {
            const V c = real(h, k + 1 + k * n);
            const M block = hn::Ne(c, zero);
            if (hn::AllFalse(D(), block)) continue;
            const V a = real(h, k + k * n), b = real(h, k + (k + 1) * n), d = real(h, k + 1 + (k + 1) * n);
            const auto [half, square, far] = gap_of(a, b, c, d);
            const V size = hn::MulAdd(half, half, hn::Abs(hn::Mul(b, c)));
            apart = hn::And(apart,
                            hn::Or(hn::Not(block), hn::Gt(hn::Abs(square), hn::Mul(constant(kNear), size))));
            const M is_real = hn::And(block, hn::Gt(square, zero));
            if (hn::AllFalse(D(), is_real)) continue;
            const V length = hn::Sqrt(hn::MulAdd(far, far, hn::Mul(c, c)));
            const V cosine = hn::IfThenElse(is_real, hn::Div(far, length), one),
                    sine = hn::IfThenElseZero(is_real, hn::Div(c, length));
            const auto turn = [&](R* m, Index at, Index step) HWY_ATTR {
                const V x = real(m, at), y = real(m, at + step);
                store_real(hn::MulAdd(cosine, x, hn::Mul(sine, y)), m, at);
                store_real(hn::NegMulAdd(sine, x, hn::Mul(cosine, y)), m, at + step);
            };
            for (Index j = k; j < n; ++j) turn(h, k + j * n, 1);
            for (Index i = 0; i < k + 2; ++i) turn(h, i + k * n, n);
            for (Index i = 0; i < n; ++i) turn(z, i + k * n, n);
            store_real(hn::IfThenZeroElse(is_real, real(h, k + 1 + k * n)), h, k + 1 + k * n);
        }
        for (Index k = 0; k < n; ++k) C::of(real(h, k + k * n)).store(w, k);
        for (Index k = 0; k + 1 < n; ++k) {
            const V c = real(h, k + 1 + k * n);
            const M pair = hn::Ne(c, zero);
            if (hn::AllFalse(D(), pair)) continue;
            const V d = real(h, k + 1 + (k + 1) * n);
            const Gap gap = gap_of(real(h, k + k * n), real(h, k + (k + 1) * n), c, d);
            const C value{hn::Add(d, gap.half), hn::Sqrt(hn::Abs(gap.square))};
            value.where(pair, C::load(w, k)).store(w, k);
            value.conj().where(pair, C::load(w, k + 1)).store(w, k + 1);
        }
        return apart;
    }

    /// Eigenvector j of the block triangular h, to x [n], and where no divisor is at most `least`.
    static HWY_INLINE M substitute(Index n, const R* h, V least, const R* w, Index j, R* x) {
        const V zero = hn::Zero(D()), one = constant(1);
        const C value = C::load(w, j);
        const M first = hn::Gt(value.im, zero), second = hn::Lt(value.im, zero);
        const auto element = [&](Index i, Index k) HWY_ATTR { return real(h, i + k * n); };
        for (Index i = 0; i < n; ++i) C::of(zero).store(x, i);
        C::of(one).store(x, j);
        // In its own block, of rows t and t + 1.
        const auto start = [&](M where, Index t) HWY_ATTR {
            if (hn::AllFalse(D(), where)) return;
            const V b = element(t, t + 1), c = element(t + 1, t);
            const M along = hn::Ge(hn::Abs(b), hn::Abs(c));
            const C x_1 = C::of(b).where(along, value - C::of(element(t + 1, t + 1))),
                    x_2 = (value - C::of(element(t, t))).where(along, C::of(c));
            const V size = hn::Max(hn::Abs(b), hn::Abs(c));
            (x_1 / size).where(where, C::load(x, t)).store(x, t);
            (x_2 / size).where(where, C::load(x, t + 1)).store(x, t + 1);
        };
        if (j + 1 < n) start(first, j);
        if (j > 0) start(second, j - 1);
        const auto less = [&](Index i, Index k, C factor) HWY_ATTR {
            const V by = element(i, k);
            const C there = C::load(x, i);
            C{hn::NegMulAdd(by, factor.re, there.re), hn::NegMulAdd(by, factor.im, there.im)}.store(x, i);
        };
        // Row j - 1 is in the block of a second value.
        const C nothing = C::of(zero);
        for (Index k = j; k < n && k <= j + 1; ++k)
            for (Index i = 0; i < j; ++i) {
                const C factor = C::load(x, k);
                less(i, k, i == j - 1 ? nothing.where(second, factor) : factor);
            }
        M good = all();
        const auto check = [&](M where, C divisor) HWY_ATTR {
            good = hn::And(good, hn::Or(hn::Not(where), hn::Gt(divisor.size(), least)));
        };
        for (Index i = j - 1; i >= 0; --i) {
            M done = hn::Ne(element(i + 1, i), zero);  // with the row below, or in the vector's block
            const M bottom = i > 0 ? hn::Ne(element(i, i - 1), zero) : hn::Not(all());
            const M alone = hn::Not(hn::Or(done, bottom));
            const C gap = C::of(element(i, i)) - value, here = C::load(x, i);
            check(alone, gap);
            C result = (here / gap).where(alone, here);
            if (i > 0 && !hn::AllFalse(D(), bottom)) {
                // [[p, q], [r, s]] (u, v) = (above, here), by elimination with the larger of p and r.
                const C above = C::load(x, i - 1), p = C::of(element(i - 1, i - 1)) - value,
                        q = C::of(element(i - 1, i)), r = C::of(element(i, i - 1));
                const M swap = hn::Gt(r.size(), p.size());
                const C p_1 = r.where(swap, p), q_1 = gap.where(swap, q), f_1 = here.where(swap, above),
                        p_2 = p.where(swap, r), q_2 = q.where(swap, gap), f_2 = above.where(swap, here);
                const C factor = p_2 / p_1, divisor = q_2.minus(factor, q_1);
                check(bottom, divisor);
                const C v = f_2.minus(factor, f_1) / divisor, u = f_1.minus(q_1, v) / p_1;
                result = v.where(bottom, result);
                u.where(bottom, above).store(x, i - 1);
            }
            result.store(x, i);
            for (Index k = 0; k < i; ++k) less(k, i, k == i - 1 ? nothing.where(bottom, result) : result);
        }
        return good;
    }
    /// The eigenvectors, in those of a by z, of norm 1, and where they are found.
    static HWY_NOINLINE M vectors(Index n, const R* h, const R* z, const R* w, R* x, R* v) {
        const V unit = constant(1), most = constant(std::sqrt(std::numeric_limits<R>::max()));
        V size = hn::Zero(D());
        for (Index i = 0; i < n * n; ++i) size = hn::Max(size, hn::Abs(real(h, i)));
        const V least = hn::Mul(size, constant(1024 * kUnit));
        M good = all();
        for (Index j = 0; j < n; ++j) {
            good = hn::And(good, substitute(n, h, least, w, j, x));
            V sum = hn::Zero(D());
            for (Index i = 0; i < n; ++i) {
                C total = C::of(hn::Zero(D()));
                for (Index k = 0; k < n && k <= j + 1; ++k) {
                    const V by = real(z, i + k * n);
                    const C here = C::load(x, k);
                    total = {hn::MulAdd(by, here.re, total.re), hn::MulAdd(by, here.im, total.im)};
                }
                sum = hn::Add(sum, total.squared());
                total.store(v, i + j * n);
            }
            good = hn::And(good, hn::And(hn::Gt(sum, tiny()), hn::Lt(sum, most)));
            const V by = hn::Div(unit, hn::Sqrt(sum));
            for (Index i = 0; i < n; ++i) (C::load(v, i + j * n) * by).store(v, i + j * n);
        }
        return good;
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
