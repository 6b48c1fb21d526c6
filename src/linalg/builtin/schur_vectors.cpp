// Eigenvectors of the Schur form by substitution for all of them at once: halves of the matrix, with a
// product of matrices between them. Vectors that grow are scaled down as a whole (Anderson, LAPACK Working
// Note 36).
#include "linalg/builtin/schur.hpp"
#include "linalg/floating_types.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Rows up to which there are no products of matrices.
constexpr Index kSchurLeaf = 16;

template <class T>
class SchurVectors {
    using R = RealOf<T>;
    using C = ComplexOf<T>;

public:
    SchurVectors(const Matrix<T>& t, R size, const C* w, const Matrix<T>& x, Scratch& scratch)
        : t_(t),
          w_(w),
          x_(x),
          scratch_(scratch),
          least_(std::max(kEps<T> * size, std::numeric_limits<R>::min())) {}

    /// Rows [first, last) of their own vectors.
    void solve(Index first, Index last) {
        if (last - first <= kSchurLeaf) {
            for (Index j = first; j < last; j += width(j)) start(first, j);
            return;
        }
        const Index middle = split(first, last);
        solve(middle, last);
        multiply(Sum::Subtract, plain(t_.block(first, middle, middle - first, last - middle)),
                 plain(x_.block(middle, middle, last - middle, last - middle)),
                 x_.block(first, middle, middle - first, last - middle), scratch_);
        solve_above(first, middle, middle, last);
        solve(first, middle);
    }

private:
    [[nodiscard]] bool is_pair(Index j) const noexcept {
        if constexpr (is_complex<T>)
            return false;
        else
            return j + 1 < t_.rows && t_(j + 1, j) != 0;
    }
    [[nodiscard]] Index width(Index j) const noexcept { return is_pair(j) ? 2 : 1; }
    /// About the middle, and not within a pair.
    [[nodiscard]] Index split(Index first, Index last) const noexcept {
        const Index middle = first + (last - first) / 2;
        return is_pair(middle - 1) ? middle + 1 : middle;
    }

    /// (T - w) X over X for rows [first, last) and the vectors [begin, end).
    void solve_above(Index first, Index last, Index begin, Index end) {
        if (last - first <= kSchurLeaf) {
            for (Index j = begin; j < end; j += width(j)) substitute(first, last, j);
            return;
        }
        const Index middle = split(first, last);
        solve_above(middle, last, begin, end);
        multiply(Sum::Subtract, plain(t_.block(first, middle, middle - first, last - middle)),
                 plain(x_.block(middle, begin, last - middle, end - begin)),
                 x_.block(first, begin, middle - first, end - begin), scratch_);
        solve_above(first, middle, begin, end);
    }

    /// Vector j in its own block, and what follows from it in rows from `first` on.
    void start(Index first, Index j) noexcept {
        T *const x = x_.column(j), *const t = t_.column(j);
        if (!is_pair(j)) {
            x[j] = 1;
            for (Index i = first; i < j; ++i) x[i] = -t[i];
        } else if constexpr (!is_complex<T>) {
            T *const y = x_.column(j + 1), *const u = t_.column(j + 1);
            const R imaginary = w_[j].imag();
            if (std::abs(u[j]) >= std::abs(t[j + 1])) {
                x[j] = 1;
                y[j + 1] = imaginary / u[j];
            } else {
                x[j] = -imaginary / t[j + 1];
                y[j + 1] = 1;
            }
            for (Index i = first; i < j; ++i) {
                x[i] = -t[i] * x[j];
                y[i] = -u[i] * y[j + 1];
            }
        }
        substitute(first, j, j);
    }

