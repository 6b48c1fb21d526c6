// The packed contraction engine: the five loops of BLIS around the micro-kernels, reading the tensors through
// offset tables. A block of K times a block of rows or columns is packed only where that pays; otherwise it
// is read in place.
#include <algorithm>
#include <cstdlib>

#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/contraction/gemm_blocking.hpp"
#include "cpu/kernels/loops/scratch.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// A group of rows of C that one micro-tile covers.
struct RowPanel {
    Index first, count;
    Index c;
    bool c_adjacent;
    bool a_regular;  ///< what packing found
};

/// The part of the contraction that one task computes.
struct Share {
    Index m_begin, m_end, n_begin, n_end, batch_begin, batch_end;
};

/// After which to look whether the result is still wanted; the slices of a batch may be small.
constexpr Index kWatchedMultiplyAdds = 1 << 18;

constexpr Index round_up(Index value, Index step) { return (value + step - 1) / step * step; }

class PackedProduct {
public:
    PackedProduct(const Contraction& loops, const KernelTable& kernels, WinnerPass pass, Index* winners)
        : loops_(loops),
          kernels_(kernels),
          pass_(pass),
          winners_(winners),
          plan_(choose_blocking(loops, kernels, pass)) {}

    void run(CpuContext& context);

private:
    /// Offsets of a range of rows or columns in its operand and in C.
    struct Lines {
        Index* operand;
        Index* c;
    };
    struct Tables {
        Lines rows, columns;
        RowPanel* panels;
        Index panel_count;
        bool* b_regular;  ///< per panel of columns, what packing found
    };
    /// A range of K: its runs in the tensors, and as the micro-kernel reads them.
    struct Block {
        Index k_begin = 0, k_end = 0;
        Segments segments, placed;
    };
    /// What a share uses again and again.
    struct Buffers {
        void *a, *b;  ///< packed panels; null where an operand is read in place
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

