#include "cpu/kernels/contraction/line_tables.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/movement/copy_loops.hpp"
#include "cpu/kernels/movement/line_gather.hpp"
#include "cpu/kernels/movement/streaming.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// How many rows at a time follow each other, by their offsets: all of them, or 8, 4, 3, 2 or 1, in whole
/// groups.
Index adjacent_rows(std::span<const Index> rows) noexcept {
    const auto follow = [rows](std::size_t group) {
        for (std::size_t first = 0; first < rows.size(); first += group)
            for (std::size_t i = first + 1; i < first + group; ++i)
                if (rows[i] != rows[i - 1] + 1) return false;
        return true;
    };
    for (const std::size_t group :
         {rows.size(), std::size_t{8}, std::size_t{4}, std::size_t{3}, std::size_t{2}})
        if (rows.size() % group == 0 && follow(group)) return static_cast<Index>(group);
    return 1;
}

}  // namespace

LineTables::LineTables(const Contraction& contraction, const KernelTable& table, const Blocking& blocking,
                       Index most_rows, Index most_columns)
    : loops(contraction), kernels(table), plan(blocking), row_capacity(most_rows) {
    // A panel that is read in place ends where a run of A ends, so in the worst case each row is one.
    auto* memory = reinterpret_cast<Index*>(
        scratch(ScratchUse::Tables, sizeof(Index) * 3 * (most_rows + most_columns) +
                                        sizeof(RowPanel) * most_rows + most_columns / kernels.columns));
    const auto place_lines = [&memory](Lines& lines, Index count) {
        lines = {memory, memory + count, memory + 2 * count};
        memory += 3 * count;
    };
    place_lines(rows, most_rows);
    place_lines(columns, most_columns);
    panels = reinterpret_cast<RowPanel*>(memory);
    b_regular = reinterpret_cast<bool*>(panels + most_rows);
}

void LineTables::fill_columns(Index begin, Index end) {
    column_count = end - begin;
    fill_offsets(loops.n, begin, end, kB, columns.operand);
    fill_offsets(loops.n, begin, end, kC, are_apart() ? columns.place : columns.c);
    const Index across = columns_across(), along = column_count / across;
    for (Index j = 0; are_apart() && j < along; ++j)
        for (Index i = 0; i < across; ++i) columns.c[j * across + i] = (i * along + j) * row_capacity;
    // Readable stand-ins for missing columns.
    for (Index j = column_count; j % kernels.columns != 0; ++j)
        columns.operand[j] = columns.operand[column_count - 1];
}

void LineTables::fill_rows(Index begin, Index end) {
    row_count = end - begin;
    fill_offsets(loops.m, begin, end, kA, rows.operand);
    fill_offsets(loops.m, begin, end, kC, plan.sums_apart ? rows.place : rows.c);
    if (plan.sums_apart) std::iota(rows.c, rows.c + row_count, Index{0});
    const bool one_run = loops.m.size() == 1 && loops.m[0].stride[kC] == 1;
    panel_count = 0;
    Index in_run = begin % plan.run;
    for (Index first = 0; first < row_count;) {
        const Index left = std::min(row_count - first, plan.run - in_run);
        const Index count = left <= plan.last_tile_rows ? left : plan.tile_rows;
        Index* const c_rows = rows.c + first;
        const Index group = one_run ? count : adjacent_rows({c_rows, static_cast<std::size_t>(count)});
        panels[panel_count++] = {first, count, c_rows[0], group, 1, false, 0};
        if (group < count)  // the micro-kernel wants them relative to the tile
            for (Index i = count; i-- > 0;) c_rows[i] -= c_rows[0];
        first += count;
        in_run = in_run + count == plan.run ? 0 : in_run + count;
    }
}

Index LineTables::to_next(Index panel) const {
    if (panel + 1 >= panel_count) return 0;
    return (rows.operand[panels[panel + 1].first] - rows.operand[panels[panel].first]) *
           kernels.element_bytes;
}

void LineTables::join_panels() {
    const Index* const a = rows.operand;
    for (Index p = panel_count - 1; p > 0; --p) {
        const RowPanel& panel = panels[p];
        RowPanel& before = panels[p - 1];
        const bool whole = before.count == plan.tile_rows && panel.count == plan.tile_rows;
        const bool follows = whole && before.is_adjacent() && panel.is_adjacent() &&
                             panel.c == before.c + before.count &&
                             (!plan.a_direct || a[panel.first] == a[before.first] + before.count);
        if (follows) before.joined = panel.joined + 1;
    }
}

void LineTables::join_staged_panels(Index panels_per_block, Index most_rows) {
    RowPanel *lead = nullptr, *last = nullptr;
    for (Index p = 0; p < panel_count; ++p) {
        RowPanel& panel = panels[p];
        const bool joins = lead != nullptr && panel.is_adjacent() && panel.c == last->c + last->count &&
                           p % panels_per_block != 0 && lead->stage_rows + panel.count <= most_rows;
        if (!joins) lead = panel.is_adjacent() ? &panel : nullptr;
        if (lead != nullptr) lead->stage_rows += panel.count;
        last = &panel;
    }
}

void LineTables::place(const std::byte* sums, void* c) const {
    const Index bytes = kernels.element_bytes, across = columns_across(), along = column_count / across;
    auto* const to = static_cast<std::byte*>(c);
    const MoveLine move = plan.c_far ? line_streamer() : copy_line;
    for (Index i = 0; plan.joined > 1 && i < across; ++i)
        move(to + columns.place[i] * bytes, sums + columns.c[i] * bytes, along * row_capacity * bytes);
    for (Index j = 0; plan.sums_apart && j < column_count; ++j)
        scatter(bytes, to + columns.place[j] * bytes, sums + columns.c[j] * bytes,
                {rows.place, 1, row_count, 1, 0});
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
