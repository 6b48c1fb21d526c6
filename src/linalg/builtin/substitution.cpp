// Triangular systems of kind builtin, by halves of the matrix. The inner loops run along the columns of B, so
// a matrix on the left is that of the transposed system.
#include "linalg/builtin/builtin_kernels.hpp"
#include "linalg/builtin/triangular.hpp"
#include "linalg/builtin/vectors.hpp"
#include "linalg/floating_types.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Columns up to which there are no products of matrices.
constexpr Index kSubstitutionLeaf = 16;
/// Rows of B below which loops along its columns are too short.
constexpr Index kShort = 4;

template <class T>
[[nodiscard]] Operand<T> block(const Operand<T>& a, Index i, Index j, Index m, Index n) noexcept {
    return {m, n, a.data + i * a.down + j * a.right, a.down, a.right, a.conjugated};
}
template <class T>
[[nodiscard]] Operand<T> transposed(const Operand<T>& a) noexcept {
    return {a.columns, a.rows, a.data, a.right, a.down, a.conjugated};
}
template <class T>
[[nodiscard]] T element(const Operand<T>& a, Index i, Index j) noexcept {
    const T x = a.data[i * a.down + j * a.right];
    return a.conjugated ? conjugate(x) : x;
}

template <class T>
void solve_leaf(bool lower, bool unit, const Operand<T>& m, const Matrix<T>& b) noexcept {
    const Index n = m.rows;
    T factors[kSubstitutionLeaf];
    for (Index at = 0; at < n; ++at) {
        const Index j = lower ? n - 1 - at : at, first = lower ? j + 1 : 0;
        for (Index i = 0; i < at; ++i) factors[i] = -element(m, first + i, j);
        vector_kernels<T>().combine(b.rows, at, b.column(first), b.step, factors, b.column(j));
        if (unit) continue;
        const T pivot = element(m, j, j);
        for (Index i = 0; i < b.rows; ++i) b(i, j) /= pivot;
    }
}

/// The rows and columns [first, first + count) of a system alone.
template <class T>
void substitute_block(bool lower, bool unit, const Operand<T>& m, Index first, Index count, T* b) noexcept {
    for (Index at = 0; at < count; ++at) {
        const Index i = lower ? first + at : first + count - 1 - at, known = lower ? first : i + 1;
        T x = b[i];
        for (Index j = known; j < known + at; ++j) x -= element(m, i, j) * b[j];
        b[i] = unit ? x : x / element(m, i, i);
    }
}

/// x over b for one right-hand side, a block of rows at a time: where rows of `m` are contiguous by their
/// products with what is known, else by taking columns off what is not.
template <class T>
void substitute(bool lower, bool unit, Operand<T> m, T* b) noexcept {
    constexpr Index kBlock = 8;
    const auto& kernels = vector_kernels<T>();
    const Index n = m.rows;
    // The kernels conjugate rows, and columns not.
    const bool by_rows = m.right == 1, turned = is_complex<T> && m.conjugated != by_rows;
    const auto turn = [&] {
        if (turned) std::transform(b, b + n, b, conjugate<T>);
    };
    turn();
    m.conjugated = is_complex<T> && by_rows;
    T products[kBlock];
    for (Index at = 0; at < n; at += kBlock) {
        const Index count = std::min(kBlock, n - at), first = lower ? at : n - at - count;
        const Index known = lower ? 0 : first + count, others = lower ? first + count : 0;
        if (by_rows && at > 0) {
            kernels.project(at, count, m.data + first * m.down + known, m.down, b + known, products);
            for (Index i = 0; i < count; ++i) b[first + i] -= products[i];
        }
        substitute_block(lower, unit, m, first, count, b);
        if (!by_rows && at + count < n) {
            for (Index i = 0; i < count; ++i) products[i] = -b[first + i];
            kernels.combine(n - at - count, count, m.data + others + first * m.right, m.right, products,
                            b + others);
        }
    }
    turn();
}

}  // namespace

