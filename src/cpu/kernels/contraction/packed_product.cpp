// The packed contraction engine: the five loops of BLIS around the micro-kernels, reading the tensors through
// offset tables. A block of K times a block of rows or columns is packed only where that pays; otherwise it
// is read in place.
#include <algorithm>
#include <cstdlib>

#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/contraction/gemm_blocking.hpp"
#include "cpu/kernels/contraction/line_tables.hpp"
#include "cpu/kernels/loops/partition.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/movement/streaming.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// The part of the contraction that one task computes.
struct Share {
    Index m_begin, m_end, n_begin, n_end, batch_begin, batch_end;
};

/// After which to look whether the result is still wanted; the slices of a batch may be small.
constexpr Index kWatchedMultiplyAdds = 1 << 18;
constexpr Index kTileColumns = 8;        ///< the most, for any instruction set
constexpr Index kStageBytes = 16 << 10;  ///< of C that are computed before they are streamed

constexpr Index round_up(Index value, Index step) { return (value + step - 1) / step * step; }

class PackedProduct {
public:
    PackedProduct(const Contraction& loops, const KernelTable& kernels, WinnerPass pass, Index* winners,
                  const CpuContext& context)
        : loops_(loops),
          kernels_(kernels),
          pass_(pass),
          winners_(winners),
          plan_(choose_blocking(loops, kernels, pass, context.stream_bytes())),
          streams_(is_streamed()) {}

    void run(CpuContext& context);

private:
    /// A range of K: its runs in the tensors, and as the micro-kernel reads them.
    struct Block {
        Index k_begin = 0, k_end = 0;
        Segments segments, placed;
    };
    /// What a share uses again and again.
    struct Buffers {
        void *a, *b;       ///< packed panels; null where an operand is read in place
        std::byte* stage;  ///< of C; null unless it is streamed
        std::byte* sums;   ///< of C, for lines that have tables; null unless they are made apart
        Block block;
        Index unwatched;  ///< multiply-adds since the last look
    };
    /// Where a slice of the batch lies.
    struct Slice {
        const void* a;
        const void* b;
        void* c;
        Index* winners;
    };

    [[nodiscard]] Index tile_start(Index row) const;
    void run_share(const Share& share) const;
    void place_block(Index number, Block& block) const;
    void multiply_slice(const LineTables& tables, const Slice& slice, Buffers& buffers) const;
    template <class PackPanels>
    void pack_pieces(const Block& block, Index step_bytes, PackPanels&& pack_panels) const;
    void pack_columns(const LineTables& tables, const Block& block, Range columns, const void* b,
                      void* packed) const;
    void pack_rows(const LineTables& tables, const Block& block, Index first_panel, Index last_panel,
                   const void* a, void* packed) const;
    void multiply_panels(const LineTables& tables, const Block& block, Index first_panel, Index last_panel,
                         Range columns, const Slice& slice, std::byte* stage) const;
    [[nodiscard]] Index joined_panels(const LineTables& tables, Index first, Index last) const;
    [[nodiscard]] Index a_ahead() const;
    [[nodiscard]] bool asks_below() const;
    [[nodiscard]] bool asks_for_columns() const;
    [[nodiscard]] bool asks_along_k() const;
    [[nodiscard]] Index b_ahead(const LineTables& tables, Index column) const;
    [[nodiscard]] bool is_streamed() const;
    void stream(const std::byte* stage, Index rows, const MicroTile& tile, void* c) const;
    template <class Memory>
    [[nodiscard]] Memory* element(Memory* memory, Index offset) const {
        return at_offset(memory, offset * kernels_.element_bytes);
    }

    const Contraction& loops_;
    const KernelTable& kernels_;
    const WinnerPass pass_;
    Index* const winners_;
    const CancellationScope* const watch_ = CancellationScope::current();
    const Blocking plan_;
    const LoopAxis inner_ = loops_.k.empty() ? LoopAxis{1, {0, 0, 0}} : loops_.k[0];  ///< of K
    const Index k_blocks_ = (loops_.k_size + plan_.k_block - 1) / plan_.k_block;
    const Index panels_per_block_ = std::max<Index>(plan_.m_block / kernels_.rows, 1);
    const Index most_staged_rows_ = kStageBytes / kernels_.element_bytes / kernels_.columns;
    const Index a_ahead_ = a_ahead();
    const bool asks_for_columns_ = asks_for_columns();               ///< of B, that are read in place
    const bool asks_along_k_ = asks_along_k();                       ///< the same where they lie along K
    const bool asks_below_ = asks_below();                           ///< of rows that are read in place
    const bool asks_for_panels_ = comes_from_far(loops_, kernels_);  ///< of A, that are packed next
    const bool streams_;  ///< C is written past the caches, tile by tile from a stage
    const MoveLine stream_line_ = line_streamer();
};

