// The permutation by counts of what is not zero, and the scaling by the lengths of rows and columns.
#include "linalg/builtin/balance.hpp"

#include "linalg/builtin/vectors.hpp"
#include "linalg/floating_types.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Finds rows without elements beside the diagonal among the rows and columns that are left, which go to the
/// end, and columns without, which go to the beginning.
template <class T>
class Permutation {
public:
    Permutation(const Matrix<T>& a, Scratch& scratch)
        : a_(a),
          n_(a.rows),
          last_(n_),
          order_(scratch.take<Index>(n_)),
          in_rows_(scratch.take<Index>(n_)),
          in_columns_(scratch.take<Index>(n_)),
          is_left_(scratch.take<bool>(n_)) {
        std::fill_n(is_left_, n_, true);
        std::fill_n(in_rows_, n_, Index{0});
        for (Index j = 0; j < n_; ++j) {
            const T* const column = a.column(j);
            Index count = 0;
            for (Index i = 0; i < n_; ++i) {
                const Index here = column[i] != T(0) && i != j ? 1 : 0;
                in_rows_[i] += here;
                count += here;
            }
            in_columns_[j] = count;
        }
    }

    void find() {
        for (Index found = 1; found > 0;) {
            found = 0;
            for (Index i = n_ - 1; i >= 0; --i) {
                if (!is_left_[i] || (in_rows_[i] > 0 && in_columns_[i] > 0)) continue;
                order_[in_rows_[i] == 0 ? --last_ : first_++] = i;
                take_out(i);
                ++found;
            }
        }
        Index at = first_;
        for (Index i = 0; i < n_; ++i)
            if (is_left_[i]) order_[at++] = i;
    }
    [[nodiscard]] Index first() const noexcept { return first_; }
    [[nodiscard]] Index last() const noexcept { return last_; }
    [[nodiscard]] const Index* order() const noexcept { return order_; }

private:
    void take_out(Index index) {
        is_left_[index] = false;
        for (Index i = 0; i < n_; ++i) {
            if (a_(i, index) != T(0)) --in_rows_[i];
            if (a_(index, i) != T(0)) --in_columns_[i];
        }
    }

    const Matrix<T>& a_;
    Index n_, first_ = 0, last_;
    Index *order_, *in_rows_, *in_columns_;
    bool* is_left_;
};

/// The lengths of row and column i within `a`, with the diagonal: what scaling cannot change counts too, so
/// rounding errors are not scaled up to the size of the matrix.
struct Lengths {
    double row, column;

    /// The exponent of the power of two that makes them nearest, 0 where that gains less than 5 %.
    [[nodiscard]] int exponent() const noexcept {
        constexpr double kLeast = std::numeric_limits<double>::min();
        if (!(row > kLeast && column > kLeast)) return 0;
        const int by = static_cast<int>(std::lround(std::log2(row / column) / 2));
        return std::ldexp(column, by) + std::ldexp(row, -by) < 0.95 * (row + column) ? by : 0;
    }
};
template <class T>
[[nodiscard]] double squared_in_double(T x) noexcept {
    return squared(static_cast<std::conditional_t<is_complex<T>, std::complex<double>, double>>(x));
}
template <class T>
[[nodiscard]] Lengths lengths(const Matrix<T>& a, Index at) noexcept {
    double row = 0, column = 0;
    for (Index i = 0; i < a.rows; ++i) {
        row += squared_in_double(a(at, i));
        column += squared_in_double(a(i, at));
    }
    return {std::sqrt(row), std::sqrt(column)};
}
/// Whether every row is as long as its column, which it is for most matrices.
template <class T>
[[nodiscard]] bool is_balanced(const Matrix<T>& a, Scratch& scratch) {
    const Scratch::Frame frame(scratch);
    const Index n = a.rows;
    double *const rows = scratch.take<double>(n), *const columns = scratch.take<double>(n);
    std::fill_n(rows, n, 0.0);
    for (Index j = 0; j < n; ++j) {
        double sum = 0;
        for (Index i = 0; i < n; ++i) {
            const double square = squared_in_double(a(i, j));
            rows[i] += square;
            sum += square;
        }
        columns[j] = sum;
    }
    for (Index i = 0; i < n; ++i) {
        const double row = rows[i], column = columns[i];
        // Without a root: by less than a factor of 2 nothing is gained.
        if (row < 4 * column && column < 4 * row) continue;
        if (Lengths{std::sqrt(row), std::sqrt(column)}.exponent() != 0) return false;
    }
    return true;
}

template <class T>
void make_balanced(const Matrix<T>& a, Index first, Index last, RealOf<T>* scale) {
    constexpr int kMostPasses = 100, kMostExponent = std::numeric_limits<RealOf<T>>::max_exponent / 8;
    const Matrix<T> inner = a.block(first, first, last - first, last - first);
    bool changed = true;
    for (int pass = 0; changed && pass < kMostPasses; ++pass) {
        changed = false;
        for (Index i = first; i < last; ++i) {
            const int at = std::ilogb(scale[i]), by = std::clamp(lengths(inner, i - first).exponent(),
                                                                 -kMostExponent - at, kMostExponent - at);
            if (by == 0) continue;
            scale[i] = std::ldexp(scale[i], by);
            for (Index j = 0; j < last; ++j) a(j, i) = times_power_of_two(a(j, i), by);
            for (Index j = first; j < a.columns; ++j) a(i, j) = times_power_of_two(a(i, j), -by);
            changed = true;
        }
    }
}

}  // namespace

template <class T>
Balance<T> balance(const Matrix<T>& a, Scratch& scratch) {
    const Index n = a.rows;
    auto* const scale = scratch.take<RealOf<T>>(n);
    std::fill_n(scale, n, RealOf<T>(1));
    Permutation<T> permutation(a, scratch);
    permutation.find();
    const Index first = permutation.first(), last = permutation.last();
    const Index* const order = permutation.order();
    if (last - first < n) {
        const Scratch::Frame frame(scratch);
        const Matrix<T> kept = take_matrix<T>(n, n, scratch);
        copy(a, kept);
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i) a(i, j) = kept(order[i], order[j]);
    }
    const Matrix<T> inner = a.block(first, first, last - first, last - first);
    RealOf<T> size = 0;
    const auto meet = [&](Index rows, const T* column) {
        size = std::max(size, vector_kernels<T>().largest(rows, column));
    };
    for (Index j = 0; j < n; ++j) meet(j < first || j >= last ? j + 1 : first, a.column(j));
    if (!is_balanced(inner, scratch)) make_balanced(a, first, last, scale);
    for (Index j = 0; j < inner.columns; ++j) meet(inner.rows, inner.column(j));
    return {first, last, order, scale, size};
}

#define TENFERRO_INSTANCE(T) template Balance<T> balance(const Matrix<T>&, Scratch&);
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
