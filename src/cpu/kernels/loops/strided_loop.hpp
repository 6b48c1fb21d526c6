// StridedLoop: the order in which elementwise kernels walk N operands of one shape and different strides.
// Axes are sorted by the output's strides and fused; what is left is cut into tiles that hold the fastest
// axes of every operand, so that each cache line is used while it is there. Inside a tile rank disappears: a
// row is an offset from a table, an element a position in a run. 24 axes of extent 2 cost the same as a
// matrix.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

template <std::size_t N>
using Offsets = std::array<Index, N>;

/// One axis as every operand sees it; operand 0 is the output.
template <std::size_t N>
struct StridedAxis {
    Index extent;
    Offsets<N> stride;
};

/// Axes of extent > 1, the output's fastest first, adjacent ones fused where all operands allow it. Negative
/// output strides are turned round; `base` receives what that adds to the operands' offsets.
template <std::size_t N>
SmallVector<StridedAxis<N>, 8> fused_axes(std::span<const Index> shape,
                                          const std::array<const Dims*, N>& strides, Offsets<N>& base) {
    SmallVector<StridedAxis<N>, 8> axes;
    base.fill(0);
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] == 1) continue;
        StridedAxis<N> a{shape[axis], {}};
        for (std::size_t k = 0; k < N; ++k) a.stride[k] = (*strides[k])[axis];
        if (a.stride[0] < 0)
            for (std::size_t k = 0; k < N; ++k) {
                base[k] += (a.extent - 1) * a.stride[k];
                a.stride[k] = -a.stride[k];
            }
        const auto is_faster = [](const auto& x, const auto& y) { return x.stride[0] < y.stride[0]; };
        axes.insert(
            static_cast<std::size_t>(std::upper_bound(axes.begin(), axes.end(), a, is_faster) - axes.begin()),
            a);
    }
    std::size_t kept = 0;
    for (std::size_t i = 1; i < axes.size(); ++i) {
        bool fusable = true;
        for (std::size_t k = 0; k < N; ++k)
            fusable = fusable && axes[i].stride[k] == axes[kept].stride[k] * axes[kept].extent;
        if (fusable)
            axes[kept].extent *= axes[i].extent;
        else
            axes[++kept] = axes[i];
    }
    if (!axes.empty()) axes.resize(kept + 1, axes[0]);
    return axes;
}

template <std::size_t N>
class StridedLoop {
public:
    /// All operands have `shape`, which has no zero extent.
    StridedLoop(std::span<const Index> shape, const std::array<const Dims*, N>& strides) {
        auto axes = fused_axes<N>(shape, strides, base_);
        take_run(axes);
        take_rows(axes);
        block_ = std::min<Index>(run_, transposed_ ? kBlockedRun : kPlainRun);
        blocks_ = (run_ + block_ - 1) / block_;
        outer_ = std::move(axes);
        for (const auto& axis : outer_) outer_count_ *= axis.extent;
    }