void PackedProduct::run(CpuContext& context) {
    const Index threads = runs_alone(loops_) ? 1 : context.threads();
    if (threads == 1) return run_share({0, loops_.m_size, 0, loops_.n_size, 0, loops_.batch_size});
    const Index batch_parts = std::min(loops_.batch_size, wanted_ranges(context));
    const Index parts = loops_.batch_size >= 2 * threads ? 1 : threads;
    const bool split_n =
        plan_.joined > 1 || loops_.n_size / kernels_.columns >= loops_.m_size / kernels_.rows;
    const Index size = split_n ? loops_.n_size : loops_.m_size;
    const Index unit = !split_n ? kernels_.rows : plan_.joined > 1 ? plan_.n_block : kernels_.columns;
    const Index step = round_up((size + parts - 1) / parts, unit);
    const Index ranges = (size + step - 1) / step;
    context.parallel_for(batch_parts * ranges, [&](Index task) {
        const Index begin = task % ranges * step, end = std::min(begin + step, size);
        const Range batch = range_of(loops_.batch_size, task / ranges, batch_parts);
        Share share{0, loops_.m_size, 0, loops_.n_size, batch.begin, batch.end};
        (split_n ? share.n_begin : share.m_begin) = split_n ? begin : tile_start(begin);
        (split_n ? share.n_end : share.m_end) = split_n ? end : tile_start(end);
        run_share(share);
    });
}

/// Where the tile begins that a row belongs to. Tiles of few rows add in another order than whole ones, so
/// they are the same whoever computes them: those of rows that are read in place end with each run of A, and
/// so few as would then be summed otherwise are never divided from the tile before.
Index PackedProduct::tile_start(Index row) const {
    if (row == loops_.m_size) return row;
    const Index run = plan_.run, in_run = row % run, start = in_run - in_run % plan_.tile_rows;
    const bool in_last = plan_.column_wise && start != 0 && run - start <= kernels_.interleaved_rows;
    return row - in_run + start - (in_last ? plan_.tile_rows : 0);
}

void PackedProduct::run_share(const Share& share) const {
    const Index rows = std::min(plan_.m_table, share.m_end - share.m_begin);
    const Index columns = round_up(std::min(plan_.n_block, share.n_end - share.n_begin), kernels_.columns);
    LineTables tables(loops_, kernels_, plan_, rows, columns);
    const Index line_bytes = kernels_.element_bytes * plan_.k_block;
    Buffers buffers{};
    if (streams_) buffers.stage = scratch(ScratchUse::Lines, kStageBytes);
    if (tables.are_apart())
        buffers.sums = scratch(ScratchUse::Lines, kernels_.element_bytes * rows * columns);
    if (!plan_.b_direct)
        buffers.b = scratch(ScratchUse::PackedB, line_bytes * std::min(columns, plan_.n_part));
    if (!plan_.a_direct)
        buffers.a =
            scratch(ScratchUse::PackedA, line_bytes * std::min(plan_.m_block, round_up(rows, kernels_.rows)));
    // Lines that are joined end where their axis does.
    const Index whole = plan_.joined > 1 ? loops_.n[0].extent * loops_.n[1].extent : loops_.n_size;
    for (Index n = share.n_begin, n_end; n < share.n_end; n = n_end) {
        n_end = std::min({n + plan_.n_block, share.n_end, (n / whole + 1) * whole});
        tables.fill_columns(n, n_end);
        for (Index m = share.m_begin, end; m < share.m_end; m = end) {
            end = tile_start(std::min(m + plan_.m_table, share.m_end));
            tables.fill_rows(m, end);
            if (pass_ == WinnerPass::None) tables.join_panels();
            if (streams_) tables.join_staged_panels(panels_per_block_, most_staged_rows_);
            Odometer at(loops_.batch, share.batch_begin);
            for (Index batch = share.batch_begin; batch < share.batch_end; ++batch, at.advance()) {
                void* const c = element(loops_.c, at.in(kC));
                multiply_slice(tables,
                               {element(loops_.a, at.in(kA)), element(loops_.b, at.in(kB)),
                                tables.are_apart() ? buffers.sums : c,
                                winners_ == nullptr ? nullptr : winners_ + at.in(kC)},
                               buffers);
                if (tables.are_apart()) tables.place(buffers.sums, c);
            }
        }
    }
    if (plan_.c_far) finish_streaming();
}

