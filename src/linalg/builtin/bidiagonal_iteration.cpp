// The implicit QR algorithm for bidiagonal matrices (Golub and Van Loan, 5.4.8 and 8.6), for small ones.
#include "linalg/builtin/bidiagonal.hpp"
#include "linalg/builtin/rotation.hpp"
#include "linalg/builtin/vectors.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// An upper bidiagonal matrix, and the matrices of singular vectors that rotations of its rows and columns
/// turn.
template <class R>
class Bidiagonal {
public:
    Bidiagonal(Index n, R* diagonal, R* above, const Matrix<R>& u, const Matrix<R>& v) noexcept
        : n_(n), d_(diagonal), e_(above), u_(u), v_(v) {
        for (Index i = 0; i < n; ++i)
            norm_ = std::max({norm_, std::abs(d_[i]), i + 1 < n ? std::abs(e_[i]) : R(0)});
    }

    /// Turns an element behind the last row, in a column of its own, into the other columns.
    void fold(R extra) {
        for (Index i = n_ - 1; i >= 0 && extra != 0; --i) {
            const Givens<R> g(d_[i], extra);
            d_[i] = g.r;
            if (i > 0) {
                extra = -g.s * e_[i - 1];
                e_[i - 1] *= g.c;
            }
            turn_v(g, i, n_);
        }
    }

    /// Makes it diagonal; false where that takes too long.
    [[nodiscard]] bool iterate() {
        const R eps = std::numeric_limits<R>::epsilon();
        const Index most = 60 * n_;
        Index last = n_ - 1;
        for (Index step = 0; last > 0; ++step) {
            if (step > most) return false;
            for (Index i = 0; i < last; ++i)
                if (std::abs(e_[i]) <= eps * (std::abs(d_[i]) + std::abs(d_[i + 1])) ||
                    std::abs(e_[i]) <= std::numeric_limits<R>::min())
                    e_[i] = 0;
            if (e_[last - 1] == 0) {
                --last;
                continue;
            }
            Index first = last - 1;
            while (first > 0 && e_[first - 1] != 0) --first;
            if (const Index zero = negligible(first, last); zero <= last)
                split(first, zero, last);
            else
                chase(first, last);
        }
        return true;
    }

private:
    /// What is nothing beside the matrix.
    [[nodiscard]] R least() const noexcept { return std::numeric_limits<R>::epsilon() * norm_; }
    /// The first diagonal element in [first, last] that is, or last + 1.
    [[nodiscard]] Index negligible(Index first, Index last) const noexcept {
        Index i = first;
        while (i <= last && std::abs(d_[i]) > least()) ++i;
        return i;
    }

    /// d[zero] becomes 0, and so does an element above the diagonal beside it.
    void split(Index first, Index zero, Index last) noexcept {
        d_[zero] = 0;
        if (zero < last) {  // rotate row `zero` with those below
            R carried = e_[zero];
            e_[zero] = 0;
            for (Index i = zero + 1; i <= last && std::abs(carried) > least(); ++i) {
                const Givens<R> g(d_[i], carried);
                d_[i] = g.r;
                if (i < last) {
                    carried = -g.s * e_[i];
                    e_[i] *= g.c;
                }
                turn_u(g, i, zero);
            }
        } else {  // rotate the last column with those before
            R carried = e_[zero - 1];
            e_[zero - 1] = 0;
            for (Index i = zero - 1; i >= first && std::abs(carried) > least(); --i) {
                const Givens<R> g(d_[i], carried);
                d_[i] = g.r;
                if (i > first) {
                    carried = -g.s * e_[i - 1];
                    e_[i - 1] *= g.c;
                }
                turn_v(g, i, zero);
            }
        }
    }

