// The reduced axes of an input: the fastest as a run, the others to be stepped through.
#pragma once

#include "cpu/kernels/loops/strided_loop.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Steps through all index combinations of some axes.
class ReducedSteps {
public:
    explicit ReducedSteps(const SmallVector<StridedAxis<1>, 8>& axes, Index start = 0)
        : axes_(axes), index_(axes.size(), 0) {
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            count_ *= axes[axis].extent;
            index_[axis] = start % axes[axis].extent;
            offset_ += index_[axis] * axes[axis].stride[0];
            start /= axes[axis].extent;
        }
    }
    [[nodiscard]] Index count() const noexcept { return count_; }
    /// The current offset; then moves on.
    Index next() {
        const Index here = offset_;
        for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
            offset_ += axes_[axis].stride[0];
            if (++index_[axis] < axes_[axis].extent) break;
            offset_ -= axes_[axis].extent * axes_[axis].stride[0];
            index_[axis] = 0;
        }
        return here;
    }

private:
    const SmallVector<StridedAxis<1>, 8>& axes_;
    Dims index_;
    Index offset_ = 0, count_ = 1;
};

/// The reduced axes: where the input's elements for one result lie, relative to the first.
struct Reduced {
    SmallVector<StridedAxis<1>, 8> axes;  // fastest first, fused; without the run
    Index run = 1, run_stride = 0;        // the fastest reduced axis
    Index base = 0;                       // added to the origin where negative strides were turned round
};

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
    if (!reduced.axes.empty()) {
        reduced.run = reduced.axes[0].extent;
        reduced.run_stride = reduced.axes[0].stride[0];
        reduced.axes.erase(0);
    }
    return reduced;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
