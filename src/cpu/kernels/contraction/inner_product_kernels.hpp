// SIMD kernels of the inner-product engine: several rows of A times several columns of B, both contiguous
// along K.
#pragma once

#include "tenferro/base/checked.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Rows of one tile, and its columns at most.
inline constexpr Index kInnerTile = 4;

/// How many there are of `size` elements each, the last perhaps short.
constexpr Index parts(Index count, Index size) { return (count + size - 1) / size; }

/// Tiles side by side in M.
template <class T>
struct InnerBand {
    const T* a;
    const Index* rows;  ///< where each begins in `a`: whole tiles of them, or one
    Index row_count;
    const T* columns[kInnerTile];
    Index column_count;
    const Index* shifts;  ///< of each row's own columns against `columns`; null where all rows share them
    Index length;         ///< along K
    Index ahead = 0;      ///< bytes behind what is read of A that are asked for; 0: none
    T* sums;              ///< [column][row]; the kernel adds to them
};

/// Rows that lie one step apart, and the columns that they meet.
template <class T>
struct InnerRun {
    const T* a;
    Index step, row_count;
    const T* columns[kInnerTile];
    Index column_count;
    Index length;       ///< along K
    T* c[kInnerTile];   ///< where the first row's sums go, one for each column; the kernel sets them
    Index c_step;       ///< from there to the next row's
    Index ahead;        ///< bytes behind what is read of A that are asked for; 0: none
    bool tiles_spread;  ///< whether a tile has a row of each quarter of the run, or adjacent ones
};

template <class T>
struct InnerKernel {
    void (*add)(const InnerBand<T>&);
    void (*set)(const InnerRun<T>&);
    Index columns;  ///< of a band or run, at most
};

/// The kernel for every element type but bool.
template <class T>
[[nodiscard]] InnerKernel<T> inner_kernel();

}}}  // namespace tenferro::TENFERRO_ABI::cpu
