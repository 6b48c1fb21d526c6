// The QR algorithm with two shifts at a time (Golub and Van Loan, 7.5). A bulge is chased through windows on
// the diagonal, and what happens in a window is done to the rest of the rows and columns at once.
#include "linalg/builtin/schur.hpp"

#include <new>

#include "linalg/builtin/schur_blocks.hpp"
#include "linalg/builtin/vectors.hpp"
#include "linalg/floating_types.hpp"
#include "tenferro/base/cancellation.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Reflections of a window.
constexpr Index kWindow = 16;
/// Columns that are turned into rows at a time.
constexpr Index kTurned = 32;
/// Sweeps without a result after which shifts are others; twice as many, and what is beside a block of
/// rounding errors only has to be small beside the matrix.
constexpr int kPatience = 10;

/// What takes off the elements below the first of three: (I - conj(tau) v vᴴ) x = (value, 0, 0) for
/// v = (1, v_1, v_2).
template <class T>
struct Reflection {
    using R = RealOf<T>;
    T v_1, v_2, tau;
    R value;

    Reflection(T x_0, T x_1, T x_2) noexcept {
        constexpr R kLeast = std::numeric_limits<R>::min() / kEps<T> / kEps<T>;
        constexpr int kUp = std::numeric_limits<R>::max_exponent / 2;
        R below = squared(x_1) + squared(x_2), whole = squared(x_0) + below;
        const bool tiny = whole < kLeast;
        if (tiny) {
            x_0 = times_power_of_two(x_0, kUp);
            x_1 = times_power_of_two(x_1, kUp);
            x_2 = times_power_of_two(x_2, kUp);
            below = squared(x_1) + squared(x_2);
            whole = squared(x_0) + below;
        }
        if ((x_1 == T(0) && x_2 == T(0) && std::imag(x_0) == 0) ||
            whole < std::numeric_limits<R>::min() / kEps<T>) {
            v_1 = v_2 = tau = T(0);
            value = real_part(x_0);
        } else {
            value = -std::copysign(std::sqrt(whole), real_part(x_0));
            tau = (value - x_0) / value;
            const T factor = T(1) / (x_0 - value);
            v_1 = x_1 * factor;
            v_2 = x_2 * factor;
        }
        if (tiny) value = std::scalbn(value, -kUp);
    }
    /// For rows, which it is applied to from the right, and for columns, from the left as its adjoint.
    [[nodiscard]] TripleReflection<T> of_rows() const noexcept {
        return {v_1, v_2, tau, tau * conjugate(v_1), tau * conjugate(v_2)};
    }
    [[nodiscard]] TripleReflection<T> of_columns() const noexcept {
        const T by = conjugate(tau);
        return {conjugate(v_1), conjugate(v_2), by, by * v_1, by * v_2};
    }
};

template <class T>
class SchurIteration {
    using R = RealOf<T>;
    using C = ComplexOf<T>;

public:
    SchurIteration(const Matrix<T>& h, Index first, R size, const Matrix<T>& z, C* w)
        : h_(h), first_(first), size_(size), z_(z), w_(w), whole_(z.columns > 0) {}

    [[nodiscard]] bool run(Index last) {
        constexpr int kMost = 30;
        const R tiny = std::numeric_limits<R>::min() * (static_cast<R>(h_.rows) / kEps<T>);
        int left = kMost * static_cast<int>(std::max<Index>(10, last - first_));
        for (int tries = 0; last > first_;) {
            const Index begin = top_of_block(last - 1, tries > 2 * kPatience ? kEps<T> * size_ : tiny);
            if (last - begin <= 2) {
                settle(begin, last - begin);
                last = begin;
                tries = 0;
                continue;
            }
            if (left-- == 0) return false;
            CancellationScope::check_current();
            begin_ = begin;
            end_ = last;
            sweep(shifts(++tries));
        }
        return true;
    }

private:
    /// The first row of the block that row `last` belongs to: what is beside it is nothing (Ahues and
    /// Tisseur, LAPACK Working Note 122) and becomes 0. It is nothing too where it is not above `tiny`.
    [[nodiscard]] Index top_of_block(Index last, R tiny) const noexcept {
        for (Index k = last; k > first_; --k) {
            T& beside = h_(k, k - 1);
            const R size = sum_of_moduli(beside);
            bool nothing = size <= tiny;
            if (!nothing) {
                R near = sum_of_moduli(h_(k - 1, k - 1)) + sum_of_moduli(h_(k, k));
                if (near == 0) {
                    if (k - 2 >= first_) near += sum_of_moduli(h_(k - 1, k - 2));
                    if (k + 1 < h_.rows) near += sum_of_moduli(h_(k + 1, k));
                }
                if (size <= kEps<T> * near) {
                    const R above = sum_of_moduli(h_(k - 1, k)),
                            gap = sum_of_moduli(h_(k - 1, k - 1) - h_(k, k)),
                            corner = sum_of_moduli(h_(k, k));
                    const R most = std::max(size, above), least = std::min(size, above);
                    const R far = std::max(corner, gap), close = std::min(corner, gap), sum = far + most;
                    nothing = least * (most / sum) <= std::max(tiny, kEps<T> * (close * (far / sum)));
                }
            }
            if (!nothing) continue;
            beside = T(0);
            return k;
        }
        return first_;
    }

