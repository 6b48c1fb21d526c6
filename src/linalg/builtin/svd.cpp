// Singular values of kind builtin: bidiagonalisation, then divide and conquer or, for values alone, dqds; on
// the adjoint of a wide matrix, after a QR decomposition of a tall one. Small real ones across lanes.
#include <algorithm>

#include "linalg/builtin/bidiagonal.hpp"
#include "linalg/builtin/builtin_kernels.hpp"
#include "linalg/builtin/tridiagonal.hpp"
#include "linalg/floating_types.hpp"
#include "linalg/small/across.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Columns of `from`, the last first, with zeros below, and those of the identity behind.
template <class T>
void turn_around(const Matrix<RealOf<T>>& from, const Matrix<T>& to) {
    const Index n = from.columns;
    set_identity(to);
    for (Index j = 0; j < n; ++j) std::copy_n(from.column(n - 1 - j), n, to.column(j));
}

template <class T>
void set_adjoint(const Matrix<T>& from, const Matrix<T>& to) {
    for (Index j = 0; from.rows > 0 && j < from.columns; ++j)
        for (Index i = 0; i < from.rows; ++i) to(j, i) = conjugate(from(i, j));
}

/// Whether matrices of k rows or columns may be computed across lanes.
template <class T>
bool lies_across(Index k) {
    if constexpr (is_complex<T>)
        return false;
    else
        return k > 0 && k <= across_kernels<T>().lanes;
}
/// As that of MatrixKernels without `full`, but that A is kept; false where it is not for those kernels.
template <class T>
bool svd_across(Index m, Index n, const T* a, T* u, RealOf<T>* s, T* vh, Scratch& scratch) {
    if (!lies_across<T>(std::min(m, n)) || std::max(m, n) > kTallestAcross) return false;
    if constexpr (is_complex<T>) {
        return false;
    } else {
        const auto& kernels = across_kernels<T>();
        const Scratch::Frame frame(scratch);
        return kernels.svd(m, n, a, u, s, vh, scratch.take<T>(std::max(m, n) * kernels.lanes));
    }
}
/// The same for R of a QR decomposition, by Rᵀ = V s Uᵀ, whose columns are nearer to orthogonal.
template <class T>
bool triangle_across(const Matrix<T>& r, const Matrix<T>& u, RealOf<T>* s, const Matrix<T>& v,
                     Scratch& scratch) {
    const Index n = r.rows;
    if (!lies_across<T>(n)) return false;
    const Scratch::Frame frame(scratch);
    const bool vectors = u.rows > 0;
    const Matrix<T> turned = take_matrix<T>(n, n, scratch),
                    uh = vectors ? take_matrix<T>(n, n, scratch) : Matrix<T>{};
    set_adjoint(r, turned);
    if (!svd_across(n, n, turned.data, v.data, s, uh.data, scratch)) return false;
    if (vectors) set_adjoint(uh, u);
    return true;
}

/// A [m, n] with m >= n, which is lost: u [m, columns] and v [n, n], or none.
template <class T>
bool tall_svd(const Matrix<T>& a, const Matrix<T>& u, RealOf<T>* s, const Matrix<T>& v, Scratch& scratch) {
    using R = RealOf<T>;
    const Scratch::Frame frame(scratch);
    const Index m = a.rows, n = a.columns;
    const bool vectors = u.rows > 0;
    if (n > 0 && (2 * m > 3 * n || (m > n && lies_across<T>(n)))) {
        const ReflectorPanels<T> q(m, n, kAppliedPanel, 0, scratch);
        factor(a, q, scratch);
        const Matrix<T> r = take_matrix<T>(n, n, scratch);
        set_zero(r);
        for (Index j = 0; j < n; ++j) std::copy_n(a.column(j), j + 1, r.column(j));
        const Matrix<T> inner = vectors ? take_matrix<T>(n, n, scratch) : Matrix<T>{};
        if (!triangle_across(r, inner, s, v, scratch) && !tall_svd(r, inner, s, v, scratch)) return false;
        if (!vectors) return true;
        set_identity(u);
        copy(inner, u.block(0, 0, n, n));
        q.apply_to(u, false, scratch);
        return true;
    }
    R* const above = scratch.take<R>(n);
    const ReflectorPanels<T> q(m, n, kAppliedPanel, 0, scratch),
        p(n, std::max<Index>(n - 1, 0), kAppliedPanel, 1, scratch);
    make_bidiagonal(a, s, above, q, p, vectors, scratch);
    if (!vectors) {
        if (!bidiagonal_values(n, s, above, scratch)) return false;
        std::reverse(s, s + n);
        return true;
    }
    const Matrix<R> left = take_matrix<R>(n, n, scratch), right = take_matrix<R>(n, n, scratch);
    if (!divide_bidiagonal(n, Index{0}, s, above, left, right, scratch)) return false;
    std::reverse(s, s + n);
    turn_around(left, u);
    turn_around(right, v);
    q.apply_to(u, false, scratch);
    p.apply_to(v, false, scratch);
    return true;
}

}  // namespace

template <class T>
bool BuiltinKernels<T>::svd(Index m, Index n, bool full, T* a, T* u, R* s, T* vh, Scratch& scratch) const {
    const Scratch::Frame frame(scratch);
    const Index rows = std::max(m, n), k = std::min(m, n), columns = full ? rows : k;
    const bool vectors = u != nullptr;
    if ((!vectors || columns == k) && svd_across(m, n, a, u, s, vh, scratch)) return true;
    const auto view = [](Index r, Index c, T* data) { return Matrix<T>{r, c, data, std::max<Index>(r, 1)}; };
    const Matrix<T> small = vectors ? (m >= n ? take_matrix<T>(k, k, scratch) : view(k, k, u)) : Matrix<T>{};
    if (m >= n) {
        const Matrix<T> large = vectors ? view(m, columns, u) : Matrix<T>{};
        if (!tall_svd(view(m, n, a), large, s, small, scratch)) return false;
        if (vectors) set_adjoint(small, view(n, n, vh));
        return true;
    }
    // Aᴴ = X s Yᴴ, so U is Y and Vh is Xᴴ.
    const Matrix<T> turned = take_matrix<T>(n, m, scratch),
                    large = vectors ? take_matrix<T>(n, columns, scratch) : Matrix<T>{};
    set_adjoint(view(m, n, a), turned);
    if (!tall_svd(turned, large, s, small, scratch)) return false;
    if (vectors) set_adjoint(large, view(columns, n, vh));
    return true;
}

#define TENFERRO_INSTANCE(T) \
    template bool BuiltinKernels<T>::svd(Index, Index, bool, T*, T*, RealOf<T>*, T*, Scratch&) const;
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
