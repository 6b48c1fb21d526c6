// The reduction to Hessenberg form in panels, whose vectors need one product with the matrix each, and whose
// update is made of matrix products (Quintana-Ortí and van de Geijn, ACM Trans. Math. Softw. 32, 2006).
#include "linalg/builtin/hessenberg.hpp"

#include "linalg/builtin/reflection.hpp"
#include "linalg/floating_types.hpp"
#include "tenferro/base/cancellation.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Rows of a product with a vector that one task computes, and elements from which on threads share it.
constexpr Index kTaskRows = 128, kSharedElements = 256 * 256;

/// y += A x.
template <class T>
void combine_shared(const Matrix<T>& a, const T* x, T* y, Scratch& scratch) {
    const Index parts = a.rows * a.columns < kSharedElements ? 1 : (a.rows + kTaskRows - 1) / kTaskRows;
    scratch.for_each(parts, [&](Index part) {
        const Index begin = part * a.rows / parts, end = (part + 1) * a.rows / parts;
        vector_kernels<T>().combine(end - begin, a.columns, a.data + begin, a.step, x, y + begin);
    });
}

/// C becomes C Q.
template <class T>
void apply_right(const Reflectors<T>& q, const Matrix<T>& c, Scratch& scratch) {
    const Scratch::Frame frame(scratch);
    const Matrix<T> products = take_matrix<T>(c.rows, q.v.columns, scratch),
                    turned = take_matrix<T>(c.rows, q.v.columns, scratch);
    multiply(Sum::Replace, plain(c), plain(q.v), products, scratch);
    multiply(Sum::Replace, plain(products), plain(q.t), turned, scratch);
    multiply(Sum::Subtract, plain(turned), adjoint(q.v), c, scratch);
}

/// The reflections of the first columns of `a`, whose first row is the one below their diagonal: V, T and
/// Y = A V T, with A behind its first column. Those columns become what they are in H.
template <class T>
void reduce_panel(const Matrix<T>& a, const Reflectors<T>& q, const Matrix<T>& y, Scratch& scratch) {
    const Scratch::Frame frame(scratch);
    const auto& kernels = vector_kernels<T>();
    const Index rows = a.rows, width = q.v.columns;
    T *const dots = scratch.take<T>(width), *const turned = scratch.take<T>(width);
    set_zero(q.v);
    set_zero(q.t);
    set_zero(y);
    for (Index j = 0; j < width; ++j) {
        T* const column = a.column(j);
        if (j > 0) {
            for (Index i = 0; i < j; ++i) dots[i] = -conjugate(q.v(j - 1, i));
            kernels.combine(rows, j, y.data, y.step, dots, column);
            kernels.project(rows, j, q.v.data, q.v.step, column, dots);
            kernels.project(j, j, q.t.data, q.t.step, dots, turned);
            for (Index i = 0; i < j; ++i) turned[i] = -turned[i];
            kernels.combine(rows, j, q.v.data, q.v.step, turned, column);
        }
        const Index length = rows - j;
        T* const v = q.v.column(j) + j;
        std::copy_n(column + j, length, v);
        RealOf<T> value;
        const T tau = make_reflection(length, v, value);
        column[j] = value;
        std::fill_n(column + j + 1, length - 1, T(0));
        q.t(j, j) = tau;
        if (tau == T(0)) continue;
        // Y's column is tau A v less what those before take of it; so is T's.
        T* const to = y.column(j);
        combine_shared(a.block(0, j + 1, rows, length), v, to, scratch);
        kernels.project(length, j, &q.v(j, 0), q.v.step, v, dots);
        for (Index i = 0; i < j; ++i) dots[i] = -dots[i];
        kernels.combine(rows, j, y.data, y.step, dots, to);
        for (Index i = 0; i < rows; ++i) to[i] *= tau;
        for (Index i = 0; i < j; ++i) dots[i] *= tau;
        kernels.combine(j, j, q.t.data, q.t.step, dots, q.t.column(j));
    }
}

}  // namespace

template <class T>
void make_hessenberg(const Matrix<T>& a, Index first, Index last, const ReflectorPanels<T>& q,
                     Scratch& scratch) {
    const Scratch::Frame frame(scratch);
    const Matrix<T> all_y = take_matrix<T>(std::max<Index>(last - first, 0), kHessenbergPanel, scratch);
    for (Index p = 0; p < q.panels(); ++p) {
        CancellationScope::check_current();
        const Reflectors<T> panel = q[p];
        const Index at = first + q.first(p), width = panel.v.columns, rows = last - at - 1;
        const Matrix<T> y = all_y.block(0, 0, rows, width);
        reduce_panel(a.block(at + 1, at, rows, last - at), panel, y, scratch);
        const Index next = at + width;
        multiply(Sum::Subtract, plain(y), adjoint(panel.v.below(width - 1, 0)),
                 a.block(at + 1, next, rows, last - next), scratch);
        apply(panel, true, a.block(at + 1, next, rows, a.columns - next), scratch);
        apply_right(panel, a.block(0, at + 1, at + 1, rows), scratch);
    }
}

#define TENFERRO_INSTANCE(T) \
    template void make_hessenberg(const Matrix<T>&, Index, Index, const ReflectorPanels<T>&, Scratch&);
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