    /// Two shifts; where the usual ones have led nowhere for long, others.
    [[nodiscard]] PairOfValues<T> shifts(int tries) const noexcept {
        constexpr R kDiagonal = R(0.75), kAbove = R(-0.4375);
        const Index at = end_ - 1;
        if (tries % kPatience == 0) {
            const bool at_top = tries / kPatience % 2 == 1;
            const Index i = at_top ? begin_ + 2 : at;
            const R size = sum_of_moduli(h_(i, i - 1)) + sum_of_moduli(h_(i - 1, i - 2));
            const T diagonal = h_(at_top ? begin_ : at, at_top ? begin_ : at) + kDiagonal * size;
            return {diagonal, kAbove * size, T(size), diagonal};
        }
        PairOfValues<T> found(h_(at - 1, at - 1), h_(at - 1, at), h_(at, at - 1), h_(at, at));
        if (!is_complex<T> && found.is_real()) found.first = found.second;
        return found;
    }

    /// The first column of (H - s_1)(H - s_2) for H from row i on, but for its length.
    struct Start {
        T x_0, x_1, x_2;
    };
    [[nodiscard]] Start start_at(Index i, const PairOfValues<T>& shift) const noexcept {
        const T a = h_(i, i), c = h_(i + 1, i), d = h_(i + 1, i + 1);
        const R size = sum_of_moduli(a - shift.second) + sum_of_moduli(c);
        if (size == 0) return {T(0), T(0), T(0)};
        const T scaled = c / size;
        return {scaled * h_(i, i + 1) + shift.product_less(a, size), scaled * (a + d - shift.sum()),
                scaled * h_(i + 2, i + 1)};
    }
    /// The last row at which a bulge may begin: what it makes beside the diagonal there is nothing.
    [[nodiscard]] Index first_row(const PairOfValues<T>& shift) const noexcept {
        for (Index i = end_ - 3; i > begin_; --i) {
            const Start start = start_at(i, shift);
            const R made =
                        sum_of_moduli(h_(i, i - 1)) * (sum_of_moduli(start.x_1) + sum_of_moduli(start.x_2)),
                    near = sum_of_moduli(h_(i - 1, i - 1)) + sum_of_moduli(h_(i, i)) +
                           sum_of_moduli(h_(i + 1, i + 1));
            if (made <= kEps<T> * sum_of_moduli(start.x_0) * near) return i;
        }
        return begin_;
    }

    void sweep(const PairOfValues<T>& shift) {
        const Index first = first_row(shift);
        const Start start = start_at(first, shift);
        for (Index from = first; from + 1 < end_; from += kWindow) {
            const Index to = std::min(from + kWindow, end_ - 1), behind = std::min(to + 2, end_);
            for (Index k = from; k < to; ++k) {
                const bool ends = k + 2 == end_;
                const Reflection<T> reflection =
                    k == first ? Reflection<T>(start.x_0, start.x_1, start.x_2) : next_reflection(k);
                if (k == first && k > begin_) h_(k, k - 1) -= conjugate(reflection.tau) * h_(k, k - 1);
                set(k - from, reflection);
                apply_inside(k, from, behind, std::min(k + 4, end_), ends);
            }
            apply_outside(from, to - from, to + 1 == end_);
        }
    }
    /// That which takes off column k - 1 what is below its second diagonal; it is taken off.
    [[nodiscard]] Reflection<T> next_reflection(Index k) const noexcept {
        T* const x = &h_(k, k - 1);
        const bool ends = k + 2 == end_;
        const Reflection<T> found(x[0], x[1], ends ? T(0) : x[2]);
        x[0] = found.value;
        x[1] = T(0);
        if (!ends) x[2] = T(0);
        return found;
    }
    void set(Index at, const Reflection<T>& reflection) noexcept {
        of_rows_[at] = reflection.of_rows();
        of_columns_[at] = reflection.of_columns();
    }

