// Eigenvalues of tridiagonal matrices by QL on squares of what is beside the diagonal (Parlett, The Symmetric
// Eigenvalue Problem, 8.15).
#include "linalg/builtin/rotation.hpp"
#include "linalg/builtin/tridiagonal.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

template <class R>
inline constexpr R kEpsilonOf = std::numeric_limits<R>::epsilon();

/// One step on rows first … last, with Wilkinson's shift; e has squares.
template <class R>
void chase(Index first, Index last, R* d, R* e) {
    const R side = std::sqrt(e[first]), half = (d[first + 1] - d[first]) / (2 * side);
    const R shift = d[first] - side / (half + std::copysign(length_of(half, R(1)), half));
    R c = 1, s = 0, gamma = d[last] - shift, p = gamma * gamma;
    for (Index i = last - 1; i >= first; --i) {
        const R square = e[i], r = p + square, c_before = c, gamma_before = gamma, ratio = r / p;
        if (i != last - 1) e[i + 1] = s * r;
        c = p / r;
        s = square / r;
        gamma = c * (d[i] - shift) - s * gamma_before;
        d[i + 1] = gamma_before + (d[i] - gamma);
        if (c > kEpsilonOf<R> * kEpsilonOf<R>)
            p = gamma * gamma * ratio;  // the quotients are independent of each other
        else
            p = c != 0 ? gamma * gamma / c : c_before * square;
    }
    e[first] = s * p;
    d[first] = shift + gamma;
}

}  // namespace

template <class R>
bool tridiagonal_values(Index n, R* d, R* e) {
    constexpr int kMost = 60, kPatience = 30;
    const R largest = largest_element(n, d, e);
    for (Index i = 0; i + 1 < n; ++i) e[i] *= e[i];
    for (Index first = 0; first < n; ++first)
        for (int tries = 0;; ++tries) {
            const R least = tries < kPatience ? 0 : largest;
            const auto is_linked = [&](Index i) {
                const R size = kEpsilonOf<R> / 2 * (std::abs(d[i]) + std::abs(d[i + 1]) + least);
                return e[i] > size * size + std::numeric_limits<R>::min();
            };
            Index last = first;
            while (last + 1 < n && is_linked(last)) ++last;
            if (last == first) break;
            if (tries == kMost) return false;
            chase(first, last, d, e);
        }
    std::sort(d, d + n);
    return true;
}

template bool tridiagonal_values(Index, float*, float*);
template bool tridiagonal_values(Index, double*, double*);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
