// Householder reflections I - tau v vᴴ with v_0 = 1, as LAPACK's larfg makes them: the result is real.
#pragma once

#include <cmath>

#include "linalg/scalar.hpp"
#include "linalg/scratch.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// x becomes v, where (I - conj(tau) v vᴴ) x = (value, 0, …, 0); tau is returned, 0 where nothing is to do
/// or x is nothing beside any matrix that is scaled.
template <class T>
T make_reflection(Index n, T* x, RealOf<T>& value) noexcept {
    using R = RealOf<T>;
    const R below = norm(n - 1, x + 1);
    const T alpha = x[0];
    const R length = std::hypot(std::abs(alpha), below);
    if ((below == 0 && std::imag(alpha) == 0) || length < std::numeric_limits<R>::min() / kEps<T>) {
        value = real_part(alpha);
        x[0] = 1;
        return T(0);
    }
    value = -std::copysign(length, real_part(alpha));
    const T tau = (value - alpha) / value;
    const T factor = T(1) / (alpha - value);
    for (Index i = 1; i < n; ++i) x[i] *= factor;
    x[0] = 1;
    return tau;
}

/// x - tau v (vᴴ x).
template <class T>
void reflect(Index n, const T* v, T tau, T* x) noexcept {
    if (tau == T(0)) return;
    const T factor = tau * dot(n, v, x);
    for (Index i = 0; i < n; ++i) x[i] -= factor * v[i];
}

/// A - tau (A v) vᴴ for A [m, n] with columns `step` apart.
template <class T>
void reflect_rows(Index m, Index n, T* a, Index step, const T* v, T tau, Scratch& scratch) {
    if (tau == T(0)) return;
    const Scratch::Frame frame(scratch);
    T* const sum = scratch.take<T>(m);
    std::fill_n(sum, m, T(0));
    for (Index j = 0; j < n; ++j) {
        const T factor = tau * v[j];
        for (Index i = 0; i < m; ++i) sum[i] += a[i + j * step] * factor;
    }
    for (Index j = 0; j < n; ++j) {
        const T factor = conjugate(v[j]);
        for (Index i = 0; i < m; ++i) a[i + j * step] -= sum[i] * factor;
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
