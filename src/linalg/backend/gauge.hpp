// The gauge that svd and eigh fix on request: of a vector's elements the first of largest modulus becomes
// real and positive.
#pragma once

#include "linalg/scalar.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// The factor of modulus 1 that does it. Moduli within a few units of rounding count as equal.
template <class T>
T gauge_factor(Index n, const T* x, Index step = 1) noexcept {
    Index chosen = 0;
    for (Index i = 1; i < n; ++i)
        if (std::abs(x[i * step]) > std::abs(x[chosen * step]) * (1 + 64 * kEps<T>)) chosen = i;
    return n == 0 ? T(1) : conjugate(phase(x[chosen * step]));
}
template <class T>
void multiply(Index n, T* x, T factor, Index step = 1) noexcept {
    if (factor == T(1)) return;
    for (Index i = 0; i < n; ++i) x[i * step] *= factor;
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
