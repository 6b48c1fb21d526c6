// Strided copies of so few elements that tables of offsets would cost more than they save: nested loops, and
// positions only beyond the second axis.
#pragma once

#include <cstddef>
#include <cstring>

#include "cpu/kernels/loops/odometer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Axes as target and source see them, strides in bytes.
using NearAxes = Axes<2>;
inline constexpr std::size_t kTo = 0, kFrom = 1;

/// Copies elements `from_step` apart to places `to_step` apart, in bytes.
template <std::size_t kWidth>
inline void copy_near_line(std::byte* to, const std::byte* from, Index count, Index to_step,
                           Index from_step) {
    constexpr auto kStep = static_cast<Index>(kWidth);
    if (to_step == kStep && from_step == kStep) {
        for (Index i = 0; i < count; ++i) std::memcpy(to + i * kStep, from + i * kStep, kWidth);
        return;
    }
    if (to_step == kStep && from_step == 0) {
        constexpr Index kTogether = 64 / kStep;
        std::byte pattern[64];
        for (Index i = 0; i < kTogether; ++i) std::memcpy(pattern + i * kStep, from, kWidth);
        for (; count >= kTogether; count -= kTogether, to += 64) std::memcpy(to, pattern, 64);
    }
    if (to_step == kStep && from_step == -kStep) {
        for (Index i = 0; i < count; ++i) std::memcpy(to + i * kStep, from - i * kStep, kWidth);
        return;
    }
    for (; count >= 4; count -= 4, to += 4 * to_step, from += 4 * from_step) {
        std::memcpy(to, from, kWidth);
        std::memcpy(to + to_step, from + from_step, kWidth);
        std::memcpy(to + 2 * to_step, from + 2 * from_step, kWidth);
        std::memcpy(to + 3 * to_step, from + 3 * from_step, kWidth);
    }
    for (; count > 0; --count, to += to_step, from += from_step) std::memcpy(to, from, kWidth);
}

/// Copies all elements, the first axes fastest.
template <std::size_t kWidth>
void copy_near(std::byte* to, const std::byte* from, const NearAxes& axes) {
    constexpr StridedAxis<2> kNone{1, {0, 0}};
    const StridedAxis<2>& inner = axes.size() > 0 ? axes[0] : kNone;
    const StridedAxis<2>& outer = axes.size() > 1 ? axes[1] : kNone;
    Odometer<2> rest(axes, 0, {}, 2);
    do {
        std::byte* const target = to + rest.in(kTo);
        const std::byte* const source = from + rest.in(kFrom);
        for (Index j = 0; j < outer.extent; ++j)
            copy_near_line<kWidth>(target + j * outer.stride[kTo], source + j * outer.stride[kFrom],
                                   inner.extent, inner.stride[kTo], inner.stride[kFrom]);
    } while (rest.advance());
}
inline void copy_near(Index width, std::byte* to, const std::byte* from, const NearAxes& axes) {
    switch (width) {
        case 1: return copy_near<1>(to, from, axes);
        case 4: return copy_near<4>(to, from, axes);
        case 8: return copy_near<8>(to, from, axes);
        default: return copy_near<16>(to, from, axes);
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
