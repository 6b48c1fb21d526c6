// Cholesky, substitution and LU of kind builtin.
#include "linalg/builtin/builtin_kernels.hpp"
#include "linalg/builtin/eigen.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// From here on Eigen, whose products are blocked, is faster than plain loops.
constexpr Index kBlocked = 32;

/// Left-looking, column by column. As MatrixKernels::cholesky.
template <class T>
Index plain_cholesky(Index n, T* a) {
    for (Index j = 0; j < n; ++j) {
        T* const column = a + j * n;
        for (Index k = 0; k < j; ++k) {
            const T* const before = a + k * n;
            const T factor = conjugate(before[j]);
            for (Index i = j; i < n; ++i) column[i] -= before[i] * factor;
        }
        const RealOf<T> pivot = real_part(column[j]);
        if (!(pivot > 0)) return j + 1;
        const RealOf<T> diagonal = std::sqrt(pivot);
        column[j] = diagonal;
        for (Index i = j + 1; i < n; ++i) column[i] /= diagonal;
    }
    return 0;
}

/// x over b for one right-hand side, whose elements are `step` apart.
template <class T>
void plain_substitution(const TriangularOptions& options, bool transpose, Index n, const T* a, T* b,
                        Index step) {
    const bool forward = options.lower != transpose;
    const auto element = [&](T x) { return options.conjugate ? conjugate(x) : x; };
    for (Index at = 0; at < n; ++at) {
        const Index i = forward ? at : n - 1 - at;
        const Index first = forward ? i + 1 : 0, last = forward ? n : i;  // what depends on x_i
        T x = b[i * step];
        if (transpose) {
            for (Index j = forward ? 0 : i + 1; j < (forward ? i : n); ++j)
                x -= element(a[j + i * n]) * b[j * step];
            b[i * step] = options.unit_diagonal ? x : x / element(a[i + i * n]);
        } else {
            if (!options.unit_diagonal) x /= element(a[i + i * n]);
            b[i * step] = x;
            for (Index j = first; j < last; ++j) b[j * step] -= element(a[j + i * n]) * x;
        }
    }
}

template <unsigned mode, class Matrix, class Side>
void substitute(bool left, const Matrix& matrix, Side& side) {
    if (left)
        matrix.template triangularView<mode>().solveInPlace(side);
    else
        matrix.template triangularView<mode>().template solveInPlace<Eigen::OnTheRight>(side);
}
template <class Matrix, class Side>
void substitute(bool left, bool lower, bool unit, const Matrix& matrix, Side& side) {
    if (lower && unit) substitute<Eigen::UnitLower>(left, matrix, side);
    if (lower && !unit) substitute<Eigen::Lower>(left, matrix, side);
    if (!lower && unit) substitute<Eigen::UnitUpper>(left, matrix, side);
    if (!lower && !unit) substitute<Eigen::Upper>(left, matrix, side);
}

/// As MatrixKernels::lu, and full_piv_lu where there are `columns`: right-looking, a column at a time.
template <class T>
int eliminate(Index m, Index n, T* a, std::int64_t* rows, std::int64_t* columns) {
    int parity = 1;
    for (Index i = 0; i < m; ++i) rows[i] = i;
    for (Index j = 0; columns != nullptr && j < n; ++j) columns[j] = j;
    for (Index step = 0; step < std::min(m, n); ++step) {
        Index row = step, column = step;
        RealOf<T> largest = -1;
        for (Index j = step; j < (columns != nullptr ? n : step + 1); ++j)
            for (Index i = step; i < m; ++i)
                if (const RealOf<T> size = sum_of_moduli(a[i + j * m]); size > largest)
                    largest = size, row = i, column = j;
        if (column != step) {
            std::swap_ranges(a + column * m, a + column * m + m, a + step * m);
            std::swap(columns[column], columns[step]);
            parity = -parity;
        }
        if (row != step) {
            for (Index j = 0; j < n; ++j) std::swap(a[row + j * m], a[step + j * m]);
            std::swap(rows[row], rows[step]);
            parity = -parity;
        }
        T* const pivots = a + step * m;
        if (pivots[step] == T(0)) continue;
        for (Index i = step + 1; i < m; ++i) pivots[i] /= pivots[step];
        for (Index j = step + 1; j < n; ++j) {
            const T factor = a[step + j * m];
            for (Index i = step + 1; i < m; ++i) a[i + j * m] -= pivots[i] * factor;
        }
    }
    return parity;
}

}  // namespace

