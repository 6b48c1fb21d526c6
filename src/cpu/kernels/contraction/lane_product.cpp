// The engine for batches whose slices lie side by side in A, B and C, or are moved there first: a slice in
// each lane of a vector. Panels and tiles are those of matrices whose elements are vectors, which are moved
// whole.
#include <algorithm>

#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/contraction/lane_kernels.hpp"
#include "cpu/kernels/contraction/moved_tensor.hpp"
#include "cpu/kernels/loops/partition.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/movement/streaming.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kLineBytes = 4096;       ///< of a packed row or column
constexpr Index kRowsBytes = 384 << 10;  ///< of packed rows, which the second cache holds

class LaneProduct {
public:
    LaneProduct(const Contraction& loops, const LaneKernels& kernels) : loops_(loops), kernels_(kernels) {}

    void run(CpuContext& context) const {
        for_each_range(context, loops_.batch_size / run_ * groups_ * column_tiles_, runs_alone(loops_),
                       [&](Index begin, Index end) { run_tiles(begin, end); });
    }

private:
    struct Tables {
        Index *a_rows, *c_rows, *b_columns, *c_columns, *a_steps, *b_steps, *packed_rows, *packed_steps;
    };
    /// Adjacent slices, as many as a vector has or fewer, and where the first of them lies.
    struct Group {
        const void *a, *b;
        void* c;
        Index slices;
    };

    /// In this thread's working memory.
    [[nodiscard]] Tables fill_tables() const {
        const Index rows = loops_.m_size, columns = loops_.n_size, steps = loops_.k_size;
        const Index count = 2 * (rows + columns + steps) + kernels_.rows + k_block_;
        auto* next = reinterpret_cast<Index*>(
            scratch(ScratchUse::Tables, static_cast<std::size_t>(count) * sizeof(Index)));
        const auto fill = [&next](const LoopAxes& axes, Index size, std::size_t tensor) {
            Index* const offsets = next;
            fill_offsets(axes, 0, size, tensor, offsets);
            next += size;
            return offsets;
        };
        const auto every = [&next](Index size, Index step) {
            Index* const offsets = next;
            for (Index i = 0; i < size; ++i) *next++ = i * step;
            return offsets;
        };
        return {fill(loops_.m, rows, kA),
                fill(loops_.m, rows, kC),
                fill(loops_.n, columns, kB),
                fill(loops_.n, columns, kC),
                fill(loops_.k, steps, kA),
                fill(loops_.k, steps, kB),
                every(kernels_.rows, kernels_.slices),
                every(k_block_, kernels_.rows * kernels_.slices)};
    }

    /// Tiles of columns, those of a group one after the other.
    void run_tiles(Index begin, Index end) const {
        const Tables tables = fill_tables();
        const Index first_group = begin / column_tiles_;
        Index group = first_group % groups_;
        Odometer at(loops_.batch, first_group / groups_, {}, 1);
        Watch watch;
        for (Index first = begin % column_tiles_; begin < end; first = 0) {
            const Index count = std::min(column_tiles_ - first, end - begin), slice = group * kernels_.slices;
            const Range columns{first * kernels_.columns,
                                std::min((first + count) * kernels_.columns, loops_.n_size)};
            multiply(tables,
                     {element(loops_.a, at.in(kA) + slice), element(loops_.b, at.in(kB) + slice),
                      element(loops_.c, at.in(kC) + slice), std::min(kernels_.slices, run_ - slice)},
                     columns, watch);
            begin += count;
            if (++group < groups_) continue;
            group = 0;
            at.advance();
        }
    }

