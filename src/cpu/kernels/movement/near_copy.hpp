// Strided copies of so few elements that tables of offsets would cost more than they save: nested loops, and
// positions only beyond the second axis.
#pragma once

#include <cstddef>
#include <cstring>

#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// An axis as source and target see it, strides in bytes.
struct NearAxis {
    Index extent, from, to;
};
using NearAxes = SmallVector<NearAxis, 8>;

/// Copies elements `from_step` apart to places `to_step` apart, in bytes.
template <std::size_t kWidth>
inline void copy_near_line(std::byte* to, const std::byte* from, Index count, Index to_step,
                           Index from_step) {
    constexpr auto kStep = static_cast<Index>(kWidth);
    if (to_step == kStep && from_step == kStep) {
        for (Index i = 0; i < count; ++i) std::memcpy(to + i * kStep, from + i * kStep, kWidth);
        return;
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
    constexpr NearAxis kNone{1, 0, 0};
    const NearAxis& inner = axes.size() > 0 ? axes[0] : kNone;
    const NearAxis& outer = axes.size() > 1 ? axes[1] : kNone;
    Dims position(axes.size(), 0);
    for (;;) {
        for (Index j = 0; j < outer.extent; ++j)
            copy_near_line<kWidth>(to + j * outer.to, from + j * outer.from, inner.extent, inner.to,
                                   inner.from);
        std::size_t axis = 2;
        for (; axis < axes.size(); ++axis) {
            to += axes[axis].to;
            from += axes[axis].from;
            if (++position[axis] < axes[axis].extent) break;
            to -= axes[axis].extent * axes[axis].to;
            from -= axes[axis].extent * axes[axis].from;
            position[axis] = 0;
        }
        if (axis >= axes.size()) return;
    }
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