/// The K loop as the micro-kernel sees it: packed operands are contiguous, so their offset follows the
/// position.
inline void place_segments(const Segments& segments, Index packed_a_step, Index packed_b_step,
                           Segments& placed) {
    placed.clear();
    if (packed_a_step != 0 && packed_b_step != 0) {
        Index depth = 0;
        for (const Segment& segment : segments) depth += segment.length;
        placed.push_back({0, 0, depth});
        return;
    }
    Index position = 0;
    for (const Segment& segment : segments) {
        placed.push_back({packed_a_step != 0 ? position * packed_a_step : segment.a,
                          packed_b_step != 0 ? position * packed_b_step : segment.b, segment.length});
        position += segment.length;
    }
}

void PackedProduct::place_block(Index number, Block& block) const {
    const Index begin = number * plan_.k_block, end = std::min(begin + plan_.k_block, loops_.k_size);
    if (block.k_begin == begin && block.k_end == end) return;  // the last slice of the batch has left it
    block.k_begin = begin;
    block.k_end = end;
    split_into_segments(loops_.k, begin, end, block.segments);
    place_segments(block.segments, plan_.a_direct ? 0 : kernels_.rows, plan_.b_direct ? 0 : kernels_.columns,
                   block.placed);
}

void PackedProduct::multiply_slice(const LineTables& tables, const Slice& slice, Buffers& buffers) const {
    const Slice read{plan_.a_direct ? slice.a : buffers.a, plan_.b_direct ? slice.b : buffers.b, slice.c,
                     slice.winners};
    const Index columns = tables.column_count;
    for (Index i = 0; i < k_blocks_; ++i) {
        // Downwards for winners, where the last one written counts and the first in K is wanted.
        place_block(pass_ == WinnerPass::Find ? k_blocks_ - 1 - i : i, buffers.block);
        const Index depth = buffers.block.k_end - buffers.block.k_begin;
        for (Range part{0, 0}; part.begin < columns; part.begin = part.end) {
            part.end = std::min(part.begin + plan_.n_part, columns);
            if (!plan_.b_direct) pack_columns(tables, buffers.block, part, slice.b, buffers.b);
            for (Index first = 0; first < tables.panel_count; first += panels_per_block_) {
                const Index last = std::min(first + panels_per_block_, tables.panel_count);
                if (watch_ != nullptr && buffers.unwatched >= kWatchedMultiplyAdds) {
                    look_at(*watch_);
                    buffers.unwatched = 0;
                }
                buffers.unwatched += (last - first) * kernels_.rows * (part.end - part.begin) * depth;
                const bool a_ready = plan_.a_direct || (plan_.one_block && part.begin != 0);
                if (!a_ready) pack_rows(tables, buffers.block, first, last, slice.a, buffers.a);
                multiply_panels(tables, buffers.block, first, last, part, read, buffers.stage);
            }
        }
    }
}

/// Where a step along K leads to another page, panels are packed a few steps at a time, side by side: each
/// page is read in one long run, which the processor foresees.
template <class PackPanels>
void PackedProduct::pack_pieces(const Block& block, Index step_bytes, PackPanels&& pack_panels) const {
    constexpr Index kPieceSteps = 16;
    if (std::abs(step_bytes) < kPageBytes)
        return pack_panels(block.segments.data(), static_cast<Index>(block.segments.size()), 0);
    Index done = 0;
    for (const Segment& segment : block.segments)
        for (Index k = 0; k < segment.length; k += kPieceSteps) {
            const Index length = std::min(kPieceSteps, segment.length - k);
            const Segment piece{segment.a + k * inner_.stride[kA], segment.b + k * inner_.stride[kB], length};
            pack_panels(&piece, 1, done);
            done += length;
        }
}

