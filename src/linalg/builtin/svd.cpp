// Singular values of kind builtin: Householder bidiagonalisation and the implicit QR algorithm (Golub and Van
// Loan, 5.4.8 and 8.6), on the adjoint of a wide matrix, after a QR decomposition of a very tall one.
#include <algorithm>
#include <cmath>

#include "linalg/builtin/builtin_kernels.hpp"
#include "linalg/builtin/reflection.hpp"
#include "linalg/floating_types.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// A rotation with c x + s y = r and c y - s x = 0.
template <class R>
struct Givens {
    R c = 1, s = 0, r;

    Givens(R x, R y) noexcept : r(x) {
        if (y == 0) return;
        r = std::hypot(x, y);
        c = x / r;
        s = y / r;
    }
    template <class T>
    void turn(Index n, T* x, T* y) const noexcept {
        for (Index i = 0; i < n; ++i) {
            const T a = x[i], b = y[i];
            x[i] = c * a + s * b;
            y[i] = c * b - s * a;
        }
    }
};

/// An upper bidiagonal matrix, and the matrices of singular vectors that rotations of its rows and columns
/// turn; both null where no vectors are wanted.
template <class T>
class Bidiagonal {
    using R = RealOf<T>;

public:
    Bidiagonal(Index n, R* diagonal, R* above, Index m, T* u, Index v_rows, T* v) noexcept
        : n_(n), d_(diagonal), e_(above), m_(m), u_(u), v_rows_(v_rows), v_(v) {
        for (Index i = 0; i < n; ++i)
            norm_ = std::max({norm_, std::abs(d_[i]), i + 1 < n ? std::abs(e_[i]) : R(0)});
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
        const R half = (a - c) / 2, root = std::hypot(half, b);
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

    void turn_u(const Givens<R>& g, Index i, Index j) const noexcept {
        if (u_ != nullptr) g.turn(m_, u_ + i * m_, u_ + j * m_);
    }
    void turn_v(const Givens<R>& g, Index i, Index j) const noexcept {
        if (v_ != nullptr) g.turn(v_rows_, v_ + i * v_rows_, v_ + j * v_rows_);
    }

    Index n_;
    R *d_, *e_;
    Index m_;
    T* u_;
    Index v_rows_;
    T* v_;
    R norm_ = 0;
};

/// Singular values that are not negative and do not grow, with their vectors.
template <class T>
void put_in_order(Index n, RealOf<T>* s, Index m, T* u, Index v_rows, T* v) {
    for (Index i = 0; i < n; ++i)
        if (std::signbit(s[i])) {
            s[i] = -s[i];
            for (Index j = 0; v != nullptr && j < v_rows; ++j) v[j + i * v_rows] = -v[j + i * v_rows];
        }
    for (Index i = 0; i + 1 < n; ++i) {
        const Index largest = std::max_element(s + i, s + n) - s;
        if (largest == i) continue;
        std::swap(s[i], s[largest]);
        if (u == nullptr) continue;
        std::swap_ranges(u + i * m, u + i * m + m, u + largest * m);
        std::swap_ranges(v + i * v_rows, v + i * v_rows + v_rows, v + largest * v_rows);
    }
}

/// A [m, n] with m >= n, which is lost: u [m, columns] and v [n, n], or none.
template <class T>
bool tall_svd(Index m, Index n, Index columns, T* a, T* u, RealOf<T>* s, T* v, Scratch& scratch) {
    using R = RealOf<T>;
    R* const e = scratch.take<R>(n);
    T *const left = scratch.take<T>(n), *const right = scratch.take<T>(n), *const row = scratch.take<T>(m);
    for (Index k = 0; k < n; ++k) {
        T* const column = a + k + k * m;
        left[k] = make_reflection(m - k, column, s[k]);
        for (Index j = k + 1; j < n; ++j) reflect(m - k, column, conjugate(left[k]), a + k + j * m);
        right[k] = 0;
        if (k + 1 >= n) continue;
        // The row as a column, conjugated: its reflection acts from the right.
        const Index length = n - k - 1;
        T* const x = row;
        for (Index j = 0; j < length; ++j) x[j] = conjugate(a[k + (k + 1 + j) * m]);
        right[k] = make_reflection(length, x, e[k]);
        for (Index j = 0; j < length; ++j) a[k + (k + 1 + j) * m] = x[j];
        reflect_rows(m - k - 1, length, a + k + 1 + (k + 1) * m, m, x, right[k], scratch);
    }
    if (u != nullptr) {
        std::fill_n(u, m * columns, T(0));
        for (Index j = 0; j < columns; ++j) u[j + j * m] = 1;
        std::fill_n(v, n * n, T(0));
        for (Index j = 0; j < n; ++j) v[j + j * n] = 1;
        for (Index k = n - 1; k >= 0; --k) {
            for (Index j = k; j < columns; ++j) reflect(m - k, a + k + k * m, left[k], u + k + j * m);
            if (k + 1 >= n) continue;
            const Index length = n - k - 1;
            for (Index j = 0; j < length; ++j) row[j] = a[k + (k + 1 + j) * m];
            for (Index j = k + 1; j < n; ++j) reflect(length, row, right[k], v + k + 1 + j * n);
        }
    }
    if (!Bidiagonal<T>(n, s, e, m, u, n, v).iterate()) return false;
    put_in_order(n, s, m, u, n, v);
    return true;
}

}  // namespace

template <class T>
bool BuiltinKernels<T>::svd(Index m, Index n, bool full, T* a, T* u, R* s, T* vh, Scratch& scratch) const {
    const Scratch::Frame frame(scratch);
    const Index rows = std::max(m, n), k = std::min(m, n), columns = full ? rows : k;
    const auto adjoint = [](Index r, Index c, const T* from, T* to) {
        for (Index j = 0; j < c; ++j)
            for (Index i = 0; i < r; ++i) to[j + i * c] = conjugate(from[i + j * r]);
    };
    if (m >= n) {
        T* const v = u != nullptr ? scratch.take<T>(n * n) : nullptr;
        if (!tall_svd(m, n, columns, a, u, s, v, scratch)) return false;
        if (u != nullptr) adjoint(n, n, v, vh);
        return true;
    }
    // Aᴴ = X s Yᴴ, so U is Y and Vh is Xᴴ.
    T *const turned = scratch.take<T>(m * n), *const x =
                                                  u != nullptr ? scratch.take<T>(rows * columns) : nullptr;
    adjoint(m, n, a, turned);
    if (!tall_svd(n, m, columns, turned, x, s, u, scratch)) return false;
    if (u != nullptr) adjoint(rows, columns, x, vh);
    return true;
}

#define TENFERRO_INSTANCE(T) \
    template bool BuiltinKernels<T>::svd(Index, Index, bool, T*, T*, RealOf<T>*, T*, Scratch&) const;
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