template <class T>
void solve_right(bool lower, bool unit, const Operand<T>& m, const Matrix<T>& b, Scratch& scratch) {
    const Index n = m.rows, half = n / 2, rest = n - half;
    if (n <= kSubstitutionLeaf) return solve_leaf(lower, unit, m, b);
    const Matrix<T> left = b.block(0, 0, b.rows, half), right = b.below(0, half);
    if (lower) {
        solve_right(lower, unit, block(m, half, half, rest, rest), right, scratch);
        multiply(Sum::Subtract, plain(right), block(m, half, 0, rest, half), left, scratch);
        solve_right(lower, unit, block(m, 0, 0, half, half), left, scratch);
    } else {
        solve_right(lower, unit, block(m, 0, 0, half, half), left, scratch);
        multiply(Sum::Subtract, plain(left), block(m, 0, half, half, rest), right, scratch);
        solve_right(lower, unit, block(m, half, half, rest, rest), right, scratch);
    }
}

template <class T>
void solve_left(bool lower, bool unit, const Operand<T>& m, const Matrix<T>& b, Scratch& scratch) {
    const Index n = m.rows, half = n / 2, rest = n - half;
    if (n == 0) return;
    if (b.columns < kShort) {
        for (Index j = 0; j < b.columns; ++j) substitute(lower, unit, m, b.column(j));
        return;
    }
    if (n <= kSubstitutionLeaf) {
        const Scratch::Frame frame(scratch);
        const Matrix<T> turned = take_matrix<T>(b.columns, n, scratch);
        for (Index j = 0; j < b.columns; ++j)
            for (Index i = 0; i < n; ++i) turned(j, i) = b(i, j);
        solve_leaf(!lower, unit, transposed(m), turned);
        for (Index j = 0; j < b.columns; ++j)
            for (Index i = 0; i < n; ++i) b(i, j) = turned(j, i);
        return;
    }
    const Matrix<T> top = b.block(0, 0, half, b.columns), bottom = b.below(half, 0);
    if (lower) {
        solve_left(lower, unit, block(m, 0, 0, half, half), top, scratch);
        multiply(Sum::Subtract, block(m, half, 0, rest, half), plain(top), bottom, scratch);
        solve_left(lower, unit, block(m, half, half, rest, rest), bottom, scratch);
    } else {
        solve_left(lower, unit, block(m, half, half, rest, rest), bottom, scratch);
        multiply(Sum::Subtract, block(m, 0, half, half, rest), plain(bottom), top, scratch);
        solve_left(lower, unit, block(m, 0, 0, half, half), top, scratch);
    }
}

template <class T>
void BuiltinKernels<T>::triangular_solve(const TriangularOptions& options, Index n, Index k, const T* a, T* b,
                                         Scratch& scratch) const {
    Operand<T> m{n, n, a, 1, n, is_complex<T> && options.conjugate};
    if (options.transpose) m = transposed(m);
    const bool lower = options.lower != options.transpose, unit = options.unit_diagonal;
    if (options.left) {
        solve_left(lower, unit, m, Matrix<T>{n, k, b, n}, scratch);
    } else if (k < kShort) {
        const Scratch::Frame frame(scratch);
        T* const row = scratch.take<T>(n);
        for (Index i = 0; i < k; ++i) {
            for (Index j = 0; j < n; ++j) row[j] = b[i + j * k];
            substitute(!lower, unit, transposed(m), row);
            for (Index j = 0; j < n; ++j) b[i + j * k] = row[j];
        }
    } else {
        solve_right(lower, unit, m, Matrix<T>{k, n, b, k}, scratch);
    }
}

#define TENFERRO_INSTANCE(T)                                                                                \
    template void solve_right(bool, bool, const Operand<T>&, const Matrix<T>&, Scratch&);                   \
    template void solve_left(bool, bool, const Operand<T>&, const Matrix<T>&, Scratch&);                    \
    template void BuiltinKernels<T>::triangular_solve(const TriangularOptions&, Index, Index, const T*, T*, \
                                                      Scratch&) const;
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