void PackedProduct::pack_columns(const LineTables& tables, const Block& block, Range columns, const void* b,
                                 void* packed) const {
    const Index depth = block.k_end - block.k_begin, step = inner_.stride[kB];
    for (Index n = columns.begin; n < columns.end; n += kernels_.columns)
        tables.b_regular[n / kernels_.columns] = true;
    pack_pieces(block, step * kernels_.element_bytes, [&](const Segment* segments, Index count, Index done) {
        for (Index n = columns.begin; n < columns.end; n += kernels_.columns)
            tables.b_regular[n / kernels_.columns] &=
                kernels_.pack_b({b, tables.columns.operand + n, std::min(kernels_.columns, columns.end - n),
                                 segments, count, &Segment::b, step},
                                element(packed, (n - columns.begin) * depth + done * kernels_.columns));
    });
}

void PackedProduct::pack_rows(const LineTables& tables, const Block& block, Index first_panel,
                              Index last_panel, const void* a, void* packed) const {
    const Index depth = block.k_end - block.k_begin, step = inner_.stride[kA];
    for (Index p = first_panel; p < last_panel; ++p) tables.panels[p].a_regular = true;
    pack_pieces(block, step * kernels_.element_bytes, [&](const Segment* segments, Index count, Index done) {
        for (Index p = first_panel; p < last_panel; ++p) {
            RowPanel& panel = tables.panels[p];
            panel.a_regular &=
                kernels_.pack_a({a, tables.rows.operand + panel.first, panel.count, segments, count,
                                 &Segment::a, step, asks_for_panels_ ? tables.to_next(p) : 0},
                                element(packed, ((p - first_panel) * depth + done) * kernels_.rows));
        }
    });
}

void PackedProduct::multiply_panels(const LineTables& tables, const Block& block, Index first_panel,
                                    Index last_panel, Range columns, const Slice& slice,
                                    std::byte* stage) const {
    static constexpr Index kPackedColumns[kTileColumns] = {0, 1, 2, 3, 4, 5, 6, 7};
    const Index depth = block.k_end - block.k_begin;
    const auto multiply = pass_ == WinnerPass::None   ? kernels_.multiply
                          : pass_ == WinnerPass::Find ? kernels_.find_winners
                                                      : kernels_.multiply_tracked;
    const bool both_packed = !plan_.a_direct && !plan_.b_direct;
    Index staged_columns[kTileColumns];
    void* staged_c = nullptr;
    MicroTile tile{};
    tile.segments = block.placed.data();
    tile.segment_count = static_cast<Index>(block.placed.size());
    tile.a_step = plan_.a_direct ? inner_.stride[kA] : kernels_.rows;
    tile.b_step = plan_.b_direct ? inner_.stride[kB] : kernels_.columns;
    const bool asks_for_columns = asks_along_k_ || (asks_for_columns_ && depth <= kForeseenRuns);
    tile.a_packed = !plan_.a_direct;
    tile.column_wise = plan_.column_wise;
    tile.a_near = plan_.a_near;
    tile.b_packed = !plan_.b_direct;
    tile.accumulate = block.k_begin != 0;
    tile.last = block.k_end == loops_.k_size;
    tile.first_k = block.k_begin;
    for (Index n = columns.begin; n < columns.end; n += kernels_.columns) {
        tile.b = plan_.b_direct ? slice.b : element(slice.b, (n - columns.begin) * depth);
        tile.b_ahead = asks_for_columns ? b_ahead(tables, n) : 0;
        tile.b_pace = (asks_along_k_ ? kernels_.columns : tile.b_step) * kernels_.element_bytes;
        tile.b_columns = plan_.b_direct ? tables.columns.operand + n : kPackedColumns;
        tile.c_columns = tables.columns.c + n;
        tile.columns = std::min(kernels_.columns, columns.end - n);
        tile.a_ahead = n == 0 ? a_ahead_ : 0;
        tile.asks_below = asks_below_ && n == 0;
        const bool b_regular = both_packed && tables.b_regular[n / kernels_.columns];
        Index staged = 0, stage_rows = 0;  // how many of how many rows lie on the stage
        for (Index p = first_panel; p < last_panel; p += tile.panels) {
            const RowPanel& panel = tables.panels[p];
            tile.a = element(slice.a, plan_.a_direct ? tables.rows.operand[panel.first]
                                                     : (p - first_panel) * depth * kernels_.rows);
            tile.rows = panel.count;
            tile.c = element(slice.c, panel.c);
            tile.c_rows = panel.is_adjacent() ? nullptr : tables.rows.c + panel.first;
            tile.c_group = panel.c_group;
            tile.regular = b_regular && panel.a_regular;
            tile.panels = joined_panels(tables, p, last_panel);
            tile.a_panel = plan_.a_direct ? panel.count : depth * kernels_.rows;
            if (slice.winners != nullptr) tile.winners = slice.winners + panel.c;
            if (panel.stage_rows != 0) {
                stage_rows = panel.stage_rows;
                for (Index j = 0; j < tile.columns; ++j) staged_columns[j] = j * stage_rows;
                staged_c = tile.c;
            }
            if (stage_rows == 0) {
                multiply(tile);
                continue;
            }
            tile.panels = std::min(tile.panels, (stage_rows - staged) / panel.count);
            tile.c = element(stage, staged);
            tile.c_columns = staged_columns;
            multiply(tile);
            tile.c_columns = tables.columns.c + n;
            staged += tile.panels * panel.count;
            if (staged < stage_rows) continue;
            stream(stage, stage_rows, tile, staged_c);
            staged = stage_rows = 0;
        }
    }
}