    /// Reflection k, of two rows with `ends`, to the columns up to `right` and, from `from` on, the rows up
    /// to `bottom`.
    void apply_inside(Index k, Index from, Index right, Index bottom, bool ends) noexcept {
        const TripleReflection<T>&by_rows = of_rows_[k - from], &by_columns = of_columns_[k - from];
        T *const first = &h_(from, k), *const second = first + h_.step;
        if (ends) {
            for (Index j = k; j < right; ++j) {
                T* const x = &h_(k, j);
                const T sum = x[0] + by_columns.dot_1 * x[1];
                x[0] -= sum * by_columns.to_0;
                x[1] -= sum * by_columns.to_1;
            }
            for (Index i = 0; i < bottom - from; ++i) {
                const T sum = first[i] + by_rows.dot_1 * second[i];
                first[i] -= sum * by_rows.to_0;
                second[i] -= sum * by_rows.to_1;
            }
            return;
        }
        for (Index j = k; j < right; ++j) {
            T* const x = &h_(k, j);
            const T sum = x[0] + by_columns.dot_1 * x[1] + by_columns.dot_2 * x[2];
            x[0] -= sum * by_columns.to_0;
            x[1] -= sum * by_columns.to_1;
            x[2] -= sum * by_columns.to_2;
        }
        T* const third = second + h_.step;
        for (Index i = 0; i < bottom - from; ++i) {
            const T sum = first[i] + by_rows.dot_1 * second[i] + by_rows.dot_2 * third[i];
            first[i] -= sum * by_rows.to_0;
            second[i] -= sum * by_rows.to_1;
            third[i] -= sum * by_rows.to_2;
        }
    }
    /// `count` reflections from row `from` on, the last of two rows with `ends`, to the rows above and the
    /// columns behind theirs, and to Z.
    void apply_outside(Index from, Index count, bool ends) noexcept {
        const auto& kernels = vector_kernels<T>();
        const Index rows = count + (ends ? 1 : 2), top = whole_ ? 0 : begin_, behind = from + rows,
                    columns = (whole_ ? h_.columns : end_) - behind;
        if (from > top) kernels.reflect(from - top, count, of_rows_, ends, &h_(top, from), h_.step);
        if (whole_) kernels.reflect(z_.rows, count, of_rows_, ends, z_.column(from), z_.step);
        if (columns > 0) reflect_columns(h_.block(from, behind, rows, columns), count, ends);
    }
    /// The columns of `a`, a few at a time as rows of a copy.
    void reflect_columns(const Matrix<T>& a, Index count, bool ends) noexcept {
        for (Index at = 0; at < a.columns; at += kTurned) {
            const Index width = std::min(kTurned, a.columns - at);
            for (Index j = 0; j < width; ++j)
                for (Index i = 0; i < a.rows; ++i) turned_[i * kTurned + j] = a(i, at + j);
            vector_kernels<T>().reflect(width, count, of_columns_, ends, turned_, kTurned);
            for (Index j = 0; j < width; ++j)
                for (Index i = 0; i < a.rows; ++i) a(i, at + j) = turned_[i * kTurned + j];
        }
    }

    /// A block of one or two rows becomes what it is in T.
    void settle(Index at, Index rows) noexcept {
        if (rows == 1) {
            w_[at] = h_(at, at);
            return;
        }
        T &a = h_(at, at), &b = h_(at, at + 1), &c = h_(at + 1, at), &d = h_(at + 1, at + 1);
        const SchurBlock<T> block(a, b, c, d);
        if (block.y != T(0)) {
            set(0, Reflection<T>(block.x, block.y, T(0)));
            apply_inside(at, at, at + 2, at + 2, true);
            if (whole_) apply_outside(at, 1, true);
        }
        block.store(a, b, c, d, w_ + at);
    }

    const Matrix<T>& h_;
    Index first_, begin_ = 0, end_ = 0;
    R size_;
    const Matrix<T>& z_;
    C* w_;
    bool whole_;
    TripleReflection<T> of_rows_[kWindow], of_columns_[kWindow];
    alignas(64) T turned_[(kWindow + 2) * kTurned];
};

}  // namespace

template <class T>
bool make_schur(const Matrix<T>& h, Index first, Index last, RealOf<T> size, const Matrix<T>& z,
                ComplexOf<T>* w, Scratch& scratch) {
    for (Index i = 0; i < h.rows; ++i)
        if (i < first || i >= last) w[i] = h(i, i);
    const Scratch::Frame frame(scratch);
    auto* const iteration = new (scratch.take<SchurIteration<T>>(1)) SchurIteration<T>(h, first, size, z, w);
    return iteration->run(last);
}

#define TENFERRO_INSTANCE(T)                                                                             \
    template bool make_schur(const Matrix<T>&, Index, Index, RealOf<T>, const Matrix<T>&, ComplexOf<T>*, \
                             Scratch&);
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
