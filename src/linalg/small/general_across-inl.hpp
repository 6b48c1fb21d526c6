// Eigenvalues and vectors of one small general real matrix across the lanes of vectors, for one instruction
// set, by the steps of general-inl.hpp. The matrix is there twice, its rows in vectors and its columns:
// (I - tau v vᵀ) H (I - tau v vᵀ) = H - v wᵀ - u vᵀ needs sums of rows for w and of columns for u, then both
// are updated by the same products in the same order, so they stay equal to the last bit. What waits is only
// from one reflection to the next. Eigenvectors of the triangle are found all at once, one in each lane.

// clang-format off
#if defined(TENFERRO_LINALG_GENERAL_ACROSS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_LINALG_GENERAL_ACROSS_INL_HPP
#undef TENFERRO_LINALG_GENERAL_ACROSS_INL_HPP
#else
#define TENFERRO_LINALG_GENERAL_ACROSS_INL_HPP
#endif
// clang-format on

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "linalg/small/across-inl.hpp"
#include "linalg/small/numbers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Of at most N rows.
template <class R, std::size_t N>
class GeneralAcross : Across<R, N> {
    using Base = Across<R, N>;
    using Base::constant, Base::kLanes, Base::kLeast, Base::kUnit, Base::only, Base::put, Base::row;
    using typename Base::D, typename Base::DI, typename Base::V, typename Base::M;
    using C = ComplexNumbers<D>;

public:
    /// See AcrossKernels.
    static bool eig(Index n, const R* a, std::complex<R>* w, std::complex<R>* v) {
        return v != nullptr ? eig_of<true>(n, a, w, v) : eig_of<false>(n, a, w, v);
    }

private:
    /// Squares that are nothing, beside those of rows and columns that are longer than kShort.
    static constexpr R kTiny = kLeast / kUnit, kShort = kTiny / (kUnit * kUnit);

    template <bool kVectors>
    static HWY_NOINLINE bool eig_of(Index n, const R* a, std::complex<R>* w, std::complex<R>* v) {
        GeneralAcross matrix(n, a);
        if (!matrix.is_balanced()) return false;
        matrix.template make_hessenberg<kVectors>();
        if (!matrix.template make_schur<kVectors>() || !matrix.template values<kVectors>()) return false;
        if constexpr (kVectors)
            if (!matrix.vectors(v)) return false;
        for (Index j = 0; j < n; ++j) w[j] = {matrix.real_[j], matrix.imaginary_[j]};
        return true;
    }