    void multiply(const Tables& tables, const Group& group, Range columns, Watch& watch) const {
        const bool packs_rows = packs_rows_ || group.slices < kernels_.slices;
        std::byte* const a = packs_rows ? memory(ScratchUse::PackedA, row_block_ * vector_bytes_) : nullptr;
        std::byte* const b = memory(ScratchUse::PackedB, kernels_.columns * factor_bytes_);
        LaneTile tile{};
        tile.b = b;
        tile.c = group.c;
        tile.slices = group.slices;
        for (Index k = 0; k < loops_.k_size; k += k_block_) {
            tile.depth = std::min(k_block_, loops_.k_size - k);
            tile.accumulate = k != 0;
            const Index panel_bytes = kernels_.rows * tile.depth * vector_bytes_;
            for (Index m = 0; m < loops_.m_size; m += row_block_) {
                const Index end = std::min(m + row_block_, loops_.m_size);
                const auto for_each_panel = [&](const auto& body) {
                    std::byte* panel = a;
                    for (Index row = m; row < end; row += kernels_.rows, panel += panel_bytes)
                        body(row, std::min(kernels_.rows, end - row), panel);
                };
                if (packs_rows)
                    for_each_panel([&](Index row, Index count, std::byte* panel) {
                        kernels_.pack_rows({group.a, tables.a_rows + row, tables.a_steps + k, count,
                                            tile.depth, group.slices, kernels_.rows},
                                           panel);
                    });
                for (Index n = columns.begin; n < columns.end; n += kernels_.columns) {
                    const Index count = std::min(kernels_.columns, columns.end - n);
                    kernels_.pack_columns({group.b, tables.b_columns + n, tables.b_steps + k, count,
                                           tile.depth, group.slices, count},
                                          b);
                    tile.c_columns = tables.c_columns + n;
                    for_each_panel([&](Index row, Index row_count, const std::byte* panel) {
                        tile.a = packs_rows ? panel : group.a;
                        tile.a_rows = packs_rows ? tables.packed_rows : tables.a_rows + row;
                        tile.a_steps = packs_rows ? tables.packed_steps : tables.a_steps + k;
                        tile.c_rows = tables.c_rows + row;
                        kernels_.tile(row_count, count)(tile);
                    });
                    watch.did((end - m) * count * tile.depth);
                }
            }
        }
    }

    /// For a block of K of lines of `bytes` a step.
    [[nodiscard]] std::byte* memory(ScratchUse use, Index bytes) const {
        return scratch(use, static_cast<std::size_t>(bytes * k_block_));
    }
    template <class Memory>
    [[nodiscard]] Memory* element(Memory* memory, Index offset) const {
        return at_offset(memory, offset * bytes_);
    }

    /// Blocks of about as many steps as near caches hold of a tile.
    [[nodiscard]] Index k_block() const {
        return even_part(loops_.k_size, kLineBytes / vector_bytes_ * 5 / 4);
    }
    /// Whole tiles, of all rows if possible.
    [[nodiscard]] Index row_block() const {
        const Index most = kRowsBytes / (k_block_ * vector_bytes_), rows = std::min(most, loops_.m_size);
        return (rows + kernels_.rows - 1) / kernels_.rows * kernels_.rows;
    }

    const Contraction& loops_;
    const LaneKernels& kernels_;
    const Index bytes_ = info(loops_.dtype).bytes, vector_bytes_ = kernels_.slices * bytes_;
    const Index factor_bytes_ = (info(loops_.dtype).is_complex ? 2 : 1) * vector_bytes_;  ///< of a column
    const Index run_ = loops_.batch[0].extent;  ///< of adjacent slices
    const Index k_block_ = k_block(), row_block_ = row_block();
    const Index groups_ = (run_ + kernels_.slices - 1) / kernels_.slices;
    const Index column_tiles_ = (loops_.n_size + kernels_.columns - 1) / kernels_.columns;
    const bool packs_rows_ = loops_.n_size > kernels_.columns;  ///< else they are read in place, once
};

/// Whether vectors are lines of the caches: shorter ones read and write each line several times, far apart.
bool are_lines(const Contraction& loops, const LaneKernels& kernels) {
    return kernels.slices * static_cast<Index>(info(loops.dtype).bytes) >= kCacheLine;
}

