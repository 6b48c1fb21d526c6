// Copies of operands in the order of a result.
#include "cpu/kernels/movement/ordered_copy.hpp"

#include <cstdlib>

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// The axes of a tensor with strides `order` and, tensor 1, of `view`.
Axes<2> axes_of(const TensorRead& view, const Dims& order) {
    Offsets<2> base;
    return fused_axes<2>(view.shape(), {&order, &view.strides()}, base);
}

/// The axes along which `view` does not repeat its elements, in the order of the others' strides.
SmallVector<std::size_t, 8> distinct_axes(const TensorRead& view, const Dims& order) {
    SmallVector<std::size_t, 8> axes;
    for (std::size_t axis = 0; axis < view.rank(); ++axis) {
        if (view.strides()[axis] == 0 || view.shape()[axis] == 1) continue;
        std::size_t place = axes.size();
        while (place > 0 && std::abs(order[axes[place - 1]]) > std::abs(order[axis])) --place;
        axes.insert(place, axis);
    }
    return axes;
}

}  // namespace

bool lies_across(const TensorRead& view, const Dims& order) {
    const Axes<2> axes = axes_of(view, order);
    return !axes.empty() && axes[0].stride[1] > 1 && !lies_in_order(axes, 1);
}

Index bytes_to_order(const TensorRead& view, const Dims& order) {
    constexpr Index kMostBytes = 4 << 20;
    const Axes<2> axes = axes_of(view, order);
    if (lies_in_order(axes, 1)) return 0;
    const Index elements = distinct_elements(axes, 1),
                bytes = elements * static_cast<Index>(info(view.dtype()).bytes);
    return elements < size_of(axes) && bytes <= kMostBytes ? bytes : 0;
}

TensorRead copy_in_order(const TensorRead& view, const Dims& order, std::byte* to, CpuContext& context) {
    const DType dtype = view.dtype();
    Dims shape, strides, steps, all_steps(view.rank(), 0);
    Index step = 1, first = 0;
    for (const std::size_t axis : distinct_axes(view, order)) {
        const Index extent = view.shape()[axis];
        const bool goes_back = order[axis] < 0;
        all_steps[axis] = goes_back ? -step : step;
        if (goes_back) first += (extent - 1) * step;
        shape.push_back(extent);
        strides.push_back(view.strides()[axis]);
        steps.push_back(all_steps[axis]);
        step *= extent;
    }
    std::byte* const begin = to + first * static_cast<Index>(info(dtype).bytes);
    copy(TensorRead(dtype, view.data(), shape, strides), TensorWrite(dtype, begin, shape, steps), context);
    return {dtype, begin, view.shape(), all_steps};
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
