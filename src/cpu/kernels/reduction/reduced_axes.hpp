// The reduced axes of an input: the fastest as a run, the others to be stepped through.
#pragma once

#include "cpu/kernels/loops/odometer.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// The reduced axes: where the input's elements for one result lie, relative to the first.
struct Reduced {
    Axes<1> axes;                   // fastest first, fused; without the run
    Index run = 1, run_stride = 0;  // the fastest reduced axis
    Index base = 0;                 // added to the origin where negative strides were turned round
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