/// Whether so many slices fill enough of their vectors: half, or more if they are large, since those are
/// quick one by one, of a long batch only larger ones; the largest only where vectors are lines.
bool fill_lanes(const Contraction& loops, Index run, const LaneKernels& kernels) {
    constexpr Index kLongBatch = 16;
    constexpr double kLargestSlice = 4e6;  // multiply-adds
    const double large = run >= kLongBatch ? 32768 : 4096;
    const double slice = loops.multiply_adds() / static_cast<double>(loops.batch_size);
    const Index vectors = (run + kernels.slices - 1) / kernels.slices;
    const double filled = static_cast<double>(run) / static_cast<double>(vectors * kernels.slices);
    if (slice <= large) return filled >= .5;
    if (slice > kLargestSlice && !are_lines(loops, kernels)) return false;
    return filled >= (info(loops.dtype).is_complex ? .85 : vectors == 1 ? .7 : .5);
}

/// Whether slices of a long batch are so thin that lines along it are quicker, where all lie side by side.
bool are_thin(const Contraction& loops, Index run, const LaneKernels& kernels) {
    constexpr Index kLongRun = 256;  // bytes
    const auto& dtype = info(loops.dtype);
    const Index thin = are_lines(loops, kernels) ? 2 : dtype.is_complex ? 4 : 3;
    return std::min({loops.m_size, loops.n_size, loops.k_size}) <= thin && run * dtype.bytes >= kLongRun;
}

/// Whether moving tensors whose slices lie apart costs less than other engines lose on all others: if they
/// are no larger, or, near small slices of a result that stays where it is, up to twice as large. Tiny slices
/// cost least one by one.
bool pays_to_move(const Contraction& loops) {
    constexpr double kMostNearBytes = 1 << 20;
    constexpr Index kLeastSlice = 9, kSmallSlice = 1000;  // multiply-adds
    const double moved = bytes_to_move(loops);
    const Index slice = loops.m_size * loops.n_size * loops.k_size;
    if (moved == 0) return true;
    if (slice < kLeastSlice) return false;
    const double kept = loops.elements() * static_cast<double>(info(loops.dtype).bytes) - moved;
    const bool small = moved <= kMostNearBytes && lie_side_by_side(loops, kC) && slice <= kSmallSlice;
    return moved <= std::min<double>(kMostMovedBytes, (small ? 2 : 1) * kept);
}

/// The product of slices that lie side by side in all tensors.
void multiply_side_by_side(Contraction& loops, const LaneKernels& kernels, CpuContext& context) {
    // Rows beside one tile of columns are read in place; else the shorter side is packed only once.
    const bool one_tile = std::min(loops.m_size, loops.n_size) <= kernels.columns;
    if (one_tile == (loops.n_size > loops.m_size)) loops.swap_operands();
    LaneProduct(loops, kernels).run(context);
}

}  // namespace

bool lane_product(Contraction& loops, CpuContext& context) {
    constexpr Index kMostLines = 1 << 16;  // that have tables
    if (loops.batch.empty() || loops.k_size == 1) return false;
    if (std::max({loops.m_size, loops.n_size, loops.k_size}) > kMostLines) return false;
    if (!pays_to_move(loops)) return false;
    const LaneKernels& kernels = lane_kernels(loops.dtype);
    const Index run = loops.batch[0].extent;
    const auto moved = static_cast<std::size_t>(bytes_to_move(loops));
    if (kernels.slices == 0 || !fill_lanes(loops, run, kernels)) return false;
    if (moved == 0 && are_thin(loops, run, kernels)) return false;
    std::byte* memory = scratch(ScratchUse::Totals, moved);
    for (const std::size_t tensor : {kA, kB}) {
        if (lie_side_by_side(loops, tensor)) continue;
        MovedTensor(loops, tensor, memory, Slices::SideBySide).fetch(context);
        memory += static_cast<std::size_t>(size_in_bytes(loops, tensor));
    }
    if (lie_side_by_side(loops, kC)) {
        multiply_side_by_side(loops, kernels, context);
    } else {
        const MovedTensor result(loops, kC, memory, Slices::SideBySide);
        multiply_side_by_side(loops, kernels, context);
        result.bring_home(context);
    }
    return true;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