template <class T>
Index BuiltinKernels<T>::cholesky(Index n, T* a, Scratch& scratch) const {
    const auto clear = [&] {
        for (Index j = 0; j < n; ++j) std::fill_n(a + j * n, j, T(0));
    };
    if (n < kBlocked) {
        const Index minor = plain_cholesky(n, a);
        clear();
        return minor;
    }
    const Scratch::Frame frame(scratch);
    T* const kept = scratch.take<T>(n * n);
    std::copy_n(a, n * n, kept);
    Eigen::Ref<EigenMatrix<T>> matrix = as_eigen(n, n, a);
    const Eigen::LLT<Eigen::Ref<EigenMatrix<T>>> llt(matrix);
    Index minor = 0;
    if (llt.info() != Eigen::Success) {  // at which minor Eigen does not say
        minor = plain_cholesky(n, kept);
        std::copy_n(kept, n * n, a);
    }
    clear();
    return minor;
}

template <class T>
void BuiltinKernels<T>::triangular_solve(const TriangularOptions& options, Index n, Index k, const T* a, T* b,
                                         Scratch& scratch) const {
    if (n < kBlocked) {
        for (Index j = 0; j < k; ++j)  // X op(A) = B is op(A)ᵀ Xᵀ = Bᵀ
            if (options.left)
                plain_substitution(options, options.transpose, n, a, b + j * n, 1);
            else
                plain_substitution(options, !options.transpose, n, a, b + j, k);
        return;
    }
    const Scratch::Frame frame(scratch);
    auto side = options.left ? as_eigen(n, k, b) : as_eigen(k, n, b);
    const bool lower = options.lower != options.transpose;
    if (is_complex<T> && options.conjugate) side = side.conjugate();
    if (options.transpose)
        substitute(options.left, lower, options.unit_diagonal, as_eigen(n, n, a).transpose(), side);
    else
        substitute(options.left, lower, options.unit_diagonal, as_eigen(n, n, a), side);
    if (is_complex<T> && options.conjugate) side = side.conjugate();
}

template <class T>
int BuiltinKernels<T>::lu(Index m, Index n, T* a, std::int64_t* rows, Scratch& scratch) const {
    if (std::min(m, n) < kBlocked || m != n) return eliminate(m, n, a, rows, nullptr);
    const Scratch::Frame frame(scratch);
    T* const kept = scratch.take<T>(m * n);
    std::copy_n(a, m * n, kept);
    Eigen::Ref<EigenMatrix<T>> matrix = as_eigen(m, n, a);
    const Eigen::PartialPivLU<Eigen::Ref<EigenMatrix<T>>> lu(matrix);
    if (!matrix.allFinite()) {  // the reciprocal of a tiny pivot
        std::copy_n(kept, m * n, a);
        return eliminate(m, n, a, rows, nullptr);
    }
    for (Index i = 0; i < m; ++i) rows[lu.permutationP().indices()[i]] = i;
    return static_cast<int>(lu.permutationP().determinant());
}

template <class T>
int BuiltinKernels<T>::plain_lu(Index m, Index n, T* a, std::int64_t* rows) {
    return eliminate(m, n, a, rows, nullptr);
}

template <class T>
int BuiltinKernels<T>::full_piv_lu(Index m, Index n, T* a, std::int64_t* rows, std::int64_t* columns,
                                   Scratch&) const {
    return eliminate(m, n, a, rows, columns);
}

#define TENFERRO_INSTANCE(T)                                                                                \
    template Index BuiltinKernels<T>::cholesky(Index, T*, Scratch&) const;                                  \
    template void BuiltinKernels<T>::triangular_solve(const TriangularOptions&, Index, Index, const T*, T*, \
                                                      Scratch&) const;                                      \
    template int BuiltinKernels<T>::plain_lu(Index, Index, T*, std::int64_t*);                              \
    template int BuiltinKernels<T>::lu(Index, Index, T*, std::int64_t*, Scratch&) const;                    \
    template int BuiltinKernels<T>::full_piv_lu(Index, Index, T*, std::int64_t*, std::int64_t*, Scratch&)   \
        const;
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
