// Bidiagonalisation in panels (Dongarra, Sorensen and Hammarling, J. Comput. Appl. Math. 27, 1989), in which
// the products with the matrix and its adjoint that a pair of reflections needs are made in one pass over it
// (Howell, Demmel, Fulton, Hammarling and Marmol, ACM Trans. Math. Softw. 34, 2008).
#include "linalg/builtin/bidiagonal.hpp"

#include "linalg/builtin/reflection.hpp"
#include "linalg/floating_types.hpp"
#include "tenferro/base/cancellation.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Columns of which one task sums the products; fixed, so that sums are.
constexpr Index kTaskColumns = 128;
/// Columns that stay in the first cache between their two products.
constexpr Index kPassColumns = 8;
/// Elements from which on threads share a pass.
constexpr Index kSharedPass = 256 * 256;

/// A panel of the reduction. What is left of the matrix is A - V Yᴴ - X Uᴴ, where V and U have the
/// reflections of the panel.
template <class T>
class Panel {
    using R = RealOf<T>;

public:
    Panel(const Matrix<T>& a, Index at, const ReflectorPanels<T>& q, const ReflectorPanels<T>& p,
          T* left_taus, T* right_taus, Scratch& scratch)
        : at_(at),
          a_(a.below(at, at)),
          width_(std::min(kReductionPanel, a_.columns)),
          right_width_(std::min(width_, a_.columns - 1)),
          q_(q),
          p_(p),
          v_(q.vectors().block(at, at, a_.rows, width_)),
          u_(p.vectors().block(at + 1, at, a_.columns - 1, right_width_)),
          scratch_(scratch),
          x_(take_matrix<T>(a_.rows, width_, scratch)),
          y_(take_matrix<T>(a_.columns, width_, scratch)),
          dots_(scratch.take<T>(width_)),
          other_dots_(scratch.take<T>(width_)),
          base_(scratch.take<T>(a_.columns)),
          off_(scratch.take<T>(a_.columns)),
          left_taus_(left_taus + at),
          right_taus_(right_taus + at) {}

    void reduce(R* diagonal, R* above) {
        for (Index j = 0; j < width_; ++j) {
            reflect_column(j, diagonal[j]);
            if (j < right_width_) reflect_row(j, above[j]);
        }
        update();
    }

private:
    // Rows of V and X begin with those of a_; so do those of Y, and those of U one later.
    void reflect_column(Index j, R& value) {
        T* const column = a_.column(j) + j;
        const Index length = a_.rows - j;
        for (Index i = 0; i < j; ++i) dots_[i] = -conjugate(y_(j, i));
        kernels_.combine(length, j, &v_(j, 0), v_.step, dots_, column);
        if (j > 0) {
            for (Index i = 0; i < j; ++i) dots_[i] = -conjugate(u_(j - 1, i));
            kernels_.combine(length, j, &x_(j, 0), x_.step, dots_, column);
        }
        T* const v = q_.start(at_ + j);
        std::copy_n(column, length, v);
        left_taus_[j] = make_reflection(length, v, value);
    }

    /// Y's column, the reflection of row j that follows from it, and X's column.
    void reflect_row(Index j, R& value) {
        const Index rows = a_.rows - j, columns = a_.columns - j - 1;
        const T* const v = v_.column(j) + j;
        T *const y = y_.column(j) + j + 1, *const u = p_.start(at_ + j), *const x = x_.column(j) + j + 1;
        // What Y and U take off the products of v, and the row without what v takes off it.
        kernels_.project(rows, j, &v_(j, 0), v_.step, v, dots_);
        kernels_.project(rows, j, &x_(j, 0), x_.step, v, other_dots_);
        std::fill_n(off_, columns, T(0));
        kernels_.combine(columns, j, &y_(j + 1, 0), y_.step, dots_, off_);
        kernels_.combine(columns, j, &u_(j, 0), u_.step, other_dots_, off_);
        for (Index i = 0; i < columns; ++i) base_[i] = conjugate(a_(j, j + 1 + i));
        for (Index i = 0; i < j; ++i) {
            dots_[i] = -conjugate(v_(j, i));
            other_dots_[i] = -conjugate(x_(j, i));
        }
        kernels_.combine(columns, j, &y_(j + 1, 0), y_.step, dots_, base_);
        kernels_.combine(columns, j, &u_(j, 0), u_.step, other_dots_, base_);
        multiply_both(j, y, u, x);

        const T first = u[0];
        T& tau = right_taus_[j];
        tau = make_reflection(columns, u, value);
        // x was A w, of which u is a multiple but for its first element.
        const T factor = tau == T(0) ? T(0) : T(1) / (first - value), rest = T(1) - factor * first;
        for (Index i = 0; i < rows - 1; ++i) x[i] *= factor;
        kernels_.combine(rows - 1, 1, &a_(j + 1, j + 1), a_.step, &rest, x);
        kernels_.project(columns, j + 1, &y_(j + 1, 0), y_.step, u, dots_);
        for (Index i = 0; i <= j; ++i) dots_[i] = -dots_[i];
        kernels_.combine(rows - 1, j + 1, &v_(j + 1, 0), v_.step, dots_, x);
        kernels_.project(columns, j, &u_(j, 0), u_.step, u, dots_);
        for (Index i = 0; i < j; ++i) dots_[i] = -dots_[i];
        kernels_.combine(rows - 1, j, &x_(j + 1, 0), x_.step, dots_, x);
        for (Index i = 0; i < rows - 1; ++i) x[i] *= tau;
    }