/// How many panels from `first` on the micro-kernel covers at a time: those below each other that packing
/// found alike.
Index PackedProduct::joined_panels(const LineTables& tables, Index first, Index last) const {
    const Index most = std::min(tables.panels[first].joined, last - first);
    if (kernels_.regular == nullptr) return most;
    Index count = 1;
    while (count < most && tables.panels[first + count].a_regular == tables.panels[first].a_regular) ++count;
    return count;
}

/// The part of C that is on the stage, column by column, goes to its place; columns that follow each other go
/// together.
void PackedProduct::stream(const std::byte* stage, Index rows, const MicroTile& tile, void* c) const {
    for (Index j = 0, count; j < tile.columns; j += count) {
        count = 1;
        while (j + count < tile.columns && tile.c_columns[j + count] == tile.c_columns[j] + count * rows)
            ++count;
        stream_line_(static_cast<std::byte*>(element(c, tile.c_columns[j])), element(stage, j * rows),
                     count * rows * kernels_.element_bytes);
    }
}

/// How far ahead tiles ask for rows that they read in place, in bytes: where runs of rows with all their
/// steps along K follow each other in memory, for those of the next run, or for the next block of K if there
/// is one run; else nothing. The processor foresees runs of a few pages by itself.
Index PackedProduct::a_ahead() const {
    constexpr Index kForeseenBytes = 16 << 10, kSliceBytes = 256 << 10;
    if (!plan_.a_direct || !may_ask_for_rows(loops_, kernels_)) return 0;
    const bool runs = loops_.m.size() > 1;
    const Index bytes = kernels_.element_bytes, step = std::abs(inner_.stride[kA]) * bytes;
    const Index next = runs ? std::abs(loops_.m[1].stride[kA]) * bytes : step * plan_.k_block;
    const bool follows = runs ? next >= step * loops_.k_size : k_blocks_ > 1;
    return follows && next >= kForeseenBytes && next <= kSliceBytes ? next : 0;
}

/// Else, whether tiles ask for the rows below them, of which they read a few lines in each of many places, in
/// an order that the processor does not foresee. Beside fewer columns tiles are taller.
bool PackedProduct::asks_below() const {
    constexpr Index kFarStep = 512;
    return plan_.a_direct && a_ahead_ == 0 &&
           loops_.n_size >= (info(kernels_.dtype).is_complex ? 2 : kTallColumns) &&
           plan_.run > kernels_.rows && std::abs(inner_.stride[kA]) * kernels_.element_bytes >= kFarStep &&
           comes_from_far(loops_, kernels_);
}

/// Whether tiles ask for the columns of B that they read in place: where a step along K is too far for the
/// processor to foresee it, a line of each page or, if slices of a batch come from far, of each quarter of
/// one, where vectors are lines a few lines of what comes from far. Where K is long the lines would be gone
/// when they are wanted.
bool PackedProduct::asks_for_columns() const {
    constexpr Index kFar = 2 << 10, kFarInBatch = 1 << 10, kFarOfLines = 192, kCachedBytes = 1 << 20;
    const Index step = std::abs(inner_.stride[kB]) * kernels_.element_bytes,
                bytes = loops_.k_size * loops_.n_size * kernels_.element_bytes;
    const bool slices_far = loops_.batch_size > 1 && bytes > kCachedBytes / loops_.batch_size,
               lines_far = fill_lines(kernels_) && bytes > far_bytes() / loops_.batch_size;
    return plan_.b_direct && step >= (lines_far ? kFarOfLines : slices_far ? kFarInBatch : kFar);
}

