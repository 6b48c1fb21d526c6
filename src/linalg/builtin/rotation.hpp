// Plane rotations.
#pragma once

#include <cmath>

#include "linalg/scalar.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// The length of (x, y): a square root where squares are safe.
template <class R>
[[nodiscard]] R length_of(R x, R y) noexcept {
    const R squares = x * x + y * y;
    constexpr R kLeast =
        std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon() / std::numeric_limits<R>::epsilon();
    return squares > kLeast && squares < 1 / kLeast ? std::sqrt(squares) : std::hypot(x, y);
}

/// A rotation with c x + s y = r and c y - s x = 0.
template <class R>
struct Givens {
    R c = 1, s = 0, r;

    Givens(R x, R y) noexcept : r(x) {
        if (y == 0) return;
        r = length_of(x, y);
        constexpr R kUnit = std::numeric_limits<R>::epsilon(), kLeast = std::numeric_limits<R>::min() / kUnit;
        if (r >= kLeast) {
            const R inverse = 1 / r;
            c = x * inverse;
            s = y * inverse;
        } else {  // r may have few digits
            const R up = 1 / (kUnit * kUnit), length = length_of(x * up, y * up);
            c = x * up / length;
            s = y * up / length;
        }
    }
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
