// Householder reflections I - tau v vᴴ with v_0 = 1, as LAPACK's larfg makes them: the result is real.
#pragma once

#include <cmath>

#include "linalg/builtin/vectors.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// The Euclidean norm, by a sum of squares where that is safe.
template <class T>
[[nodiscard]] RealOf<T> fast_norm(Index n, const T* x) noexcept {
    using R = RealOf<T>;
    T sum = 0;
    if (n > 0) vector_kernels<T>().project(n, 1, x, n, x, &sum);
    const R squares = real_part(sum);
    constexpr R kLeast = std::numeric_limits<R>::min() / kEps<T> / kEps<T>;
    return squares > kLeast && squares < 1 / kLeast ? std::sqrt(squares) : norm(n, x);
}

/// x becomes v, where (I - conj(tau) v vᴴ) x = (value, 0, …, 0); tau is returned, 0 where nothing is to do
/// or x is nothing beside any matrix that is scaled.
template <class T>
T make_reflection(Index n, T* x, RealOf<T>& value) noexcept {
    using R = RealOf<T>;
    const R below = fast_norm(n - 1, x + 1);
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

}}}  // namespace tenferro::TENFERRO_ABI::linalg