    void run_share(const Share& share) const;
    void fill_columns(Tables& tables, Index begin, Index end) const;
    void fill_rows(Tables& tables, Index begin, Index end) const;
    void place_block(Index number, Block& block) const;
    void multiply_slice(const Tables& tables, Index columns, const Slice& slice, Buffers& buffers) const;
    template <class PackPanels>
    void pack_pieces(const Block& block, Index step_bytes, PackPanels&& pack_panels) const;
    void pack_columns(const Tables& tables, const Block& block, Index columns, const void* b,
                      void* packed) const;
    void pack_rows(const Tables& tables, const Block& block, Index first_panel, Index last_panel,
                   const void* a, void* packed) const;
    void multiply_panels(const Tables& tables, const Block& block, Index first_panel, Index last_panel,
                         Index columns, const Slice& slice) const;
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
};

void PackedProduct::run(CpuContext& context) {
    const Index threads = loops_.multiply_adds() < kParallelMultiplyAdds ? 1 : context.threads();
    if (threads == 1) return run_share({0, loops_.m_size, 0, loops_.n_size, 0, loops_.batch_size});
    const Index batch_parts = std::min(loops_.batch_size, wanted_ranges(context));
    const Index parts = loops_.batch_size >= 2 * threads ? 1 : threads;
    const bool split_n = loops_.n_size / kernels_.columns >= loops_.m_size / kernels_.rows;
    const Index size = split_n ? loops_.n_size : loops_.m_size;
    const Index step = round_up((size + parts - 1) / parts, split_n ? kernels_.columns : kernels_.rows);
    const Index ranges = (size + step - 1) / step;
    context.parallel_for(batch_parts * ranges, [&](Index task) {
        const Index begin = task % ranges * step, end = std::min(begin + step, size);
        const Range batch = range_of(loops_.batch_size, task / ranges, batch_parts);
        Share share{0, loops_.m_size, 0, loops_.n_size, batch.begin, batch.end};
        (split_n ? share.n_begin : share.m_begin) = begin;
        (split_n ? share.n_end : share.m_end) = end;
        run_share(share);
    });
}

void PackedProduct::run_share(const Share& share) const {
    const Index rows = std::min(plan_.m_table, share.m_end - share.m_begin);
    const Index columns = round_up(std::min(plan_.n_block, share.n_end - share.n_begin), kernels_.columns);
    // A direct panel ends where a run of A ends, so in the worst case each row is a panel.
    auto* memory = reinterpret_cast<Index*>(scratch(
        ScratchUse::Tables,
        sizeof(Index) * (2 * rows + 2 * columns) + sizeof(RowPanel) * rows + columns / kernels_.columns));
    Tables tables{
        {memory, memory + rows}, {memory + 2 * rows, memory + 2 * rows + columns}, nullptr, 0, nullptr};
    tables.panels = reinterpret_cast<RowPanel*>(memory + 2 * rows + 2 * columns);
    tables.b_regular = reinterpret_cast<bool*>(tables.panels + rows);
    const Index line_bytes = kernels_.element_bytes * plan_.k_block;
    Buffers buffers{};
    if (!plan_.b_direct) buffers.b = scratch(ScratchUse::PackedB, line_bytes * columns);
    if (!plan_.a_direct)
        buffers.a =
            scratch(ScratchUse::PackedA, line_bytes * std::min(plan_.m_block, round_up(rows, kernels_.rows)));
    for (Index n = share.n_begin; n < share.n_end; n += plan_.n_block) {
        const Index n_end = std::min(n + plan_.n_block, share.n_end);
        fill_columns(tables, n, n_end);
        for (Index m = share.m_begin; m < share.m_end; m += plan_.m_table) {
            fill_rows(tables, m, std::min(m + plan_.m_table, share.m_end));
            Odometer at(loops_.batch, share.batch_begin);
            for (Index batch = share.batch_begin; batch < share.batch_end; ++batch, at.advance())
                multiply_slice(
                    tables, n_end - n,
                    {element(loops_.a, at.in(kA)), element(loops_.b, at.in(kB)), element(loops_.c, at.in(kC)),
                     winners_ == nullptr ? nullptr : winners_ + at.in(kC)},
                    buffers);
        }
    }
}

void PackedProduct::fill_columns(Tables& tables, Index begin, Index end) const {
    fill_offsets(loops_.n, begin, end, kB, tables.columns.operand);
    fill_offsets(loops_.n, begin, end, kC, tables.columns.c);
    const Index count = end - begin;
    for (Index i = count; i < round_up(count, kernels_.columns);
         ++i)  // readable stand-ins for missing columns
        tables.columns.operand[i] = tables.columns.operand[count - 1];
}

void PackedProduct::fill_rows(Tables& tables, Index begin, Index end) const {
    fill_offsets(loops_.m, begin, end, kA, tables.rows.operand);
    fill_offsets(loops_.m, begin, end, kC, tables.rows.c);
    const Index run = plan_.a_direct && !loops_.m.empty() ? loops_.m[0].extent : loops_.m_size;
    tables.panel_count = 0;
    for (Index first = begin; first < end;) {
        Index count = std::min({plan_.tile_rows, end - first, run - first % run});
        if (count < plan_.tile_rows) count = std::min(count, kernels_.rows);  // wide tiles are always full
        const Index* c_rows = tables.rows.c + (first - begin);
        bool adjacent = true;
        for (Index i = 1; i < count && adjacent; ++i) adjacent = c_rows[i] == c_rows[0] + i;
        tables.panels[tables.panel_count++] = {first - begin, count, c_rows[0], adjacent, false};
        if (!adjacent)  // the micro-kernel wants them relative to the tile
            for (Index i = count; i-- > 0;) const_cast<Index*>(c_rows)[i] -= c_rows[0];
        first += count;
    }
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

void PackedProduct::multiply_slice(const Tables& tables, Index columns, const Slice& slice,
                                   Buffers& buffers) const {
    const Index panels_per_block = std::max<Index>(plan_.m_block / kernels_.rows, 1);
    const Slice read{plan_.a_direct ? slice.a : buffers.a, plan_.b_direct ? slice.b : buffers.b, slice.c,
                     slice.winners};
    for (Index i = 0; i < k_blocks_; ++i) {
        // Downwards for winners, where the last one written counts and the first in K is wanted.
        place_block(pass_ == WinnerPass::Find ? k_blocks_ - 1 - i : i, buffers.block);
        const Index depth = buffers.block.k_end - buffers.block.k_begin;
        if (!plan_.b_direct) pack_columns(tables, buffers.block, columns, slice.b, buffers.b);
        for (Index first = 0; first < tables.panel_count; first += panels_per_block) {
            const Index last = std::min(first + panels_per_block, tables.panel_count);
            if (watch_ != nullptr && buffers.unwatched >= kWatchedMultiplyAdds) {
                look_at(*watch_);
                buffers.unwatched = 0;
            }
            buffers.unwatched += (last - first) * kernels_.rows * columns * depth;
            if (!plan_.a_direct) pack_rows(tables, buffers.block, first, last, slice.a, buffers.a);
            multiply_panels(tables, buffers.block, first, last, columns, read);
        }
    }
}

/// Where a step along K leads to another page, panels are packed a few steps at a time, side by side: each
/// page is read in one long run, which the processor foresees.
template <class PackPanels>
void PackedProduct::pack_pieces(const Block& block, Index step_bytes, PackPanels&& pack_panels) const {
    constexpr Index kPageBytes = 4096, kPieceSteps = 16;
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

void PackedProduct::pack_columns(const Tables& tables, const Block& block, Index columns, const void* b,
                                 void* packed) const {
    const Index depth = block.k_end - block.k_begin, step = inner_.stride[kB];
    std::fill_n(tables.b_regular, round_up(columns, kernels_.columns) / kernels_.columns, true);
    pack_pieces(block, step * kernels_.element_bytes, [&](const Segment* segments, Index count, Index done) {
        for (Index n = 0; n < columns; n += kernels_.columns)
            tables.b_regular[n / kernels_.columns] &=
                kernels_.pack_b({b, tables.columns.operand + n, std::min(kernels_.columns, columns - n),
                                 segments, count, &Segment::b, step},
                                element(packed, n * depth + done * kernels_.columns));
    });
}

void PackedProduct::pack_rows(const Tables& tables, const Block& block, Index first_panel, Index last_panel,
                              const void* a, void* packed) const {
    const Index depth = block.k_end - block.k_begin, step = inner_.stride[kA];
    for (Index p = first_panel; p < last_panel; ++p) tables.panels[p].a_regular = true;
    pack_pieces(block, step * kernels_.element_bytes, [&](const Segment* segments, Index count, Index done) {
        for (Index p = first_panel; p < last_panel; ++p) {
            RowPanel& panel = tables.panels[p];
            panel.a_regular &= kernels_.pack_a(
                {a, tables.rows.operand + panel.first, panel.count, segments, count, &Segment::a, step},
                element(packed, ((p - first_panel) * depth + done) * kernels_.rows));
        }
    });
}

void PackedProduct::multiply_panels(const Tables& tables, const Block& block, Index first_panel,
                                    Index last_panel, Index columns, const Slice& slice) const {
    static constexpr Index kPackedColumns[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const Index depth = block.k_end - block.k_begin;
    const auto multiply = pass_ == WinnerPass::None   ? kernels_.multiply
                          : pass_ == WinnerPass::Find ? kernels_.find_winners
                                                      : kernels_.multiply_tracked;
    const bool both_packed = !plan_.a_direct && !plan_.b_direct;
    MicroTile tile{};
    tile.segments = block.placed.data();
    tile.segment_count = static_cast<Index>(block.placed.size());
    tile.a_step = plan_.a_direct ? inner_.stride[kA] : kernels_.rows;
    tile.b_step = plan_.b_direct ? inner_.stride[kB] : kernels_.columns;
    tile.a_packed = !plan_.a_direct;
    tile.accumulate = block.k_begin != 0;
    tile.last = block.k_end == loops_.k_size;
    tile.first_k = block.k_begin;
    for (Index n = 0; n < columns; n += kernels_.columns) {
        tile.b = plan_.b_direct ? slice.b : element(slice.b, n * depth);
        tile.b_columns = plan_.b_direct ? tables.columns.operand + n : kPackedColumns;
        tile.c_columns = tables.columns.c + n;
        tile.columns = std::min(kernels_.columns, columns - n);
        const bool b_regular = both_packed && tables.b_regular[n / kernels_.columns];
        for (Index p = first_panel; p < last_panel; ++p) {
            const RowPanel& panel = tables.panels[p];
            tile.a = element(slice.a, plan_.a_direct ? tables.rows.operand[panel.first]
                                                     : (p - first_panel) * depth * kernels_.rows);
            tile.rows = panel.count;
            tile.c = element(slice.c, panel.c);
            tile.c_rows = panel.c_adjacent ? nullptr : tables.rows.c + panel.first;
            tile.regular = b_regular && panel.a_regular;
            if (slice.winners != nullptr) tile.winners = slice.winners + panel.c;
            multiply(tile);
        }
    }
}

}  // namespace

void packed_product(const Contraction& loops, const KernelTable& kernels, WinnerPass pass, Index* winners,
                    CpuContext& context) {
    PackedProduct(loops, kernels, pass, winners).run(context);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