    [[nodiscard]] const Offsets<N>& run_stride() const noexcept { return run_stride_; }
    /// Number of elements of a tile, but for those at the ends of long runs.
    [[nodiscard]] Index tile_elements() const noexcept { return static_cast<Index>(rows_.size()) * block_; }
    /// Whether the elements of every tile, row after row, lie one after the other in operand k.
    [[nodiscard]] bool is_line(std::size_t k) const noexcept {
        if (run_ > 1 && run_stride_[k] != 1) return false;
        if (rows_.size() > 1 && blocks_ > 1) return false;
        for (std::size_t r = 1; r < rows_.size(); ++r)
            if (rows_[r][k] != static_cast<Index>(r) * run_) return false;
        return true;
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
        if (context.threads() == 1 || elements < (kParallelElements + cost - 1) / cost) {
            chunk([&](auto&& tile) { run_units(0, outer_count_ * blocks_, tile); });
            return;
        }
        if (cost > 1 && outer_count_ * blocks_ < 4 * context.threads()) {
            const Index pieces = (4 * context.threads() + outer_count_ - 1) / outer_count_;
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
        const Index units = outer_count_ * blocks_;
        const Index chunks = std::min<Index>(units, 4 * context.threads());
        context.parallel_for(chunks, [&](Index c) {
            chunk([&](auto&& tile) { run_units(units * c / chunks, units * (c + 1) / chunks, tile); });
        });
    }

private:
    static constexpr Index kShortestRun = 16;  // shorter innermost axes go into the row table
    static constexpr Index kBlockedRun =
        64;  // run length where something is transposed: rows times lines stay in L1
    static constexpr Index kPlainRun = 16384;   // run length when nothing is transposed
    static constexpr Index kTileElements = 64;  // of the output, before input axes join the tile
    static constexpr Index kLineElements = 16;  // of each input
    static constexpr Index kMostRows = 4096;
    static constexpr Index kParallelElements = 32768;  // below, a fork costs more than it saves
    using Axes = SmallVector<StridedAxis<N>, 8>;

    void take_run(Axes& axes) {
        if (axes.empty() || (axes[0].extent < kShortestRun && axes.size() > 1)) return;
        run_ = axes[0].extent;
        run_stride_ = axes[0].stride;
        axes.erase(0);
    }

    /// Moves the fastest axes of each operand from `axes` to the row table.
    void take_rows(Axes& axes) {
        rows_.push_back({});
        Index count = 1;
        for (std::size_t k = 0; k < N; ++k) {
            const bool whole_lines = std::abs(run_stride_[k]) <= 1 && run_ >= kLineElements;
            const Index wanted = k == 0 ? kTileElements : kLineElements;
            for (Index have = whole_lines ? wanted : 1; have < wanted;) {
                const Index fastest = fastest_axis(axes, k);
                if (fastest < 0) break;
                transposed_ = true;
                if (count * axes[fastest].extent >
                    kMostRows) {  // too long for the table: make it the innermost outer axis
                    std::rotate(axes.begin(), axes.begin() + fastest, axes.begin() + fastest + 1);
                    break;
                }
                have *= axes[fastest].extent;
                count *= axes[fastest].extent;
                add_rows(axes[fastest]);
                axes.erase(fastest);
            }
        }
        if (rows_.size() > 1) std::sort(rows_.begin(), rows_.end());
    }

    static Index fastest_axis(const Axes& axes, std::size_t operand) {
        Index best = -1;
        for (Index i = 0; i < static_cast<Index>(axes.size()); ++i) {
            const Index stride = std::abs(axes[i].stride[operand]);
            if (stride != 0 && (best < 0 || stride < std::abs(axes[best].stride[operand]))) best = i;
        }
        return best;
    }

    void add_rows(const StridedAxis<N>& axis) {
        const std::size_t before = rows_.size();
        rows_.reserve(before * static_cast<std::size_t>(axis.extent));
        for (Index i = 1; i < axis.extent; ++i)
            for (std::size_t r = 0; r < before; ++r) {
                Offsets<N> row = rows_[r];
                for (std::size_t k = 0; k < N; ++k) row[k] += i * axis.stride[k];
                rows_.push_back(row);
            }
    }

    template <class Tile>
    void run_units(Index begin, Index end, Tile& tile) const {
        Dims index(outer_.size(), 0);
        Offsets<N> origin = base_;
        Index rest = begin / blocks_;
        for (std::size_t axis = 0; axis < outer_.size(); ++axis) {
            index[axis] = rest % outer_[axis].extent;
            rest /= outer_[axis].extent;
            for (std::size_t k = 0; k < N; ++k) origin[k] += index[axis] * outer_[axis].stride[k];
        }
        Index block = begin % blocks_;
        for (Index unit = begin; unit < end; ++unit) {
            Offsets<N> start = origin;
            for (std::size_t k = 0; k < N; ++k) start[k] += block * block_ * run_stride_[k];
            tile(start, std::span<const Offsets<N>>(rows_.data(), rows_.size()),
                 std::min(block_, run_ - block * block_));
            if (++block == blocks_) {
                block = 0;
                advance(index, origin);
            }
        }
    }

    void advance(Dims& index, Offsets<N>& origin) const {
        for (std::size_t axis = 0; axis < outer_.size(); ++axis) {
            const auto& a = outer_[axis];
            if (++index[axis] < a.extent) {
                for (std::size_t k = 0; k < N; ++k) origin[k] += a.stride[k];
                return;
            }
            index[axis] = 0;
            for (std::size_t k = 0; k < N; ++k) origin[k] -= (a.extent - 1) * a.stride[k];
        }
    }

    Offsets<N> base_{};
    Index run_ = 1, block_ = 1, blocks_ = 1, outer_count_ = 1;
    bool transposed_ = false;  // rows visit neighbours of some operand's elements
    Offsets<N> run_stride_{};
    SmallVector<Offsets<N>, 16> rows_;
    Axes outer_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