    /// y = tau (Aᴴ v - off), w = base - y and x = A w, for the rows below row j and the columns behind it.
    void multiply_both(Index j, T* y, T* w, T* x) {
        const Scratch::Frame frame(scratch_);
        const Index rows = a_.rows - j, columns = a_.columns - j - 1;
        const Index parts = rows * columns < kSharedPass ? 1 : (columns + kTaskColumns - 1) / kTaskColumns;
        T* const sums = scratch_.take<T>(parts * rows);
        const T* const v = v_.column(j) + j;
        const T tau = left_taus_[j];
        scratch_.for_each(parts, [&](Index part) {
            T* const sum = sums + part * rows;
            std::fill_n(sum, rows, T(0));
            const Index end = (part + 1) * columns / parts;
            for (Index c = part * columns / parts; c < end; c += kPassColumns) {
                const Index count = std::min(kPassColumns, end - c);
                const T* const block = &a_(j, j + 1 + c);
                kernels_.project(rows, count, block, a_.step, v, y + c);
                for (Index i = c; i < c + count; ++i) {
                    y[i] = tau * (y[i] - off_[i]);
                    w[i] = base_[i] - y[i];
                }
                kernels_.combine(rows - 1, count, block + 1, a_.step, w + c, sum);
            }
        });
        std::copy_n(sums, rows - 1, x);
        for (Index part = 1; part < parts; ++part)
            for (Index i = 0; i < rows - 1; ++i) x[i] += sums[part * rows + i];
    }

    /// What follows the panel: A - V Yᴴ - X Uᴴ.
    void update() {
        const Index rows = a_.rows - width_, columns = a_.columns - width_;
        if (columns == 0) return;
        const Matrix<T> first = take_matrix<T>(rows, 2 * width_, scratch_),
                        second = take_matrix<T>(columns, 2 * width_, scratch_);
        copy(v_.below(width_, 0), first.block(0, 0, rows, width_));
        copy(x_.below(width_, 0), first.below(0, width_));
        copy(y_.below(width_, 0), second.block(0, 0, columns, width_));
        copy(u_.below(width_ - 1, 0), second.below(0, width_));
        multiply(Sum::Subtract, plain(first), adjoint(second), a_.below(width_, width_), scratch_);
    }

    const VectorKernels<T>& kernels_ = vector_kernels<T>();
    Index at_;
    Matrix<T> a_;
    Index width_, right_width_;
    const ReflectorPanels<T>&q_, &p_;
    Matrix<T> v_, u_;
    Scratch& scratch_;
    Matrix<T> x_, y_;
    T *dots_, *other_dots_, *base_, *off_, *left_taus_, *right_taus_;
};

}  // namespace

template <class T>
void make_bidiagonal(const Matrix<T>& a, RealOf<T>* diagonal, RealOf<T>* above, const ReflectorPanels<T>& q,
                     const ReflectorPanels<T>& p, bool applied, Scratch& scratch) {
    const Scratch::Frame frame(scratch);
    T *const left_taus = scratch.take<T>(a.columns), *const right_taus = scratch.take<T>(a.columns);
    for (Index at = 0; at < a.columns; at += kReductionPanel) {
        CancellationScope::check_current();
        const Scratch::Frame inner(scratch);
        Panel<T>(a, at, q, p, left_taus, right_taus, scratch).reduce(diagonal + at, above + at);
    }
    if (!applied) return;
    q.make_factors(left_taus, scratch);
    p.make_factors(right_taus, scratch);
}

#define TENFERRO_INSTANCE(T)                                                                           \
    template void make_bidiagonal(const Matrix<T>&, RealOf<T>*, RealOf<T>*, const ReflectorPanels<T>&, \
                                  const ReflectorPanels<T>&, bool, Scratch&);
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