    /// The eigenvalue of the last 2 x 2 block of BᵀB that is nearer to its last element.
    [[nodiscard]] R shift(Index first, Index last) const noexcept {
        const R before = last - 1 > first ? e_[last - 2] : R(0);
        const R a = d_[last - 1] * d_[last - 1] + before * before, b = d_[last - 1] * e_[last - 1],
                c = d_[last] * d_[last] + e_[last - 1] * e_[last - 1];
        const R half = (a - c) / 2, root = length_of(half, b);
        return root == 0 ? c : c - b * b / (half + std::copysign(root, half));
    }

    /// A QR step with that shift.
    void chase(Index first, Index last) noexcept {
        R x = d_[first] * d_[first] - shift(first, last), y = d_[first] * e_[first];
        for (Index k = first; k < last; ++k) {
            const Givens<R> right(x, y);
            if (k > first) e_[k - 1] = right.r;
            x = right.c * d_[k] + right.s * e_[k];
            e_[k] = right.c * e_[k] - right.s * d_[k];
            y = right.s * d_[k + 1];
            d_[k + 1] *= right.c;
            turn_v(right, k, k + 1);
            const Givens<R> left(x, y);
            d_[k] = left.r;
            x = left.c * e_[k] + left.s * d_[k + 1];
            d_[k + 1] = left.c * d_[k + 1] - left.s * e_[k];
            e_[k] = x;
            if (k + 1 < last) {
                y = left.s * e_[k + 1];
                e_[k + 1] *= left.c;
            }
            turn_u(left, k, k + 1);
        }
    }

    void turn_u(const Givens<R>& g, Index i, Index j) const noexcept { turn(g, u_, i, j); }
    void turn_v(const Givens<R>& g, Index i, Index j) const noexcept { turn(g, v_, i, j); }
    static void turn(const Givens<R>& g, const Matrix<R>& x, Index i, Index j) noexcept {
        vector_kernels<R>().rotate(x.rows, g.c, g.s, x.column(i), x.column(j));
    }

    Index n_;
    R *d_, *e_;
    const Matrix<R>&u_, &v_;
    R norm_ = 0;
};

}  // namespace

template <class R>
bool iterate_bidiagonal(Index n, Index extra, R* diagonal, R* above, const Matrix<R>& u, const Matrix<R>& v) {
    // Squares of small elements beside a small norm do not underflow where the norm is about 1.
    R largest = 0;
    for (Index i = 0; i < n; ++i)
        largest = std::max({largest, std::abs(diagonal[i]), i + 1 < n + extra ? std::abs(above[i]) : R(0)});
    const int exponent = largest > 0 ? std::ilogb(largest) : 0;
    for (Index i = 0; i < n; ++i) {
        diagonal[i] = std::scalbn(diagonal[i], -exponent);
        if (i + 1 < n + extra) above[i] = std::scalbn(above[i], -exponent);
    }
    Bidiagonal<R> matrix(n, diagonal, above, u, v);
    if (extra > 0 && n > 0) matrix.fold(above[n - 1]);
    if (!matrix.iterate()) return false;
    for (Index i = 0; i < n; ++i) diagonal[i] = std::scalbn(diagonal[i], exponent);
    for (Index i = 0; i < n; ++i)
        if (std::signbit(diagonal[i])) {
            diagonal[i] = -diagonal[i];
            for (Index j = 0; j < v.rows; ++j) v(j, i) = -v(j, i);
        }
    for (Index i = 0; i < n; ++i) {
        const Index least = std::min_element(diagonal + i, diagonal + n) - diagonal;
        if (least == i) continue;
        std::swap(diagonal[i], diagonal[least]);
        std::swap_ranges(u.column(i), u.column(i) + u.rows, u.column(least));
        std::swap_ranges(v.column(i), v.column(i) + v.rows, v.column(least));
    }
    return true;
}

template bool iterate_bidiagonal(Index, Index, float*, float*, const Matrix<float>&, const Matrix<float>&);
template bool iterate_bidiagonal(Index, Index, double*, double*, const Matrix<double>&,
                                 const Matrix<double>&);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
