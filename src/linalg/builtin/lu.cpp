// LU of kind builtin: with partial pivoting by halves of the columns (Toledo, SIAM J. Matrix Anal. Appl. 18,
// 1997), with complete pivoting a step at a time. Small real ones in vectors.
#include "linalg/builtin/builtin_kernels.hpp"
#include "linalg/builtin/triangular.hpp"
#include "linalg/builtin/vectors.hpp"
#include "linalg/floating_types.hpp"
#include "linalg/small/across.hpp"
#include "tenferro/base/cancellation.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

constexpr Index kLuLeaf = 8;

/// Exchanges row j with row others[j] for j in [first, last), in the columns of A.
template <class T>
void exchange(const Matrix<T>& a, const Index* others, Index first, Index last) noexcept {
    if (first == last) return;      // however many columns there are
    constexpr Index kTogether = 4;  // columns, whose exchanges do not wait for each other
    const auto columns = [&](T* x, Index count) {
        for (Index j = first; j < last; ++j)
            for (Index c = 0; c < count; ++c) std::swap(x[j + c * a.step], x[others[j] + c * a.step]);
    };
    Index column = 0;
    for (; column + kTogether <= a.columns; column += kTogether) columns(a.column(column), kTogether);
    for (; column < a.columns; ++column) columns(a.column(column), 1);
}

/// The order of rows that exchanges give, and its parity.
inline int order_of(Index m, const Index* others, Index count, std::int64_t* rows) noexcept {
    int parity = 1;
    for (Index i = 0; i < m; ++i) rows[i] = i;
    for (Index j = 0; j < count; ++j)
        if (others[j] != j) {
            std::swap(rows[j], rows[others[j]]);
            parity = -parity;
        }
    return parity;
}

/// Divides what is below the first element of A by it, and subtracts products from the other columns.
template <class T>
void eliminate(const Matrix<T>& a) noexcept {
    const T pivot = a(0, 0);
    if (pivot == T(0)) return;
    for (Index i = 1; i < a.rows; ++i) a(i, 0) /= pivot;
    for (Index j = 1; j < a.columns; ++j) {
        const T factor = -a(0, j);
        vector_kernels<T>().combine(a.rows - 1, 1, &a(1, 0), a.step, &factor, &a(1, j));
    }
}

/// x / pivot; many elements by its reciprocal, where that is one.
template <class T>
void divide(Index n, T pivot, T* x) noexcept {
    constexpr Index kMany = 16;
    if (n >= kMany && sum_of_moduli(pivot) >= std::numeric_limits<RealOf<T>>::min()) {
        const T factor = T(1) / pivot;
        for (Index i = 0; i < n; ++i) x[i] *= factor;
    } else {
        for (Index i = 0; i < n; ++i) x[i] /= pivot;
    }
}

/// The columns of A [first, last), at most kLuLeaf, one after the other.
template <class T>
void factor_leaf(const Matrix<T>& a, Index first, Index last, Index* others) noexcept {
    const auto& kernels = vector_kernels<T>();
    const Matrix<T> columns = a.block(0, first, a.rows, last - first);
    T factors[kLuLeaf];
    for (Index j = first; j < last; ++j) {
        T* const x = a.column(j);
        for (Index k = first; k < j; ++k) {  // what the columns before take off it
            for (Index i = first; i < k; ++i) x[k] += a(k, i) * factors[i - first];
            factors[k - first] = -x[k];
        }
        if (j > first) kernels.combine(a.rows - j, j - first, &a(j, first), a.step, factors, x + j);
        others[j] = j + kernels.pivot(a.rows - j, x + j);
        exchange(columns, others, j, j + 1);
        if (x[j] != T(0)) divide(a.rows - j - 1, x[j], x + j + 1);
    }
}

/// Columns [first, last), from the diagonal on, where those before are done; exchanges rows of these alone.
template <class T>
void factor_columns(const Matrix<T>& a, Index first, Index last, Index* others, Scratch& scratch) {
    const Index count = last - first;
    if (count <= kLuLeaf) return factor_leaf(a, first, last, others);
    const Index middle = first + count / 2, left = middle - first, right = last - middle;
    factor_columns(a, first, middle, others, scratch);
    exchange(a.block(0, middle, a.rows, right), others, first, middle);
    const Matrix<T> above = a.block(first, middle, left, right);
    solve_left(true, true, plain(a.block(first, first, left, left)), above, scratch);
    multiply(Sum::Subtract, plain(a.block(middle, first, a.rows - middle, left)), plain(above),
             a.block(middle, middle, a.rows - middle, right), scratch);
    factor_columns(a, middle, last, others, scratch);
    exchange(a.block(0, first, a.rows, left), others, middle, last);
}

}  // namespace

template <class T>
int BuiltinKernels<T>::lu(Index m, Index n, T* a, std::int64_t* rows, Scratch& scratch) const {
    if constexpr (!is_complex<T>) {
        const auto& kernels = across_kernels<T>();
        if (std::min(m, n) > 0 && std::max(m, n) <= kernels.lanes) return kernels.lu(m, n, a, rows);
    }
    const Matrix<T> matrix{m, n, a, std::max<Index>(m, 1)};
    const Index count = std::min(m, n);
    const Scratch::Frame frame(scratch);
    Index* const others = scratch.take<Index>(count);
    factor_columns(matrix, 0, count, others, scratch);
    if (n > count && count > 0) {
        exchange(matrix.below(0, count), others, 0, count);
        solve_left(true, true, plain(matrix.block(0, 0, m, m)), matrix.below(0, count), scratch);
    }
    return order_of(m, others, count, rows);
}

template <class T>
int BuiltinKernels<T>::full_piv_lu(Index m, Index n, T* a, std::int64_t* rows, std::int64_t* columns,
                                   Scratch& scratch) const {
    const Scratch::Frame frame(scratch);
    const Matrix<T> matrix{m, n, a, std::max<Index>(m, 1)};
    const Index count = std::min(m, n);
    Index* const others = scratch.take<Index>(count);
    int parity = 1;
    for (Index j = 0; j < n; ++j) columns[j] = j;
    for (Index step = 0; step < count; ++step) {
        if (step % kLuLeaf == 0) CancellationScope::check_current();
        Index column = step;
        others[step] = step;
        RealOf<T> largest = -1;
        for (Index j = step; j < n; ++j) {
            const Index i = step + vector_kernels<T>().pivot(m - step, &matrix(step, j));
            if (const RealOf<T> size = sum_of_moduli(matrix(i, j)); size > largest)
                largest = size, others[step] = i, column = j;
        }
        if (column != step) {
            std::swap_ranges(matrix.column(column), matrix.column(column) + m, matrix.column(step));
            std::swap(columns[column], columns[step]);
            parity = -parity;
        }
        exchange(matrix, others, step, step + 1);
        eliminate(matrix.below(step, step));
    }
    return parity * order_of(m, others, count, rows);
}

#define TENFERRO_INSTANCE(T)                                                                              \
    template int BuiltinKernels<T>::lu(Index, Index, T*, std::int64_t*, Scratch&) const;                  \
    template int BuiltinKernels<T>::full_piv_lu(Index, Index, T*, std::int64_t*, std::int64_t*, Scratch&) \
        const;
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
