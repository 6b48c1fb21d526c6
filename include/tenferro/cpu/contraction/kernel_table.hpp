// What an algebra is to the contraction engine: one table of functions, compiled for one instruction set,
// that know the elements. The loops around them know only sizes and offsets, so they are compiled once, in
// the library.
#pragma once

#include "tenferro/base/checked.hpp"
#include "tenferro/tensor_core/dtype.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// A run of the K loop along its fastest axis: offsets of its start in A and B, and its length.
struct Segment {
    Index a, b, length;
};

/// How many terms of a sum multiply_tracked takes together: two cache lines of each operand.
[[nodiscard]] constexpr Index tracked_depth(Index element_bytes) noexcept { return 128 / element_bytes; }

/// One tile of C, or several one below the other. Offsets and steps count elements. A is either packed
/// (`a_step` = KernelTable::rows; complex numbers with real and imaginary parts in separate halves of each
/// step) or read in place with unit stride along its rows.
struct MicroTile {
    const Segment* segments;  ///< the K loop; offsets are relative to `a` and `b`
    Index segment_count;
    const void* a;
    const void* b;
    void* c;
    Index a_step, b_step;  ///< from one k to the next inside a segment
    /// Bytes behind the first row of A, and the first column of B, that are asked for at each k; 0: none.
    Index a_ahead, b_ahead;
    Index b_pace;            ///< bytes that the latter go on at each k
    const Index* b_columns;  ///< offsets of the columns, padded to KernelTable::columns with readable ones
    const Index* c_columns;
    const Index* c_rows;  ///< null when the rows of C are adjacent
    Index c_group;        ///< else how many at a time are, from the first on: 1, 2, 3, 4 or 8
    Index rows,
        columns;  ///< at most KernelTable::rows (widest_rows column by column) and KernelTable::columns
    bool a_packed, b_packed;
    bool column_wise;  ///< columns are taken one at a time, and A is read in place
    bool a_near;       ///< rows that are read in place stay in the first caches from one tile to the next
    bool asks_below;   ///< the rows below a tile are asked for while it is computed
    bool accumulate;   ///< add to C instead of overwriting it
    bool last;         ///< no further part of K follows
    bool regular;      ///< both panels were packed and found regular
    Index* winners;    ///< laid out as C; only for find_winners, which reads C, and multiply_tracked
    Index first_k;     ///< position in K of the first element of the panels
    Index panels = 1;  ///< tiles, only for multiply; if more, of whole rows that are all adjacent in C
    Index a_panel;     ///< from one of them to the next in A
};

/// Columns up to which tiles below each other are computed together.
inline constexpr Index kTallColumns = 3;

/// A micro-panel to be packed: `lines` rows of A or columns of B, each with some elements along K.
struct PanelSource {
    const void* data;
    const Index* lines;
    Index line_count;
    const Segment* segments;
    Index segment_count;
    Index Segment::*origin;  ///< &Segment::a or &Segment::b
    Index step;              ///< from one k to the next inside a segment
    Index ahead = 0;         ///< bytes behind what is read that are asked for; 0: none
};

/// `count` elements of C in a row, with the whole K loop; steps along the row may be anything.
struct Line {
    Index count;
    const void* a;
    const void* b;
    void* c;
    Index a_row, b_row, c_row;  ///< from one element of the row to the next
    const Segment* segments;    ///< of the K loop; none when it is empty
    Index segment_count;
    Index a_step, b_step;  ///< from one k to the next inside a segment
    Index* winners;        ///< laid out as C; only for find_line_winners, which reads C
};

struct KernelTable {
    DType dtype;  ///< of the tensors
    Index element_bytes;
    Index rows, columns;       ///< shape of a full tile
    Index wide_rows;           ///< rows of a tile whose columns are taken one at a time
    Index widest_rows;         ///< of the last of such tiles below each other
    Index interleaved_rows;    ///< up to which such a tile sums steps of K side by side
    Index direct_granularity;  ///< rows of a tile read in place must be a multiple of this; 0: operands are
                               ///< always packed
    void (*multiply)(const MicroTile&);
    /// Panels of `rows` (A) or `columns` (B) elements per k. Where the source has fewer lines, those that
    /// `multiply` reads nevertheless are zeros or repeat others. The result is whether all elements are
    /// regular.
    bool (*pack_a)(const PanelSource&, void* panel);
    bool (*pack_b)(const PanelSource&, void* panel);
    void (*multiply_line)(const Line&);
    /// Writes where in K the products equal to the elements of C are first found, for those that are;
    /// operands are packed. Null, as find_line_winners, for algebras whose sum does not select.
    void (*find_winners)(const MicroTile&);
    void (*find_line_winners)(const Line&);
    /// As multiply, on packed operands, and for each element that becomes another writes the position in K at
    /// which the tracked_depth terms begin that made it what it is. Null for algebras without vector forms.
    void (*multiply_tracked)(const MicroTile&);
    /// Whether all elements of `runs` runs of `length` adjacent ones, `step` apart, are regular. Null where
    /// that does not matter; else only slices that fit the first caches are read in place.
    bool (*regular)(const void* data, Index length, Index runs, Index step) = nullptr;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
