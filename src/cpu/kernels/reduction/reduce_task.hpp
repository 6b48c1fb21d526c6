// What a reduction has to do: the axes of the input in the order of its memory, those that are reduced and
// those that the result keeps.
#pragma once

#include <algorithm>

#include "cpu/kernels/loops/odometer.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

inline constexpr std::size_t kInput = 0, kResult = 1;

/// The axes of the input, fastest first, those along which it repeats its elements last. The result does not
/// move along those that are reduced.
using ReduceAxes = Axes<2>;

[[nodiscard]] inline bool is_reduced(const StridedAxis<2>& axis) noexcept {
    return axis.stride[kResult] == 0;
}

[[nodiscard]] inline ReduceAxes axes_of(const ReduceAxes& axes, bool reduced) {
    ReduceAxes some;
    for (const StridedAxis<2>& axis : axes)
        if (is_reduced(axis) == reduced) some.push_back(axis);
    return some;
}

template <class T>
struct ReduceTask {
    const T* from;
    T* to;
    ReduceAxes axes;

    [[nodiscard]] Index results() const { return size_of(axes_of(axes, false)); }
};

/// Both tensors have elements. `kept` are the axes of `a` that `out` has, in its order.
template <class T>
ReduceTask<T> reduce_task(const TensorRead& a, std::span<const Index> kept, const TensorWrite& out) {
    Dims strides(a.rank(), 0);
    for (std::size_t i = 0; i < kept.size(); ++i) strides[kept[i]] = out.strides()[i];
    Offsets<2> base;
    ReduceTask<T> task{static_cast<const T*>(a.data()), static_cast<T*>(out.data()),
                       fused_axes<2>(a.shape(), {&a.strides(), &strides}, base)};
    const auto moves = [](const StridedAxis<2>& axis) { return axis.stride[kInput] != 0; };
    std::rotate(task.axes.begin(), std::find_if(task.axes.begin(), task.axes.end(), moves), task.axes.end());
    task.from += base[kInput];
    task.to += base[kResult];
    return task;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
