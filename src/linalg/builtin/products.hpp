// Matrix products for the algorithms of kind builtin, on the micro-kernels of the contraction engine and the
// threads that `scratch` has. What is added to an element does not depend on their number.
#pragma once

#include "linalg/scalar.hpp"
#include "linalg/scratch.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// A matrix whose columns are `step` apart.
template <class T>
struct Matrix {
    Index rows, columns;
    T* data;
    Index step;

    [[nodiscard]] T* column(Index j) const noexcept { return data + j * step; }
    [[nodiscard]] T& operator()(Index i, Index j) const noexcept { return data[i + j * step]; }
    [[nodiscard]] Matrix block(Index i, Index j, Index m, Index n) const noexcept {
        return {m, n, data + i + j * step, step};
    }
    [[nodiscard]] Matrix below(Index i, Index j) const noexcept { return block(i, j, rows - i, columns - j); }
};
template <class T>
[[nodiscard]] Matrix<T> take_matrix(Index rows, Index columns, Scratch& scratch) {
    return {rows, columns, scratch.take<T>(rows * columns), std::max<Index>(rows, 1)};
}
template <class T>
void set_zero(const Matrix<T>& a) noexcept {
    for (Index j = 0; a.rows > 0 && j < a.columns; ++j) std::fill_n(a.column(j), a.rows, T(0));
}
/// Ones on the diagonal, else zeros.
template <class T>
void set_identity(const Matrix<T>& a) noexcept {
    set_zero(a);
    for (Index j = 0; j < std::min(a.rows, a.columns); ++j) a(j, j) = T(1);
}
template <class T>
void copy(const Matrix<T>& from, const Matrix<T>& to) noexcept {
    for (Index j = 0; from.rows > 0 && j < from.columns; ++j)
        std::copy_n(from.column(j), from.rows, to.column(j));
}

/// What is multiplied: a matrix, its transpose or its adjoint; elements are `down` and `right` apart.
template <class T>
struct Operand {
    Index rows, columns;
    const T* data;
    Index down, right;
    bool conjugated = false;
};
template <class T>
[[nodiscard]] Operand<T> plain(const Matrix<T>& a) noexcept {
    return {a.rows, a.columns, a.data, 1, a.step};
}
template <class T>
[[nodiscard]] Operand<T> adjoint(const Matrix<T>& a) noexcept {
    return {a.columns, a.rows, a.data, a.step, 1, is_complex<T>};
}

enum class Sum { Replace, Add, Subtract };

/// C = A B, C + A B or C - A B.
template <class T>
void multiply(Sum sum, const Operand<T>& a, const Operand<T>& b, const Matrix<T>& c, Scratch& scratch);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
