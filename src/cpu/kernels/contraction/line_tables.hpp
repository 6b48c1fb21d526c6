// Where the rows and columns lie that a packed product works on at a time, and the panels that rows are
// parted into.
#pragma once

#include "cpu/kernels/contraction/contraction_axes.hpp"
#include "cpu/kernels/contraction/gemm_blocking.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// A group of rows of C that one micro-tile covers.
struct RowPanel {
    Index first, count;
    Index c;
    Index c_group;     ///< rows at a time that are adjacent in C: 1, 2, 3, 4, 8, or all
    Index joined;      ///< panels from this one on, itself included, that one micro-kernel can cover
    bool a_regular;    ///< what packing found
    Index stage_rows;  ///< of the panels that are staged together, this one their first; 0 in the others

    [[nodiscard]] bool is_adjacent() const noexcept { return c_group == count; }
};

/// The lines that have tables: a range of rows and one of columns of a contraction, anew for each.
struct LineTables {
    /// Offsets in the operand and in C.
    struct Lines {
        Index* operand;
        Index* c;
        Index* place;  ///< in the caller's C, where lines are made apart and `c` is where they are
    };

    /// In this thread's working memory, for at most so many rows and so many columns, whole tiles.
    LineTables(const Contraction& contraction, const KernelTable& table, const Blocking& blocking,
               Index most_rows, Index most_columns);

    void fill_columns(Index begin, Index end);
    void fill_rows(Index begin, Index end);
    /// Bytes in A from a panel to the one below it; 0 from the last.
    [[nodiscard]] Index to_next(Index panel) const;
    /// Finds the panels that one micro-kernel can cover, as far as their places tell.
    void join_panels();
    /// Finds the panels of a block of so many that are staged together, up to so many rows.
    void join_staged_panels(Index panels_per_block, Index most_rows);
    /// Whether rows or columns are made apart.
    [[nodiscard]] bool are_apart() const { return plan.sums_apart || plan.joined > 1; }
    /// All that have tables go from there to their places in `c`.
    void place(const std::byte* sums, void* c) const;

    const Contraction& loops;
    const KernelTable& kernels;
    const Blocking& plan;
    const Index row_capacity;
    Lines rows, columns;
    Index row_count = 0, column_count = 0;
    RowPanel* panels;
    Index panel_count = 0;
    bool* b_regular;  ///< per panel of columns, what packing found

private:
    /// Columns that are made apart beside each other and lie apart in C.
    [[nodiscard]] Index columns_across() const { return plan.joined > 1 ? loops.n[0].extent : 1; }
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
