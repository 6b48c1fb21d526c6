// Cholesky of kind builtin, by halves.
#include "linalg/builtin/builtin_kernels.hpp"
#include "linalg/builtin/triangular.hpp"
#include "linalg/builtin/vectors.hpp"
#include "linalg/floating_types.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

constexpr Index kCholeskyLeaf = 32;
/// Columns of a triangle that are updated together with what is above them.
constexpr Index kUpdateColumns = 128;

/// Left-looking, column by column. As MatrixKernels::cholesky.
template <class T>
Index factor_leaf(const Matrix<T>& a) noexcept {
    T factors[kCholeskyLeaf];
    for (Index j = 0; j < a.rows; ++j) {
        T* const column = a.column(j) + j;
        for (Index k = 0; k < j; ++k) factors[k] = -conjugate(a(j, k));
        vector_kernels<T>().combine(a.rows - j, j, &a(j, 0), a.step, factors, column);
        const RealOf<T> pivot = real_part(column[0]);
        if (!(pivot > 0)) return j + 1;
        const RealOf<T> diagonal = std::sqrt(pivot);
        column[0] = diagonal;
        for (Index i = 1; i < a.rows - j; ++i) column[i] /= diagonal;
    }
    return 0;
}

template <class T>
Index factor_halves(const Matrix<T>& a, Scratch& scratch) {
    const Index n = a.rows, half = n / 2, rest = n - half;
    if (n <= kCholeskyLeaf) return factor_leaf(a);
    const Matrix<T> first = a.block(0, 0, half, half), side = a.below(half, 0).block(0, 0, rest, half),
                    second = a.below(half, half);
    if (const Index minor = factor_halves(first, scratch); minor > 0) return minor;
    solve_right(false, false, adjoint(first), side, scratch);
    for (Index j = 0; j < rest; j += kUpdateColumns) {
        const Index columns = std::min(kUpdateColumns, rest - j);
        multiply(Sum::Subtract, plain(side.below(j, 0)), adjoint(side.block(j, 0, columns, half)),
                 second.block(j, j, rest - j, columns), scratch);
    }
    const Index minor = factor_halves(second, scratch);
    return minor > 0 ? half + minor : 0;
}

}  // namespace

template <class T>
Index BuiltinKernels<T>::cholesky(Index n, T* a, Scratch& scratch) const {
    const Index minor = factor_halves(Matrix<T>{n, n, a, n}, scratch);
    for (Index j = 0; j < n; ++j) std::fill_n(a + j * n, j, T(0));
    return minor;
}

#define TENFERRO_INSTANCE(T) template Index BuiltinKernels<T>::cholesky(Index, T*, Scratch&) const;
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
