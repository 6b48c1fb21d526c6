// SIMD kernels of the inner-product engine: several rows of A times several columns of B, both contiguous
// along K.
#pragma once

#include "tenferro/base/checked.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Rows and columns of one call.
inline constexpr Index kInnerTile = 4;

template <class T>
struct InnerTile {
    const T* rows[kInnerTile];
    const T* columns[kInnerTile];
    Index row_count, column_count;
    Index length;                    ///< along K
    T sums[kInnerTile][kInnerTile];  ///< [row][column]; the kernel adds to them
};

template <class T>
using InnerKernel = void (*)(InnerTile<T>&);

/// The kernel for every element type but bool.
template <class T>
[[nodiscard]] InnerKernel<T> inner_kernel();

}}}  // namespace tenferro::TENFERRO_ABI::cpu
