// StridedLoop: the order in which elementwise kernels walk N operands of one shape and different strides.
// Axes are sorted by the output's strides and fused; what is left is cut into tiles that hold the fastest
// axes of every operand, so that each cache line is used while it is there. Inside a tile rank disappears: a
// row is an offset from a table, an element a position in a run. 24 axes of extent 2 cost the same as a
// matrix.
#pragma once

#include <algorithm>

#include "cpu/kernels/loops/odometer.hpp"
#include "cpu/kernels/loops/partition.hpp"
#include "cpu/kernels/loops/watched.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

template <std::size_t N>
class StridedLoop {
public:
    /// All operands have `shape`, which has no zero extent. Tiles have `least` elements where there are as
    /// many.
    StridedLoop(std::span<const Index> shape, const std::array<const Dims*, N>& strides, Index least = 1) {
        auto axes = fused_axes<N>(shape, strides, base_);
        take_run(axes, least > 1 ? kShortestOfLines : kShortestRun);
        take_rows(axes, least);
        fill_tiles(axes, least);
        for (Rows* rows : {&rows_, &last_rows_})
            if (!std::is_sorted(rows->begin(), rows->end())) std::sort(rows->begin(), rows->end());
        block_ = std::min<Index>(run_, transposed_ ? kBlockedRun : kPlainRun);
        blocks_ = (run_ + block_ - 1) / block_;
        if (is_cut_) axes.insert(0, chunks_);
        outer_ = std::move(axes);
        outer_count_ = size_of(outer_);
    }

    [[nodiscard]] const Offsets<N>& run_stride() const noexcept { return run_stride_; }
    /// Extent of the axis along which the elements of a tile's row lie.
    [[nodiscard]] Index run_extent() const noexcept { return run_; }
    /// Number of elements of a tile, but for those at the ends of long runs.
    [[nodiscard]] Index tile_elements() const noexcept { return static_cast<Index>(rows_.size()) * block_; }
    /// Whether the elements of every tile, row after row, lie one after the other in operand k.
    [[nodiscard]] bool is_line(std::size_t k) const noexcept {
        if (run_ > 1 && run_stride_[k] != 1) return false;
        if (rows_.size() > 1 && blocks_ > 1) return false;
        return follow(rows_, k) && follow(last_rows_, k);
    }

    /// Whether operand k has the same elements in every tile.
    [[nodiscard]] bool repeats(std::size_t k) const noexcept {
        return blocks_ == 1 && std::all_of(outer_.begin(), outer_.end(),
                                           [k](const StridedAxis<N>& axis) { return axis.stride[k] == 0; });
    }

    /// Calls tile(origin, rows, count) for every tile: element i of row r of operand k is at
    /// origin[k] + rows[r][k] + i * run_stride()[k], i < count. In parallel when there is enough to do; an
    /// element costs as much as `cost` simple ones, and where that is much, long runs are cut for the
    /// threads.
    template <class Tile>
    void run(CpuContext& context, Tile&& tile, Index cost = 1) const {
        run_chunks(
            context, [&](const auto& visit_tiles) { visit_tiles(tile); }, cost);
    }

    /// The same for callers that keep something between tiles: chunk(visit_tiles) is called once or more, on
    /// any thread, and calls visit_tiles(tile).
    template <class Chunk>
    void run_chunks(CpuContext& context, const Chunk& chunk, Index cost) const {
        const Index elements = outer_count_ * static_cast<Index>(rows_.size()) * run_;
        const bool alone = elements < (kParallelElements + cost - 1) / cost;
        const bool shared = !alone && cost > 1 && (context.threads() > 1 || is_watched());
        if (shared && outer_count_ * blocks_ < wanted_ranges(context)) {
            const Index pieces = (wanted_ranges(context) + outer_count_ - 1) / outer_count_;
            const Index block =
                std::max(kBlockedRun, (run_ / pieces + kBlockedRun - 1) / kBlockedRun * kBlockedRun);
            if (block < block_) {
                StridedLoop cut = *this;
                cut.block_ = block;
                cut.blocks_ = (run_ + block - 1) / block;
                cut.run_chunks(context, chunk, cost);
                return;
            }
        }
        for_each_range(context, outer_count_ * blocks_, alone, [&](Index begin, Index end) {
            chunk([&](auto&& tile) { run_units(begin, end, tile); });
        });
    }

private:
    using Rows = SmallVector<Offsets<N>, 16>;

    static constexpr Index kMostElements = 4096;  // of a tile, beyond which an axis is cut
    static constexpr Index kGrain = 16;           // elements of a cache line at most: parts begin at lines
    // Shorter innermost axes go into the row table, where tiles become lines and where each row is for
    // itself.
    static constexpr Index kShortestOfLines = 2, kShortestRun = 4;
    static constexpr Index kBlockedRun =
        64;  // run length where something is transposed: rows times lines stay in L1
    static constexpr Index kPlainRun = 16384;   // run length when nothing is transposed
    static constexpr Index kTileElements = 64;  // of the output, before input axes join the tile
    static constexpr Index kLineElements = 8;   // of each input
    static constexpr Index kMostRows = 4096;

    void take_run(Axes<N>& axes, Index shortest) {
        if (axes.empty() || (axes[0].extent < shortest && axes.size() > 1)) return;
        run_ = axes[0].extent;
        run_stride_ = axes[0].stride;
        axes.erase(0);
    }

