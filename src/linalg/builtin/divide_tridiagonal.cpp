// Divide and conquer for tridiagonal matrices (Cuppen, Numer. Math. 36, 1981): a matrix is two of half the
// size and one of rank one.
#include "linalg/builtin/merging.hpp"
#include "linalg/builtin/secular.hpp"
#include "linalg/builtin/tridiagonal.hpp"
#include "linalg/builtin/vectors.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// With columns of `x` eigenvectors of the halves, and `d` their values, those of the whole with
/// beside * v vᵀ added, where v is 1 in row half - 1 and 1 or -1, the sign of `beside`, in row half.
template <class R>
void merge_halves(Index half, R beside, R* d, const Matrix<R>& x, Scratch& scratch) {
    const Scratch::Frame frame(scratch);
    const Index n = x.rows;
    MergeColumns<R> merge{scratch.take<PoleColumn<R>>(n), n, 0};
    R size = 2 * std::abs(beside);
    for (Index j = 0; j < n; ++j) size = std::max(size, std::abs(d[j]));
    // With the largest about 1 no square of a distance underflows.
    const int exponent = size > 0 ? std::ilogb(size) : 0;
    const R root_half = std::sqrt(R(0.5)), rho = std::scalbn(2 * std::abs(beside), -exponent);
    for (Index j = 0; j < n; ++j) {
        const bool top = j < half;
        const R weight = root_half * (top ? x(half - 1, j) : std::copysign(R(1), beside) * x(half, j));
        merge.columns[j] = {std::scalbn(d[j], -exponent), weight, j, top, !top};
    }
    constexpr R kTolerance = 16 * std::numeric_limits<R>::epsilon();
    merge.deflate(
        0, rho > kTolerance * kTolerance ? kTolerance / rho : std::numeric_limits<R>::max(), scratch,
        [&](R gap, R c, R s) { return std::abs(gap * c * s) <= kTolerance; },
        [&](Index i, Index j, R c, R s) { vector_kernels<R>().rotate(n, c, s, x.column(i), x.column(j)); });
    const Index kept = merge.kept;
    R *const poles = scratch.take<R>(kept), *const z = scratch.take<R>(kept),
             *const roots = scratch.take<R>(kept), *const norms = scratch.take<R>(kept);
    for (Index j = 0; j < kept; ++j) {
        poles[j] = merge.columns[j].pole;
        z[j] = merge.columns[j].weight;
    }
    const Matrix<R> vectors = take_matrix<R>(kept, kept, scratch);
    solve_secular({kept, poles, false}, z, 1 / rho, roots, norms, vectors, scratch);
    for (Index i = 0; i < kept; ++i) {
        const R factor = 1 / norms[i];
        for (Index j = 0; j < kept; ++j) vectors(j, i) *= factor;
    }
    Index* const order = scratch.take<Index>(n);
    sort_values(merge, roots, d, order, scratch);
    for (Index j = 0; j < n; ++j) d[j] = std::scalbn(d[j], exponent);
    combine_columns(merge, x, half, vectors, order, scratch);
}

}  // namespace

template <class R>
bool divide_tridiagonal(Index n, R* d, R* beside, const Matrix<R>& vectors, Scratch& scratch) {
    set_zero(vectors);
    if (n <= kSmallTridiagonal) {
        set_identity(vectors);
        return iterate_tridiagonal(n, d, beside, vectors);
    }
    const Index half = n / 2;
    const R link = beside[half - 1];
    d[half - 1] -= std::abs(link);
    d[half] -= std::abs(link);
    if (!divide_tridiagonal(half, d, beside, vectors.block(0, 0, half, half), scratch) ||
        !divide_tridiagonal(n - half, d + half, beside + half, vectors.below(half, half), scratch))
        return false;
    merge_halves(half, link, d, vectors, scratch);
    return true;
}

template bool divide_tridiagonal(Index, float*, float*, const Matrix<float>&, Scratch&);
template bool divide_tridiagonal(Index, double*, double*, const Matrix<double>&, Scratch&);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
