// The implicit QL algorithm with Wilkinson's shift (Golub and Van Loan, 8.3) for small tridiagonal matrices.
#include "linalg/builtin/rotation.hpp"
#include "linalg/builtin/tridiagonal.hpp"
#include "linalg/builtin/vectors.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// One step on rows first … last, with the shift that the first two give.
template <class R>
void chase(Index first, Index last, R* d, R* e, const Matrix<R>& vectors) {
    const auto& kernels = vector_kernels<R>();
    const R half = (d[first + 1] - d[first]) / (2 * e[first]);
    const R root = length_of(half, R(1));
    R g = d[last] - d[first] + e[first] / (half + std::copysign(root, half));
    R c = 1, s = 1, shift = 0;
    for (Index i = last - 1; i >= first; --i) {
        const R f = s * e[i], b = c * e[i];
        const Givens<R> turn(g, f);
        e[i + 1] = turn.r;
        if (turn.r == 0) {  // the matrix falls apart
            d[i + 1] -= shift;
            e[last] = 0;
            return;
        }
        c = turn.c;
        s = turn.s;
        const R before = d[i + 1] - shift, sum = (d[i] - before) * s + 2 * c * b;
        shift = s * sum;
        d[i + 1] = before + shift;
        g = c * sum - b;
        kernels.rotate(vectors.rows, c, s, vectors.column(i + 1), vectors.column(i));
    }
    d[first] -= shift;
    e[first] = g;
    e[last] = 0;
}

}  // namespace

template <class R>
bool iterate_tridiagonal(Index n, R* d, R* beside, const Matrix<R>& vectors) {
    constexpr int kMost = 60, kPatience = 30;
    constexpr R kUnit = std::numeric_limits<R>::epsilon(), kLeast = std::numeric_limits<R>::min();
    R* const e = beside;
    if (n > 0) e[n - 1] = 0;
    const R size = largest_element(n, d, e);
    for (Index first = 0; first < n; ++first)
        for (int tries = 0;; ++tries) {
            // what converges quickly keeps its relative accuracy, the rest that beside the whole
            const R least = kLeast + (tries < kPatience ? 0 : kUnit / 2 * size);
            Index last = first;
            while (last + 1 < n &&
                   std::abs(e[last]) > kUnit / 2 * (std::abs(d[last]) + std::abs(d[last + 1])) + least)
                ++last;
            if (last == first) break;
            if (tries == kMost) return false;
            chase(first, last, d, e, vectors);
        }
    for (Index i = 0; i < n; ++i) {
        const Index least = std::min_element(d + i, d + n) - d;
        if (least == i) continue;
        std::swap(d[i], d[least]);
        std::swap_ranges(vectors.column(i), vectors.column(i) + vectors.rows, vectors.column(least));
    }
    return true;
}

template bool iterate_tridiagonal(Index, float*, float*, const Matrix<float>&);
template bool iterate_tridiagonal(Index, double*, double*, const Matrix<double>&);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