    /// Rows [first, last) of vector j, which have the right-hand side.
    void substitute(Index first, Index last, Index j) noexcept {
        if (is_pair(j))
            substitute_as<C>(first, last, j);
        else
            substitute_as<T>(first, last, j);
    }
    /// In numbers of type N: T, or complex ones for a pair.
    template <class N>
    void substitute_as(Index first, Index last, Index j) noexcept {
        constexpr bool kPair = !std::is_same_v<N, T>;
        T *const x = x_.column(j), *const y = x_.column(kPair ? j + 1 : j);
        N value;
        if constexpr (is_complex<N>)
            value = w_[j];
        else
            value = w_[j].real();
        N v[kSchurLeaf + 1];
        for (Index i = first; i < last; ++i) {
            if constexpr (kPair)
                v[i - first] = {x[i], y[i]};
            else
                v[i - first] = x[i];
        }
        for (Index i = last - 1; i >= first; --i) {
            N& here = v[i - first];
            if (i > first && is_pair(i - 1)) {
                N& above = v[i - 1 - first];
                solve_pair(i - 1, value, above, here);
                const R down = limit(std::max(magnitude(above), magnitude(here)));
                if (down != 1) shrink(down, j, kPair, v, last - first);
                for (Index k = first; k < i - 1; ++k) v[k - first] -= t_(k, i - 1) * above + t_(k, i) * here;
                --i;
                continue;
            }
            here /= pivot(N(t_(i, i)) - value);
            const R down = limit(magnitude(here));
            if (down != 1) shrink(down, j, kPair, v, last - first);
            for (Index k = first; k < i; ++k) v[k - first] -= t_(k, i) * here;
        }
        for (Index i = first; i < last; ++i) {
            if constexpr (kPair) {
                x[i] = v[i - first].real();
                y[i] = v[i - first].imag();
            } else {
                x[i] = v[i - first];
            }
        }
    }
    template <class N>
    [[nodiscard]] N pivot(N gap) const noexcept {
        return magnitude(gap) < least_ ? N(least_) : gap;
    }
    /// (u, v) with the block of T at row i less `value` times them (u, v) of before, by elimination with all
    /// pivots.
    template <class N>
    void solve_pair(Index i, N value, N& u, N& v) const noexcept {
        const N diagonal = N(t_(i, i)) - value;
        const R b = real_part(t_(i, i + 1)), c = real_part(t_(i + 1, i));
        const R across = std::max(std::abs(b), std::abs(c));
        if (magnitude(diagonal) >= across) {
            const N factor = c / pivot(diagonal);
            v = (v - factor * u) / pivot(diagonal - factor * b);
            u = (u - b * v) / pivot(diagonal);
        } else if (std::abs(c) >= std::abs(b)) {
            const N factor = diagonal / c;
            const N rest = u - factor * v;
            const N second = rest / pivot(b - factor * diagonal);
            u = (v - diagonal * second) / c;
            v = second;
        } else {
            const N factor = diagonal / b;
            const N rest = v - factor * u;
            const N first = rest / pivot(c - factor * diagonal);
            v = (u - diagonal * first) / b;
            u = first;
        }
    }
    /// What a vector with an element of that size is multiplied by.
    [[nodiscard]] static R limit(R size) noexcept {
        constexpr int kExponent = std::numeric_limits<R>::max_exponent / 6;
        return size > std::scalbn(R(1), kExponent) ? std::scalbn(R(1), -std::ilogb(size)) : R(1);
    }
    template <class N>
    void shrink(R by, Index j, bool pair, N* v, Index count) noexcept {
        for (Index i = 0; i < count; ++i) v[i] *= by;
        for (Index column = j; column <= (pair ? j + 1 : j); ++column)
            for (Index i = 0; i < x_.rows; ++i) x_(i, column) *= by;
    }

    const Matrix<T>& t_;
    const C* w_;
    const Matrix<T>& x_;
    Scratch& scratch_;
    R least_;
};

}  // namespace

template <class T>
void schur_vectors(const Matrix<T>& t, RealOf<T> size, const ComplexOf<T>* w, const Matrix<T>& x,
                   Scratch& scratch) {
    set_zero(x);
    SchurVectors<T>(t, size, w, x, scratch).solve(0, t.rows);
}

#define TENFERRO_INSTANCE(T) \
    template void schur_vectors(const Matrix<T>&, RealOf<T>, const ComplexOf<T>*, const Matrix<T>&, Scratch&);
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
