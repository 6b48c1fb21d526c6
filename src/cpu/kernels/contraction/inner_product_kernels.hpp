// SIMD kernels of the inner-product engine: several rows of A times several columns of B, both contiguous
// along K.
#pragma once

#include "tenferro/base/checked.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Rows of one tile, and its columns at most.
inline constexpr Index kInnerTile = 4;

/// Which rows share columns: all, or those of a tile, or none.
enum class ColumnsOf { Band, Tile, Row };

/// Tiles side by side in M.
template <class T>
struct InnerBand {
    const T* a;
    const Index* rows;  ///< where each begins in `a`: whole tiles of them, or one
    Index row_count;
    const T* columns[kInnerTile];
    Index column_count;
    ColumnsOf columns_of;
    const Index* shifts;  ///< of each row's columns against `columns`, unless they are those of the band
    Index length;         ///< along K
    T* sums;              ///< [column][row]; the kernel adds to them

    [[nodiscard]] Index shift(Index row) const { return columns_of == ColumnsOf::Band ? 0 : shifts[row]; }
};

template <class T>
struct InnerKernel {
    void (*add)(const InnerBand<T>&);
    Index columns;  ///< of a band, at most
};

/// The kernel for every element type but bool.
template <class T>
[[nodiscard]] InnerKernel<T> inner_kernel();

}}}  // namespace tenferro::TENFERRO_ABI::cpu
