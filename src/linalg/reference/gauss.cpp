// Cholesky, substitution and Gauss elimination of the reference backend.
#include <algorithm>
#include <cmath>

#include "linalg/reference/algorithms.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg::reference {

template <class W>
Index cholesky(Index n, W* a) {
    for (Index j = 0; j < n; ++j) {
        double pivot = real_part(a[j + j * n]);
        for (Index k = 0; k < j; ++k) pivot -= squared(a[j + k * n]);
        a[j + j * n] = pivot;
        if (!(pivot > 0)) return j + 1;
        const double diagonal = std::sqrt(pivot);
        a[j + j * n] = diagonal;
        for (Index i = j + 1; i < n; ++i) {
            W sum = a[i + j * n];
            for (Index k = 0; k < j; ++k) sum -= a[i + k * n] * conjugate(a[j + k * n]);
            a[i + j * n] = sum / diagonal;
        }
        for (Index i = 0; i < j; ++i) a[i + j * n] = 0;
    }
    return 0;
}

template <class W>
void triangular_solve(const TriangularOptions& options, Index n, Index k, const W* a, W* b) {
    // X op(A) = B is op(A)ᵀ Xᵀ = Bᵀ.
    const bool transpose = options.transpose == options.left;
    const bool lower = options.lower != transpose;
    const auto element = [&](Index i, Index j) {
        const W value = transpose ? a[j + i * n] : a[i + j * n];
        return options.conjugate ? conjugate(value) : value;
    };
    for (Index column = 0; column < k; ++column) {
        const auto x = [&](Index i) -> W& { return options.left ? b[i + column * n] : b[column + i * k]; };
        for (Index step = 0; step < n; ++step) {
            const Index i = lower ? step : n - 1 - step;
            W sum = x(i);
            for (Index j = lower ? 0 : i + 1; j < (lower ? i : n); ++j) sum -= element(i, j) * x(j);
            x(i) = options.unit_diagonal ? sum : sum / element(i, i);
        }
    }
}

template <class W>
int lu(Index m, Index n, W* a, std::int64_t* rows, std::int64_t* columns) {
    // LAPACK's measure of complex pivots.
    const auto size = [](W x) { return std::abs(std::real(x)) + std::abs(std::imag(x)); };
    int parity = 1;
    for (Index i = 0; i < m; ++i) rows[i] = i;
    for (Index j = 0; columns != nullptr && j < n; ++j) columns[j] = j;
    for (Index step = 0; step < std::min(m, n); ++step) {
        Index row = step, column = step;
        for (Index j = step; j < (columns != nullptr ? n : step + 1); ++j)
            for (Index i = step; i < m; ++i)
                if (size(a[i + j * m]) > size(a[row + column * m])) row = i, column = j;
        if (row != step) {
            for (Index j = 0; j < n; ++j) std::swap(a[row + j * m], a[step + j * m]);
            std::swap(rows[row], rows[step]);
            parity = -parity;
        }
        if (column != step) {
            for (Index i = 0; i < m; ++i) std::swap(a[i + column * m], a[i + step * m]);
            std::swap(columns[column], columns[step]);
            parity = -parity;
        }
        const W pivot = a[step + step * m];
        if (pivot == W(0)) continue;
        for (Index i = step + 1; i < m; ++i) {
            const W factor = a[i + step * m] / pivot;
            a[i + step * m] = factor;
            for (Index j = step + 1; j < n; ++j) a[i + j * m] -= factor * a[step + j * m];
        }
    }
    return parity;
}

#define TENFERRO_INSTANCES(W)                                                             \
    template Index cholesky(Index, W*);                                                   \
    template void triangular_solve(const TriangularOptions&, Index, Index, const W*, W*); \
    template int lu(Index, Index, W*, std::int64_t*, std::int64_t*);
TENFERRO_INSTANCES(double)
TENFERRO_INSTANCES(std::complex<double>)
#undef TENFERRO_INSTANCES

}}}  // namespace tenferro::TENFERRO_ABI::linalg::reference