/// Whether tiles ask for the columns of the next one, since those of B are one run, each along K, that the
/// second cache does not keep: of several that are read in turns the processor does not see what comes next.
bool PackedProduct::asks_along_k() const {
    constexpr Index kFarBytes = 1 << 20;
    return plan_.b_direct && fill_lines(kernels_) && k_blocks_ == 1 && loops_.k.size() == 1 &&
           !loops_.n.empty() && inner_.stride[kB] == 1 && loops_.n[0].stride[kB] == loops_.k_size &&
           loops_.k_size * loops_.n_size * kernels_.element_bytes > kFarBytes;
}

/// How far ahead, in bytes: where the next columns begin; else two lines of the caches, or where the tile is
/// that is so far behind this one.
Index PackedProduct::b_ahead(const LineTables& tables, Index column) const {
    constexpr Index kTwoLines = 128;
    if (asks_along_k_) return kernels_.columns * loops_.k_size * kernels_.element_bytes;
    const Index further = column + std::max<Index>(kTwoLines / kernels_.element_bytes, kernels_.columns);
    if (further >= tables.column_count) return kTwoLines;
    return (tables.columns.operand[further] - tables.columns.operand[column]) * kernels_.element_bytes;
}

/// Whether C is made in one pass and the rows of its columns follow each other, so that a tile is one run.
bool PackedProduct::is_streamed() const {
    constexpr Index kLeastRun = 512;  // bytes
    if (!plan_.c_far || plan_.joined > 1 || pass_ != WinnerPass::None) return false;
    if (k_blocks_ > 1 || loops_.m.empty()) return false;
    const Index bytes = kernels_.element_bytes;
    const LoopAxis& m = loops_.m[0];
    if (m.extent > most_staged_rows_ || loops_.n.empty() || loops_.n[0].stride[kC] != m.extent) return false;
    return m.stride[kC] == 1 &&
           m.extent * std::min(loops_.n[0].extent, kernels_.columns) * bytes >= kLeastRun;
}

/// Rows that had better be columns, beside many: about a tile of them, or, where vectors are lines, as many
/// complex doubles as a tile of rows has, if B lies across a K so long that to put them in their places costs
/// little.
Index few_columns(const Contraction& loops, const KernelTable& kernels) {
    constexpr Index kFew = 8, kLongDepth = 3;
    if (kernels.dtype != DType::C64 || !fill_lines(kernels) || loops.n.empty()) return kFew;
    const bool across = loops.n[0].stride[kB] == 1 && loops.n[0].extent >= kernels.rows;
    return across && loops.k_size > kLongDepth * loops.m_size ? 2 * kernels.columns : kFew;
}

}  // namespace

void turn_sides(Contraction& loops, const KernelTable& kernels) noexcept {
    constexpr Index kLeastRun = 4, kLeastTurnedBytes = 128;
    const Index least_lines = std::max<Index>(2, kernels.wide_rows / 32);  // a quarter of a vector
    if (!packs_all(kernels) && !loops.k.empty() && loops.k[0].extent >= kLeastRun) {
        const Index lines = std::min(loops.m_size, loops.n_size),
                    others = std::max(loops.m_size, loops.n_size);
        const bool thin = lines >= least_lines && lines <= few_rows(kernels) && others > 4 * lines;
        // An operand that is contiguous along K is read in place as columns; as rows it would be turned
        // around.
        if (thin && lines == loops.m_size && loops.k[0].stride[kB] == 1) return;
        const bool long_runs = loops.k[0].extent * kernels.element_bytes >= kLeastTurnedBytes;
        if (thin && lines == loops.n_size && loops.k[0].stride[kA] == 1 && long_runs &&
            loops.k_size >= (fill_vectors(lines, kernels) ? 3 : 6) * lines)
            return loops.swap_operands();
    }
    // Else the longer side goes to the rows: a tile has many more rows than columns.
    if (loops.m_size <= few_columns(loops, kernels) && loops.n_size > 4 * loops.m_size) loops.swap_operands();
    // Rows of many pages are read as they lie, unless C has almost as many elements.
    if (leads_far(loops, kernels) && 2 * loops.k_size >= 3 * loops.n_size) sort_by(loops.m, kA);
}

void packed_product(const Contraction& loops, const KernelTable& kernels, WinnerPass pass, Index* winners,
                    CpuContext& context) {
    PackedProduct(loops, kernels, pass, winners, context).run(context);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
