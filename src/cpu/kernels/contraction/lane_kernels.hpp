// SIMD kernels of the lane engine: slices of a batch side by side, one in each lane of a vector.
#pragma once

#include "tenferro/base/checked.hpp"
#include "tenferro/tensor_core/dtype.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Rows of A or columns of B, of which a vector for each step and line is packed. Offsets count elements.
struct LanePanel {
    const void* first;
    const Index *lines, *steps;  ///< where the lines begin, and where the steps along K lie
    Index count, depth;
    Index slices;  ///< adjacent ones, as many as a vector has, or fewer
    Index pitch;   ///< vectors from a packed step to the next one
};

/// What C gets: sums along K of products, lane by lane.
struct LaneTile {
    const void* a;  ///< whole vectors
    const Index *a_rows, *a_steps;
    const void* b;  ///< packed, as many lines as the tile has columns
    void* c;
    const Index *c_rows, *c_columns;
    Index depth, slices;
    bool accumulate;
};

using LaneKernel = void (*)(const LaneTile&);

/// The kernels of a type, without slices where there are no vectors.
struct LaneKernels {
    LaneKernel (*tile)(Index rows, Index columns);
    void (*pack_rows)(const LanePanel& panel, void* to);
    void (*pack_columns)(const LanePanel& panel, void* to);  ///< complex numbers in two vectors, by parts
    Index rows, columns;                                     ///< of the largest tile
    Index slices;                                            ///< of a vector
};

[[nodiscard]] const LaneKernels& lane_kernels(DType dtype);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
