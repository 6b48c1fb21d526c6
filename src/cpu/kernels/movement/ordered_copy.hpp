// Operands that lie otherwise than the result that is computed of them: its order would touch each of their
// cache lines many times, and element by element. Copies turn them at once.
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

/// Whether `view` lies otherwise than a tensor of its shape with strides `order`, and neighbours along the
/// latter's fastest axis are apart in it.
[[nodiscard]] bool lies_across(const TensorRead& view, const Dims& order);

/// Bytes of a copy of `view` in the order of a tensor with strides `order`, where elements that it repeats
/// are once; 0 where none is worth making: it lies so already, repeats no element, or has more than a few MiB
/// of them, which would stay as scratch memory.
[[nodiscard]] Index bytes_to_order(const TensorRead& view, const Dims& order);

/// That copy, made at `to` and seen as `view` is.
[[nodiscard]] TensorRead copy_in_order(const TensorRead& view, const Dims& order, std::byte* to,
                                       CpuContext& context);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
