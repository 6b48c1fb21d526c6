// The kernels for matrices in the lanes of vectors (lanes-inl.hpp), on the best instruction set of the
// processor. Buffers hold `lanes` numbers for each element and are aligned to 64 bytes.
#pragma once

#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

template <class R>
struct LaneKernels {
    Index lanes;
    void (*eigh)(Index n, R* a, R* w, R* v, R* good);
    void (*svd)(Index m, Index n, R* a, R* s, R* v, R* good);
    void (*cholesky)(Index n, R* a, R* good);
    void (*lu)(Index n, R* a, R* rows, R* good);
    void (*qr)(Index m, Index n, Index k, R* a, R* q, R* taus);
};

/// For float and double.
template <class R>
[[nodiscard]] LaneKernels<R> lane_kernels();

/// Of the vectors of any processor.
inline constexpr Index kMostLanes = 64;
/// The largest extent of a matrix that is worth a lane, and the least number of such matrices.
inline constexpr Index kLargestInLanes = 8, kFewestInLanes = 4;

}}}  // namespace tenferro::TENFERRO_ABI::linalg