    /// Moves the fastest axes of each operand from `axes` to the row table.
    void take_rows(Axes<N>& axes, Index least) {
        rows_.push_back({});
        for (std::size_t k = 0; k < N; ++k) {
            const Index wanted = k == 0 ? kTileElements : kLineElements;
            const bool whole_lines = std::abs(run_stride_[k]) <= 1 && run_ >= wanted;
            while (!whole_lines) {
                const Index fastest = fastest_axis(axes, k);
                if (fastest < 0) break;
                const Index have = elements_below(std::abs(axes[fastest].stride[k]), k);
                if (have >= wanted) break;
                transposed_ = true;
                const Index missing = std::max((wanted + have - 1) / have, least / size());
                if (!take_axis(axes, fastest, missing, kMostElements)) break;
            }
        }
    }

    /// How many elements of an operand a tile has along axes that are faster than this step.
    Index elements_below(Index step, std::size_t operand) const {
        Index elements = 1;
        const auto count = [&](Index stride, Index extent) {
            if (stride != 0 && std::abs(stride) < step) elements *= extent;
        };
        count(run_stride_[operand], std::min(run_, kBlockedRun));
        for (const StridedAxis<N>& axis : taken_) count(axis.stride[operand], axis.extent);
        return elements;
    }

    /// Elements of a tile.
    [[nodiscard]] Index size() const noexcept {
        return static_cast<Index>(rows_.size()) * std::min(run_, transposed_ ? kBlockedRun : kPlainRun);
    }

    /// Tiles of less than `least` elements get more rows, those that follow in the output.
    void fill_tiles(Axes<N>& axes, Index least) {
        while (2 * size() <= least && !axes.empty() && !is_cut_) take_axis(axes, 0, least / size(), least);
    }

    /// Moves about `wanted` steps of an axis to the row table; an axis that is longer is cut. Only one is: of
    /// others that are too long for the table none is moved, but they are the innermost outer ones.
    bool take_axis(Axes<N>& axes, Index which, Index wanted, Index most) {
        StridedAxis<N> axis = axes[which];
        const bool fits =
            size() * axis.extent <= most && static_cast<Index>(rows_.size()) * axis.extent <= kMostRows;
        if (is_cut_ && !fits) {
            std::rotate(axes.begin(), axes.begin() + which, axes.begin() + which + 1);
            return false;
        }
        axes.erase(static_cast<std::size_t>(which));
        if (!fits) {
            wanted = std::min(wanted, kMostRows / static_cast<Index>(rows_.size()));
            const Index chunks = (axis.extent + wanted - 1) / wanted;
            Index length = (axis.extent + chunks - 1) / chunks;
            if (length > kGrain) length = length / kGrain * kGrain;
            chunks_ = {(axis.extent + length - 1) / length, axis.stride};
            for (Index& stride : chunks_.stride) stride *= length;
            is_cut_ = true;
            last_rows_ = rows_;
            add_rows(last_rows_, {axis.extent - (chunks_.extent - 1) * length, axis.stride});
            axis.extent = length;
        } else if (is_cut_) {
            add_rows(last_rows_, axis);
        }
        add_rows(rows_, axis);
        taken_.push_back(axis);
        return true;
    }

    static Index fastest_axis(const Axes<N>& axes, std::size_t operand) {
        Index best = -1;
        for (Index i = 0; i < static_cast<Index>(axes.size()); ++i) {
            const Index stride = std::abs(axes[i].stride[operand]);
            if (stride != 0 && (best < 0 || stride < std::abs(axes[best].stride[operand]))) best = i;
        }
        return best;
    }

    static void add_rows(Rows& rows, const StridedAxis<N>& axis) {
        const std::size_t before = rows.size();
        rows.reserve(before * static_cast<std::size_t>(axis.extent));
        for (Index i = 1; i < axis.extent; ++i)
            for (std::size_t r = 0; r < before; ++r) {
                Offsets<N> row = rows[r];
                for (std::size_t k = 0; k < N; ++k) row[k] += i * axis.stride[k];
                rows.push_back(row);
            }
    }

    /// Whether rows lie one after the other in operand k.
    bool follow(const Rows& rows, std::size_t k) const noexcept {
        for (std::size_t r = 1; r < rows.size(); ++r)
            if (rows[r][k] != static_cast<Index>(r) * run_) return false;
        return true;
    }

    template <class Tile>
    void run_units(Index begin, Index end, Tile& tile) const {
        Odometer<N> outer(outer_, begin / blocks_, base_);
        Index block = begin % blocks_;
        for (Index unit = begin; unit < end; ++unit) {
            Offsets<N> start = outer.at();
            for (std::size_t k = 0; k < N; ++k) start[k] += block * block_ * run_stride_[k];
            const bool is_last = is_cut_ && outer[0] + 1 == chunks_.extent;
            const Rows& rows = is_last ? last_rows_ : rows_;
            tile(start, std::span<const Offsets<N>>(rows.data(), rows.size()),
                 std::min(block_, run_ - block * block_));
            if (++block == blocks_) {
                block = 0;
                outer.advance();
            }
        }
    }

    Offsets<N> base_{};
    Index run_ = 1, block_ = 1, blocks_ = 1, outer_count_ = 1;
    bool transposed_ = false;  // rows visit neighbours of some operand's elements
    Offsets<N> run_stride_{};
    bool is_cut_ = false;      // the rows have a part of some axis
    StridedAxis<N> chunks_{};  // from part to part of it
    Axes<N> taken_;            // that the rows go along
    Rows rows_, last_rows_;    // the latter of the last part, which may be shorter
    Axes<N> outer_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
