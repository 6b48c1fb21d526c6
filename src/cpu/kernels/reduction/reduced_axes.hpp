// The axes of a reduction: those that are reduced, the fastest as a run and the others to be stepped through,
// and those that the result keeps, in the order of the input's memory.
#pragma once

#include <algorithm>

#include "cpu/kernels/loops/odometer.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// The reduced axes: where the input's elements for one result lie, relative to the first.
struct Reduced {
    Axes<1> axes;                   // fastest first, fused; without the run
    Index run = 1, run_stride = 0;  // the fastest reduced axis
    Index base = 0;                 // added to the origin where negative strides were turned round

    [[nodiscard]] Index terms() const noexcept { return run * size_of(axes); }
};

/// Axes sorted by the steps in tensor 0: those along which it repeats its elements come last.
template <std::size_t N>
void put_repeated_last(Axes<N>& axes) {
    const auto moves = [](const StridedAxis<N>& axis) { return axis.stride[0] != 0; };
    std::rotate(axes.begin(), std::find_if(axes.begin(), axes.end(), moves), axes.end());
}

inline Reduced reduced_axes(const TensorRead& a, std::span<const Index> axes) {
    Dims shape, strides;
    for (const Index axis : axes) {
        shape.push_back(a.shape()[axis]);
        strides.push_back(a.strides()[axis]);
    }
    Reduced reduced;
    Offsets<1> base;
    reduced.axes = fused_axes<1>(shape, {&strides}, base);
    reduced.base = base[0];
    put_repeated_last(reduced.axes);
    if (!reduced.axes.empty()) {
        reduced.run = reduced.axes[0].extent;
        reduced.run_stride = reduced.axes[0].stride[0];
        reduced.axes.erase(0);
    }
    return reduced;
}

inline constexpr std::size_t kInput = 0, kResult = 1;  // the tensors of kept axes

/// What is reduced where, and the kept axes in the input and in the result, the input's fastest first, those
/// along which it repeats its elements last.
template <class T>
struct ReduceTask {
    const T* from;
    T* to;
    Reduced reduced;
    Axes<2> kept;

    [[nodiscard]] Index results() const noexcept { return size_of(kept); }
    /// The fastest kept axis.
    [[nodiscard]] StridedAxis<2> row() const noexcept {
        return kept.empty() ? StridedAxis<2>{1, {0, 0}} : kept[0];
    }
};

template <class T>
ReduceTask<T> reduce_task(const TensorRead& a, std::span<const Index> axes, std::span<const Index> kept_axes,
                          const TensorWrite& out) {
    ReduceTask<T> task{
        static_cast<const T*>(a.data()), static_cast<T*>(out.data()), reduced_axes(a, axes), {}};
    Dims strides;
    for (const Index axis : kept_axes) strides.push_back(a.strides()[axis]);
    Offsets<2> base;
    task.kept = fused_axes<2>(out.shape(), {&strides, &out.strides()}, base);
    task.from += task.reduced.base + base[kInput];
    task.to += base[kResult];
    put_repeated_last(task.kept);
    return task;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
