// Operands that repeat elements and lie otherwise than the result that is computed of them: its order would
// touch each of their cache lines many times. So they are copied into it first.
#pragma once

#include "cpu/kernels/loops/axes.hpp"
#include "cpu/kernels/movement/copy.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Whether tensor `k` lies in the order of `axes`: it goes forward along each, further than along those
/// before, or repeats elements.
template <std::size_t N>
[[nodiscard]] bool lies_in_order(const Axes<N>& axes, std::size_t k) noexcept {
    Index before = 0;
    for (const StridedAxis<N>& axis : axes) {
        const Index step = axis.stride[k];
        if (step != 0 && step <= before) return false;
        if (step != 0) before = step;
    }
    return true;
}

/// Elements of a copy of tensor `k` in the order of `axes`; 0 where none is worth making: it lies so already,
/// repeats no element, or has more than a few MiB of them, which would stay as scratch memory.
template <std::size_t N>
[[nodiscard]] Index elements_to_order(const Axes<N>& axes, std::size_t k, Index width) noexcept {
    constexpr Index kMostBytes = 4 << 20;
    if (lies_in_order(axes, k)) return 0;
    const Index elements = distinct_elements(axes, k);
    return elements < size_of(axes) && elements * width <= kMostBytes ? elements : 0;
}

/// Makes that copy at `to`; `axes` and `data` then describe it.
template <std::size_t N>
void copy_in_order(Axes<N>& axes, std::size_t k, DType dtype, const void*& data, std::byte* to,
                   CpuContext& context) {
    Dims shape, strides, steps;
    Index step = 1;
    for (StridedAxis<N>& axis : axes) {
        if (axis.stride[k] == 0) continue;
        shape.push_back(axis.extent);
        strides.push_back(axis.stride[k]);
        steps.push_back(step);
        axis.stride[k] = step;
        step *= axis.extent;
    }
    copy(TensorRead(dtype, data, shape, strides), TensorWrite(dtype, to, shape, steps), context);
    data = to;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
