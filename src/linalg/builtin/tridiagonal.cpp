// Tridiagonalisation in panels: the vectors of a panel need one product with the matrix each, and its update
// is a matrix product (Dongarra, Sorensen and Hammarling, J. Comput. Appl. Math. 27, 1989).
#include "linalg/builtin/tridiagonal.hpp"

#include "linalg/builtin/reflection.hpp"
#include "linalg/floating_types.hpp"
#include "tenferro/base/cancellation.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Columns of a product with the lower triangle that one task sums; fixed, so that sums are.
constexpr Index kProductColumns = 128;
/// Rows of a triangle from which on threads share the product with it.
constexpr Index kSharedRows = 256;

/// y = A x for Hermitian A.
template <class T>
void multiply_hermitian(const Matrix<T>& a, const T* x, T* y, Scratch& scratch) {
    const auto& kernels = vector_kernels<T>();
    const Index n = a.rows;
    std::fill_n(y, n, T(0));
    if (n < kSharedRows) return kernels.combine_lower(n, n, a.data, a.step, x, y);
    const Scratch::Frame frame(scratch);
    // The parts have triangles of about one size: they end where the square root of what is left does.
    const Index parts = (n + kProductColumns - 1) / kProductColumns;
    T* const sums = scratch.take<T>(parts * n);
    const auto begin = [&](Index part) {
        const double left = 1 - static_cast<double>(part) / static_cast<double>(parts);
        return n - static_cast<Index>(std::sqrt(left) * static_cast<double>(n));
    };
    scratch.for_each(parts, [&](Index part) {
        const Index first = begin(part), last = part + 1 == parts ? n : begin(part + 1);
        T* const sum = sums + part * n;
        std::fill_n(sum + first, n - first, T(0));
        kernels.combine_lower(n - first, last - first, &a(first, first), a.step, x + first, sum + first);
    });
    for (Index part = 0; part < parts; ++part)
        for (Index i = begin(part); i < n; ++i) y[i] += sums[part * n + i];
}

/// A - V Wᴴ - W Vᴴ, of which the lower triangle is wanted.
template <class T>
void update(const Matrix<T>& a, const Matrix<T>& v, const Matrix<T>& w, Scratch& scratch) {
    constexpr Index kColumns = 128;
    const Scratch::Frame frame(scratch);
    const Index k = v.columns;
    const Matrix<T> left = take_matrix<T>(a.rows, 2 * k, scratch),
                    right = take_matrix<T>(a.rows, 2 * k, scratch);
    copy(v, left.block(0, 0, a.rows, k));
    copy(w, left.block(0, k, a.rows, k));
    copy(w, right.block(0, 0, a.rows, k));
    copy(v, right.block(0, k, a.rows, k));
    for (Index j = 0; j < a.rows; j += kColumns) {
        const Index columns = std::min(kColumns, a.rows - j), rows = a.rows - j;
        multiply(Sum::Subtract, plain(left.block(j, 0, rows, 2 * k)),
                 adjoint(right.block(j, 0, columns, 2 * k)), a.block(j, j, rows, columns), scratch);
    }
}

/// w = tau A' v, of which the part along v is halved, where A' is A less what the panel has taken of it.
template <class T>
void make_partner(const Matrix<T>& a, const Matrix<T>& v_before, const Matrix<T>& w_before, const T* v, T tau,
                  T* w, Scratch& scratch) {
    const auto& kernels = vector_kernels<T>();
    const Scratch::Frame frame(scratch);
    const Index n = a.rows, k = v_before.columns;
    T* const dots = scratch.take<T>(k);
    multiply_hermitian(a, v, w, scratch);
    const auto take_off = [&](const Matrix<T>& x, const Matrix<T>& y) {
        kernels.project(n, k, y.data, y.step, v, dots);
        for (Index i = 0; i < k; ++i) dots[i] = -dots[i];
        kernels.combine(n, k, x.data, x.step, dots, w);
    };
    take_off(v_before, w_before);
    take_off(w_before, v_before);
    for (Index i = 0; i < n; ++i) w[i] *= tau;
    T along;
    kernels.project(n, 1, v, n, w, &along);
    const T half = -real_part(conjugate(tau) * along) / 2;
    kernels.combine(n, 1, v, n, &half, w);
}

}  // namespace

template <class T>
void make_tridiagonal(const Matrix<T>& a, RealOf<T>* diagonal, RealOf<T>* beside, const ReflectorPanels<T>& q,
                      Scratch& scratch) {
    const Scratch::Frame frame(scratch);
    const auto& kernels = vector_kernels<T>();
    const Index n = a.rows;
    T *const taus = scratch.take<T>(n), *const factors = scratch.take<T>(kReductionPanel);
    const Matrix<T> all_w = take_matrix<T>(n, kReductionPanel, scratch);
    for (Index at = 0; at + 1 < n; at += kReductionPanel) {
        CancellationScope::check_current();
        const Index width = std::min(kReductionPanel, n - 1 - at);
        for (Index j = 0; j < width; ++j) {
            const Index column = at + j, length = n - column - 1;
            const Matrix<T> w = all_w.block(column, 0, length + 1, j),
                            v = q.vectors().block(column, at, length + 1, j);
            T* const x = a.column(column) + column;
            const auto take_off = [&](const Matrix<T>& of, const Matrix<T>& with) {
                for (Index i = 0; i < j; ++i) factors[i] = -conjugate(with(0, i));
                kernels.combine(length + 1, j, of.data, of.step, factors, x);
            };
            take_off(v, w);
            take_off(w, v);
            diagonal[column] = real_part(x[0]);
            T* const reflection = q.start(column);
            std::copy_n(x + 1, length, reflection);
            taus[column] = make_reflection(length, reflection, beside[column]);
            make_partner(a.below(column + 1, column + 1), v.below(1, 0), w.below(1, 0), reflection,
                         taus[column], all_w.column(j) + column + 1, scratch);
        }
        const Index next = at + width;
        update(a.below(next, next), q.vectors().block(next, at, n - next, width),
               all_w.block(next, 0, n - next, width), scratch);
    }
    q.make_factors(taus, scratch);
    if (n > 0) diagonal[n - 1] = real_part(a(n - 1, n - 1));
}

#define TENFERRO_INSTANCE(T)                                                                            \
    template void make_tridiagonal(const Matrix<T>&, RealOf<T>*, RealOf<T>*, const ReflectorPanels<T>&, \
                                   Scratch&);
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
