// Products and systems of one small complex matrix, for one instruction set. A column is some vectors of
// numbers as they lie, real and imaginary parts in turn, the longest that divide it: nothing is rearranged,
// and there is no rest. a z is a Re(z) + (i a) Im(z), of which the second is turned by i once for a column.

// clang-format off
#if defined(TENFERRO_LINALG_COMPLEX_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_LINALG_COMPLEX_INL_HPP
#undef TENFERRO_LINALG_COMPLEX_INL_HPP
#else
#define TENFERRO_LINALG_COMPLEX_INL_HPP
#endif
// clang-format on

#include <hwy/highway.h>

#include <algorithm>

#include "linalg/small/complex.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
/// With vectors of N real numbers.
template <class R, std::size_t N>
struct ComplexColumns {
    using C = std::complex<R>;
    using D = hn::CappedTag<R, N>;
    using V = hn::Vec<D>;
    static constexpr Index kLanes = static_cast<Index>(N), kLargest = 16,
                           kMostVectors = 2 * kLargest / kLanes;

    static HWY_INLINE V load(const R* from) { return hn::LoadU(D(), from); }
    static HWY_INLINE V constant(R value) { return hn::Set(D(), value); }
    static HWY_INLINE V times_i(V x) {
        return hn::Xor(hn::Reverse2(D(), x), hn::OddEven(hn::Zero(D()), constant(R(-0.0))));
    }

    static HWY_NOINLINE void multiply(Index n, const C* a, const C* b, C* c) {
        Index j = 0;
        for (; j + 4 <= n; j += 4) multiply_columns<4>(n, a, b + j * n, c + j * n);
        for (; j < n; ++j) multiply_columns<1>(n, a, b + j * n, c + j * n);
    }
    template <int kColumns>
    static HWY_INLINE void multiply_columns(Index n, const C* a, const C* b, C* c) {
        for (Index at = 0; at < 2 * n; at += kLanes) {
            V by_real[kColumns], by_imaginary[kColumns];
            for (int j = 0; j < kColumns; ++j) by_real[j] = by_imaginary[j] = hn::Zero(D());
            for (Index k = 0; k < n; ++k) {
                const V x = load(real(a + k * n) + at);
                for (int j = 0; j < kColumns; ++j) {
                    const R* const factor = real(b + k + j * n);
                    by_real[j] = hn::MulAdd(x, constant(factor[0]), by_real[j]);
                    by_imaginary[j] = hn::MulAdd(x, constant(factor[1]), by_imaginary[j]);
                }
            }
            for (int j = 0; j < kColumns; ++j)
                hn::StoreU(hn::Add(by_real[j], times_i(by_imaginary[j])), D(), real(c + j * n) + at);
        }
    }

    /// Elimination of all other rows (Gauss and Jordan) by the largest element of each column, whose row
    /// stays where it is: what it solves for is found at the end.
    static HWY_NOINLINE Index solve(Index n, C* a, C* x) {
        Index order[kLargest];
        bool is_left[kLargest];
        std::fill_n(is_left, n, true);
        for (Index k = 0; k < n; ++k) {
            C* const column = a + k * n;
            Index row = 0;
            R most = -1;
            for (Index i = 0; i < n; ++i) {
                const R size = sum_of_moduli(column[i]);
                if (!is_left[i] || !(size > most)) continue;
                most = size;
                row = i;
            }
            if (most == 0) return k;
            is_left[row] = false;
            order[k] = row;
            Elimination step(n, column, row);
            for (Index j = k + 1; j < n; ++j) step.eliminate(a + j * n);
            for (Index j = 0; j < n; ++j) step.eliminate(x + j * n);
        }
        for (Index j = 0; j < n; ++j) {
            C solved[kLargest];
            for (Index k = 0; k < n; ++k) solved[k] = x[order[k] + j * n];
            std::copy_n(solved, n, x + j * n);
        }
        return n;
    }

private:
    static HWY_INLINE R* real(C* a) { return reinterpret_cast<R*>(a); }
    static HWY_INLINE const R* real(const C* a) { return reinterpret_cast<const R*>(a); }

    struct Elimination {
        Index vectors, row;
        C by;
        V factors[kMostVectors], turned[kMostVectors];
        hn::Mask<D> is_row[kMostVectors];

        HWY_INLINE Elimination(Index n, const C* column, Index pivot)
            : vectors(2 * n / kLanes), row(pivot), by(C(1) / column[pivot]) {
            const V places = hn::Iota(D(), 0), pairs = hn::OddEven(hn::Sub(places, constant(1)), places);
            for (Index at = 0; at < vectors; ++at) {
                factors[at] = load(real(column) + at * kLanes);
                turned[at] = times_i(factors[at]);
                is_row[at] = hn::Eq(pairs, constant(static_cast<R>(2 * row - at * kLanes)));
            }
        }
        HWY_INLINE void eliminate(C* column) const {
            const R *const at_row = real(column + row), re = at_row[0] * by.real() - at_row[1] * by.imag(),
                           im = at_row[0] * by.imag() + at_row[1] * by.real();
            const V x = constant(re), y = constant(im), here = hn::OddEven(y, x);
            for (Index at = 0; at < vectors; ++at) {
                R* const to = real(column) + at * kLanes;
                const V less = hn::NegMulAdd(factors[at], x, hn::NegMulAdd(turned[at], y, load(to)));
                hn::StoreU(hn::IfThenElse(is_row[at], here, less), D(), to);
            }
        }
    };
};

/// With the longest vectors that divide a column.
template <class R>
struct ComplexMatrices {
    using C = std::complex<R>;
    static constexpr std::size_t kMost = HWY_MIN(hn::MaxLanes(hn::ScalableTag<R>()), 8);

    template <class F>
    static HWY_INLINE auto with_vectors(Index n, F&& f) {
        if constexpr (kMost >= 8)
            if (n % 4 == 0) return f(ComplexColumns<R, 8>());
        if constexpr (kMost >= 4)
            if (n % 2 == 0) return f(ComplexColumns<R, 4>());
        return f(ComplexColumns<R, 2>());
    }
    static void multiply(Index n, const C* a, const C* b, C* c) {
        with_vectors(n, [&](auto columns) { columns.multiply(n, a, b, c); });
    }
    static Index solve(Index n, C* a, C* x) {
        return with_vectors(n, [&](auto columns) { return columns.solve(n, a, x); });
    }
};
#endif

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
