// The loops along a line of the strided engine.
#pragma once

#include "cpu/kernels/contraction/line_windows.hpp"
#include "cpu/kernels/loops/tile_plan.hpp"
#include "tenferro/base/checked.hpp"
#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor_core/dtype.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Rows of what an operation makes of pairs: totals = a op b, or totals += a b; elements of one type. Offsets
/// count elements; those of a line are read where an operand is walked by a table. Totals overlap neither
/// operand.
struct PairRows {
    const void* a;
    const void* b;
    void* totals;
    const Index *line_a, *line_b;  ///< of the elements of a line
    const Index *row_a, *row_b, *row_totals;
    Index size, rows;
    /// Of operands that are walked by windows.
    const LineWindows *windows_a = nullptr, *windows_b = nullptr;
    bool streams = false;  ///< totals that are set go past the caches, where operands are walked in vectors
};

/// Bytes of a vector, 0 where windows are of no use.
[[nodiscard]] Index window_bytes();

using PairLoop = void (*)(const PairRows&);

/// The loop of Add, Sub, Mul or, of real numbers, Div for operands that are walked like this along a line;
/// null for other operations and for Bool. Only of products are there sums.
[[nodiscard]] PairLoop pair_loop(OpId op, DType dtype, Walk a, Walk b, bool adds);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