    HWY_INLINE GeneralAcross(Index n, const R* a) : n_(n) {
        for (Index j = 0; j < n; ++j) {
            if (n < kLanes) {
                put(hn::Zero(D()), rows_, j);
                put(hn::Zero(D()), columns_, j);
            }
            std::copy_n(a + j * n, n, columns_ + j * kLanes);
        }
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i) rows_[i * kLanes + j] = a[i + j * n];
    }

    [[nodiscard]] R element(Index i, Index j) const { return columns_[i + j * kLanes]; }
    /// Element (i, j) of both.
    HWY_INLINE void set(Index i, Index j, R value) {
        const V number = constant(value), in_column = only(i), in_row = only(j);
        put(hn::IfVecThenElse(in_column, number, row(columns_, j)), columns_, j);
        put(hn::IfVecThenElse(in_row, number, row(rows_, i)), rows_, i);
    }
    /// Lane k is what f(k) has there, which for other k is of no interest.
    template <class F>
    static HWY_INLINE V lane_by_lane(Index from, Index to, F&& f) {
        V all = hn::Zero(D());
        for (Index k = from; k < to; ++k) all = hn::Or(all, hn::And(only(k), f(k)));
        return all;
    }
    [[nodiscard]] HWY_INLINE V diagonal() const {
        return lane_by_lane(0, n_, [&](Index k) HWY_ATTR { return row(rows_, k); });
    }
    [[nodiscard]] HWY_INLINE M there() const { return hn::FirstN(D(), static_cast<std::size_t>(n_)); }

    /// As GeneralInLanes::is_balanced.
    [[nodiscard]] HWY_INLINE bool is_balanced() const {
        constexpr R kFactor = 256;  // of squares
        V of_rows = hn::Zero(D()), of_columns = of_rows;
        for (Index k = 0; k < n_; ++k) {
            const V x = hn::AndNot(only(k), row(columns_, k)), y = hn::AndNot(only(k), row(rows_, k));
            of_rows = hn::MulAdd(x, x, of_rows);
            of_columns = hn::MulAdd(y, y, of_columns);
        }
        const V d = diagonal(), square = hn::Mul(d, d), least = hn::Min(of_rows, of_columns),
                most = hn::Max(of_rows, of_columns);
        const M near = hn::Lt(hn::Add(most, square), hn::Mul(hn::Add(least, square), constant(kFactor)));
        return hn::AllTrue(D(), hn::Or(hn::Not(there()), hn::And(hn::Gt(least, constant(kShort)), near)));
    }

    /// I - tau v vᵀ with v = (first, x_1, x_2, …), which makes (value, 0, 0, …) of x; `below` is the sum of
    /// the squares from x_1 on, which is not tiny. v is there while tau is divided for.
    struct Reflection {
        R value, first, tau;

        HWY_INLINE Reflection(R x, R below) {
            const R length = std::sqrt(x * x + below), gap = std::abs(x) + length;
            value = -std::copysign(length, x);
            first = std::copysign(gap, x);
            tau = 1 / (length * gap);
        }
    };
    /// Both sides of H by a reflection whose v, of `count` elements from row k on, is factor(0),
    /// factor(1), …; columns before k have nothing in these rows, rows from `end` on nothing in these
    /// columns.
    template <bool kVectors, class F>
    HWY_INLINE void turn(Index k, Index count, V v, R tau, F&& factor, Index end) {
        const V first = constant(factor(0));
        V w = hn::Mul(first, row(rows_, k)), u = hn::Mul(first, row(columns_, k)),
          t = kVectors ? hn::Mul(first, row(z_, k)) : w;
        for (Index i = 1; i < count; ++i) {
            const V by = constant(factor(i));
            w = hn::MulAdd(by, row(rows_, k + i), w);
            u = hn::MulAdd(by, row(columns_, k + i), u);
            if constexpr (kVectors) t = hn::MulAdd(by, row(z_, k + i), t);
        }
        w = hn::Mul(constant(tau), w);
        put(w, along_, 0);
        R both = 0;
        for (Index i = 0; i < count; ++i) both += factor(i) * along_[k + i];
        u = hn::Mul(constant(tau), hn::NegMulAdd(constant(both), v, u));
        put(u, across_, 0);
        if constexpr (kVectors) t = hn::Mul(constant(tau), t);
        const auto column = [&](Index j)
                                HWY_ATTR { return hn::NegMulAdd(constant(along_[j]), v, row(columns_, j)); };
        const auto to_row = [&](Index i, V x)
                                HWY_ATTR { put(hn::NegMulAdd(constant(across_[i]), v, x), rows_, i); };
        for (Index i = 0; i < count; ++i) {
            const V by = constant(factor(i));
            put(hn::NegMulAdd(by, u, column(k + i)), columns_, k + i);
            to_row(k + i, hn::NegMulAdd(by, w, row(rows_, k + i)));
            if constexpr (kVectors) put(hn::NegMulAdd(by, t, row(z_, k + i)), z_, k + i);
        }
        for (Index j = k + count; j < n_; ++j) put(column(j), columns_, j);
        for (Index i = 0; i < k; ++i) to_row(i, row(rows_, i));
        for (Index i = k + count; i < end; ++i) to_row(i, row(rows_, i));
    }

    template <bool kVectors>
    HWY_INLINE void make_hessenberg() {
        if constexpr (kVectors) Base::identity(z_);
        for (Index k = 0; k + 2 < n_; ++k) {
            const auto behind = hn::Ge(hn::Iota(D(), 0), constant(static_cast<R>(k + 2)));
            const V x = hn::IfThenElseZero(behind, row(columns_, k));
            const R below = hn::GetLane(hn::SumOfLanes(D(), hn::Mul(x, x)));
            R value = element(k + 1, k);
            if (below > kTiny) {
                const Reflection q(value, below);
                const V v = hn::IfVecThenElse(only(k + 1), constant(q.first), x);
                HWY_ALIGN R numbers[N];
                put(v, numbers, 0);
                turn<kVectors>(
                    k + 1, n_ - k - 1, v, q.tau, [&](Index i) { return numbers[k + 1 + i]; }, n_);
                value = q.value;
            }
            put(hn::IfThenZeroElse(behind, row(columns_, k)), columns_, k);
            for (Index i = k + 2; i < n_; ++i) put(hn::AndNot(only(k), row(rows_, i)), rows_, i);
            set(k + 1, k, value);
        }
    }

    /// What is nothing beside the diagonal (Ahues and Tisseur, LAPACK Working Note 122) becomes 0. Bit k of
    /// the result is there where row k is one block with the row before.
    HWY_INLINE std::uint32_t set_zeros() {
        const D d;
        const auto before_lanes =
            hn::IndicesFromVec(d, hn::Max(hn::Sub(hn::Iota(DI(), 0), hn::Set(DI(), 1)), hn::Zero(DI())));
        const V here = diagonal(), before = hn::TableLookupLanes(here, before_lanes), unit = constant(kUnit);
        const V beside = lane_by_lane(1, n_, [&](Index k) HWY_ATTR { return row(columns_, k - 1); }),
                above = lane_by_lane(1, n_, [&](Index k) HWY_ATTR { return row(rows_, k - 1); }),
                size = hn::Abs(beside);
        const M small = hn::Le(size, hn::Mul(unit, hn::Add(hn::Abs(before), hn::Abs(here)))),
                smaller = hn::Le(hn::Mul(size, hn::Abs(above)),
                                 hn::Mul(hn::Mul(unit, hn::Abs(here)), hn::Abs(hn::Sub(before, here)))),
                nothing = hn::Or(hn::And(small, smaller), hn::Le(size, constant(kTiny)));
        const std::uint32_t some = bits(hn::Not(nothing)), left = bits(hn::Ne(beside, hn::Zero(d)));
        for (Index k = 1; k < n_ && left != some; ++k)
            if (((left & ~some) >> k & 1) != 0) set(k, k - 1, 0);
        return some;
    }
    static HWY_INLINE std::uint32_t bits(M mask) {
        std::uint8_t bytes[8] = {};
        hn::StoreMaskBits(D(), mask, bytes);
        return bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
    }

    /// H becomes block triangular, with blocks of one or two rows, which blocks_ has as bits; whether it
    /// does.
    template <bool kVectors>
    HWY_INLINE bool make_schur() {
        const Index most = 10 * n_;
        Index last = n_ - 1;
        for (Index sweeps = 0; sweeps <= most; ++sweeps) {
            blocks_ = set_zeros();
            const auto goes_on = [&](Index k) { return (blocks_ >> k & 1) != 0; };  // not for 0
            while (last > 0 && !(goes_on(last) && goes_on(last - 1))) last -= goes_on(last) ? 2 : 1;
            if (last <= 0) return true;
            Index first = last - 1;
            while (goes_on(first)) --first;
            sweep<kVectors>(first, last);
        }
        return false;
    }
    /// Of [[a, b], [c, d]] half of a - d, the square of half the gap of the eigenvalues, negative for complex
    /// ones, and how far from d the farther of real ones is.
    struct Gap {
        R half, square, far;
        HWY_INLINE Gap(R a, R b, R c, R d)
            : half((a - d) / 2),
              square(half * half + b * c),
              far(half + std::copysign(std::sqrt(std::abs(square)), half)) {}
    };
    /// One sweep of two shifts over the rows [first, last].
    template <bool kVectors>
    HWY_INLINE void sweep(Index first, Index last) {
        const R a = element(last - 1, last - 1), b = element(last - 1, last), c = element(last, last - 1),
                d = element(last, last);
        const Gap gap(a, b, c, d);
        R sum = a + d, product = a * d - b * c;
        if (gap.square >= 0) {  // twice the nearer to d
            const R near = gap.far != 0 ? d - b * (c / gap.far) : d;
            sum = near + near;
            product = near * near;
        }
        const R top = element(first, first), beside = element(first + 1, first);
        R x = top * (top - sum) + element(first, first + 1) * beside + product,
          y = beside * (top + element(first + 1, first + 1) - sum),
          z = beside * element(first + 2, first + 1);
        for (Index k = first; k + 1 < last; ++k) {
            step<kVectors, 3>(k, first, last, x, y, z);
            x = element(k + 1, k);
            y = element(k + 2, k);
            z = k + 3 <= last ? element(k + 3, k) : R(0);
        }
        step<kVectors, 2>(last - 1, first, last, x, y, 0);
    }
    /// The reflection of rows from k on that takes off y and z, which column k - 1 has behind the first row.
    template <bool kVectors, int kCount>
    HWY_INLINE void step(Index k, Index first, Index last, R x, R y, R z) {
        const R below = y * y + z * z;
        if (below > kTiny) {
            const Reflection q(x, below);
            const R factors[3] = {q.first, y, z};
            V v = hn::Or(hn::And(only(k), constant(q.first)), hn::And(only(k + 1), constant(y)));
            if constexpr (kCount == 3) v = hn::Or(v, hn::And(only(k + 2), constant(z)));
            turn<kVectors>(
                k, kCount, v, q.tau, [&](Index i) { return factors[i]; }, std::min(k + 4, last + 1));
            x = q.value;
        }
        if (k == first) return;
        const V own = only(k), below_lanes = kCount == 3 ? hn::Or(only(k + 1), only(k + 2)) : only(k + 1);
        const V column = hn::AndNot(below_lanes, row(columns_, k - 1));
        put(hn::IfVecThenElse(own, constant(x), column), columns_, k - 1);
        const V before = only(k - 1);
        put(hn::IfVecThenElse(before, constant(x), row(rows_, k)), rows_, k);
        for (Index i = 1; i < kCount; ++i) put(hn::AndNot(before, row(rows_, k + i)), rows_, k + i);
    }

    /// Blocks of two real eigenvalues become triangular; all eigenvalues, and whether no two of a block are
    /// nearly equal.
    template <bool kVectors>
    HWY_INLINE bool values() {
        constexpr R kNear = 256 * kUnit;
        for (Index k = 0; k < n_; ++k) {
            if (k + 1 == n_ || (blocks_ >> (k + 1) & 1) == 0) {
                set_value(k, element(k, k), 0);
                continue;
            }
            const R b = element(k, k + 1), c = element(k + 1, k), d = element(k + 1, k + 1);
            const Gap gap(element(k, k), b, c, d);
            if (std::abs(gap.square) <= kNear * (gap.half * gap.half + std::abs(b * c))) return false;
            if (gap.square < 0) {
                const R imaginary = std::sqrt(-gap.square);
                set_value(k, d + gap.half, imaginary);
                set_value(k + 1, d + gap.half, -imaginary);
            } else {
                const Reflection q(gap.far, c * c);
                const R factors[2] = {q.first, c};
                const V v = hn::Or(hn::And(only(k), constant(q.first)), hn::And(only(k + 1), constant(c)));
                turn<kVectors>(
                    k, 2, v, q.tau, [&](Index i) { return factors[i]; }, k + 2);
                set(k + 1, k, 0);
                blocks_ &= ~(std::uint32_t{1} << (k + 1));
                set_value(k, element(k, k), 0);
                set_value(k + 1, element(k + 1, k + 1), 0);
            }
            ++k;
        }
        return true;
    }
    HWY_INLINE void set_value(Index k, R re, R im) {
        real_[k] = re;
        imaginary_[k] = im;
    }

    /// Eigenvectors of norm 1, and whether they are found.
    HWY_INLINE bool vectors(std::complex<R>* v) {
        const D d;
        const V zero = hn::Zero(d), one = constant(1), lanes = hn::Iota(d, 0);
        const M outside = hn::Not(there());
        HWY_ALIGN R x[2 * N * N];
        V largest = zero;
        for (Index i = 0; i < n_; ++i) largest = hn::Max(largest, hn::Abs(row(rows_, i)));
        const V least = hn::Mul(hn::MaxOfLanes(d, largest), constant(1024 * kUnit));
        const C value{hn::IfThenElse(outside, zero, row(real_, 0)),
                      hn::IfThenElse(outside, zero, row(imaginary_, 0))};
        const auto number = [&](Index i, Index j) HWY_ATTR { return constant(element(i, j)); };
        const auto lane = [&](Index k) HWY_ATTR { return hn::Eq(lanes, constant(static_cast<R>(k))); };
        // what the vectors have in rows from `from` on, times row i
        const auto right = [&](Index i, Index from) HWY_ATTR {
            C all = C::of(zero);
            for (Index k = from; k < n_; ++k) {
                const V by = number(i, k);
                const C other = C::load(x, k);
                all = {hn::NegMulAdd(by, other.re, all.re), hn::NegMulAdd(by, other.im, all.im)};
            }
            return all;
        };
        M good = hn::Eq(zero, zero);
        const auto divisor = [&](C by, M wanted) HWY_ATTR {
            good = hn::And(good, hn::Or(hn::Not(wanted), hn::Gt(by.size(), least)));
            return by.where(wanted, C::of(one));
        };
        V sum = zero;
        const auto give = [&](C result, Index i) HWY_ATTR {
            result.store(x, i);
            sum = hn::Add(sum, result.squared());
        };
        for (Index i = n_ - 1; i >= 0; --i) {
            const M later = hn::AndNot(outside, hn::Gt(lanes, constant(static_cast<R>(i))));
            if (i == 0 || (blocks_ >> i & 1) == 0) {
                const C gap = divisor(C::of(number(i, i)) - value, later);
                const C other = C::of(hn::IfThenElseZero(lane(i), one));
                give((right(i, i + 1) / gap).where(later, other), i);
                continue;
            }
            const Index above = i - 1;
            const V a = number(above, above), b = number(above, i), c = number(i, above), e = number(i, i);
            // [[p, q], [r, s]] (u, w) = (f, g), by elimination with the larger of p and r
            const C p = C::of(a) - value, s = C::of(e) - value, q = C::of(b), r = C::of(c),
                    f = right(above, i + 1), g = right(i, i + 1);
            const M swap = hn::Gt(r.size(), p.size());
            const C p_1 = divisor(r.where(swap, p), later), q_1 = s.where(swap, q), f_1 = g.where(swap, f),
                    p_2 = p.where(swap, r), q_2 = q.where(swap, s), f_2 = f.where(swap, g);
            const C factor = p_2 / p_1;
            const C lower = f_2.minus(factor, f_1) / divisor(q_2.minus(factor, q_1), later),
                    upper = f_1.minus(q_1, lower) / p_1;
            // the vectors of the block itself
            const M own = hn::Or(lane(above), lane(i)), along = hn::Ge(hn::Abs(b), hn::Abs(c));
            const V size = hn::Max(hn::Abs(b), hn::Abs(c));
            const C own_upper = (q.where(along, value - C::of(e)) / size).where(own, C::of(zero)),
                    own_lower = ((value - C::of(a)).where(along, r) / size).where(own, C::of(zero));
            give(lower.where(later, own_lower), i);
            give(upper.where(later, own_upper), above);
            --i;
        }
        const V most = constant(std::sqrt(std::numeric_limits<R>::max()));
        good = hn::And(good, hn::And(hn::Gt(sum, constant(kTiny)), hn::Lt(sum, most)));
        if (!hn::AllTrue(d, hn::Or(outside, good))) return false;
        const V by = hn::Div(one, hn::Sqrt(sum));
        for (Index i = 0; i < n_; ++i) (C::load(x, i) * by).store(x, i);
        // in those of the matrix
        for (Index j = 0; j < n_; ++j) {
            V re = zero, im = zero;
            for (Index k = 0; k < std::min(j + 2, n_); ++k) {
                const R* const factor = x + 2 * k * kLanes + j;
                re = hn::MulAdd(row(z_, k), constant(factor[0]), re);
                im = hn::MulAdd(row(z_, k), constant(factor[kLanes]), im);
            }
            put(re, along_, 0);
            put(im, across_, 0);
            for (Index i = 0; i < n_; ++i) v[i + j * n_] = {along_[i], across_[i]};
        }
        return true;
    }

    Index n_;
    std::uint32_t blocks_ = 0;
    alignas(64) R rows_[N * N], columns_[N * N], z_[N * N], along_[N], across_[N], real_[N], imaginary_[N];
};

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
