// LineSums: how neighbouring results are made, those of a line of the fastest kept axis. Where the input's
// fastest axis is reduced, each is a sum of contiguous runs, four at once where there are enough; where it is
// kept, a block of results is accumulated row by row. Both feed partial sums to a pairwise accumulator.
// "Sum" stands for the reduction M, a functor of reduction.hpp.
#pragma once

#include <algorithm>

#include "cpu/kernels/loops/partition.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/reduction/fold.hpp"
#include "cpu/kernels/reduction/pairwise_sum.hpp"
#include "cpu/kernels/reduction/reduce_task.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

inline constexpr Index kShortRun = 16;  // elements

/// The sums of lines of results that differ in where they begin. How a sum is rounded does not depend on
/// which results are asked for together, as long as they are whole units.
template <class M, class T>
class LineSums {
public:
    LineSums(const Fold<M, T>& fold, const ReduceAxes& axes) : fold_(fold), far_(axes_of(axes, true)) {
        const ReduceAxes kept = axes_of(axes, false);
        if (!kept.empty()) row_ = kept[0];
        if (!far_.empty()) {
            run_ = far_[0].extent;
            run_stride_ = far_[0].stride[kInput];
            far_.erase(0);
        }
        runs_ = size_of(far_);
        way_ = way_of();
        unit_ = unit_of();
    }

    /// Elements of memory for the sums of a unit.
    [[nodiscard]] Index memory() const noexcept {
        const Index leaves = way_ == Way::Rows ? run_ * runs_ / kLeafRows + 1 : runs_;
        return memory_of_sum<T>(std::min(unit_, row_.extent), leaves);
    }
    /// The fastest kept axis.
    [[nodiscard]] const StridedAxis<2>& row() const noexcept { return row_; }
    /// Results of the line that are accumulated together.
    [[nodiscard]] Index unit() const noexcept { return unit_; }

    /// The results to[0 ..] whose first element is from[0]. `memory` has memory() elements.
    void make(const T* from, T* to, Index count, T* memory, Watch& watch) const {
        const auto [step, to_step] = row_.stride;
        const Index together = way_ == Way::Lines ? kMostLines : unit_;
        for (Index i = 0; i < count; i += together) {
            const T* const p = from + i * step;
            T* const q = to + i * to_step;
            const Index width = std::min(together, count - i);
            switch (way_) {
                case Way::Lines: fold_.runs(q, to_step, p, width, step, run_); break;
                case Way::Runs: add_runs(p, width, q, memory, watch); break;
                case Way::Rows: add_rows(p, width, q, memory, watch); break;
                case Way::Alone:
                    *q = far_.empty() ? fold_.run(p, run_, run_stride_) : sum_of_runs(p, memory);
                    watch.did(run_ * runs_);
            }
        }
    }

private:
    enum class Way { Lines, Runs, Rows, Alone };

    static constexpr Index kLeafRows = 32;      // that are added plainly into a block
    static constexpr Index kLeafTerms = 128;    // of short runs, that are added plainly
    static constexpr Index kNarrowLeaf = 1024;  // elements of the rows of a narrow block, at least kLeafTerms

    static constexpr Index kMostLines = 1 << 14;  // that are read together, in streams far apart
    static constexpr Index kNearRuns = 1 << 15;   // elements of runs side by side
    static constexpr Index kWide = (1 << 15) / std::max<Index>(sizeof(T), 4);  // of a block: long streams

    [[nodiscard]] Way way_of() const {
        const Index results = row_.extent, step = row_.stride[kInput];
        if (run_stride_ == 0 || (step != 0 && step < run_stride_)) return Way::Rows;
        const bool together = far_.empty() ? run_ <= kMostInterleaved : step < far_[0].stride[kInput];
        if (together && step != 0 && run_ < kShortRun && results >= kShortRun) return Way::Rows;
        if (!fold_.takes_lines(run_, run_stride_)) return Way::Alone;
        if (far_.empty()) return results >= kLinesAtOnce ? Way::Lines : Way::Alone;
        return together && results >= kLinesAtOnce ? Way::Runs : Way::Alone;
    }

    [[nodiscard]] Index unit_of() const {
        if (way_ == Way::Runs) return std::min(kNearRuns / run_ / kLinesAtOnce + 1, kWide) * kLinesAtOnce;
        if (way_ != Way::Rows) return 1;
        return (even_part(row_.extent, kWide) + kShortRun - 1) / kShortRun * kShortRun;
    }

    T sum_of_runs(const T* from, T* memory) const {
        PairwiseSum<M, T> sum(fold_, memory, 1);
        Odometer<2> at(far_);
        const Index together = std::max<Index>(kLeafTerms / run_, 1);
        for (Index r = 0; r < runs_;) {
            T* const leaf = sum.open_leaf();
            for (const Index last = std::min(r + together, runs_); r < last; ++r, at.advance())
                *leaf = M{}(*leaf, fold_.run(from + at.in(kInput), run_, run_stride_));
            sum.close_leaf();
        }
        return *sum.finish();
    }

    void add_runs(const T* from, Index width, T* to, T* memory, Watch& watch) const {
        PairwiseSum<M, T> sum(fold_, memory, width);
        Odometer<2> at(far_);
        do {
            fold_.runs(sum.open_leaf(), 1, from + at.in(kInput), width, row_.stride[kInput], run_);
            sum.close_leaf();
            watch.did(width * run_);
        } while (at.advance());
        store(sum.finish(), width, to);
    }

    void add_rows(const T* from, Index width, T* to, T* memory, Watch& watch) const {
        const Index plain_rows = width < kShortRun ? std::max(kLeafTerms, kNarrowLeaf / width) : kLeafRows;
        const Index watched_rows = std::max<Index>(kWatchedElements / width / 8 * 8, 8);
        const Index leaf_rows = kAnyOrder<M, T> ? std::max(kWatchedElements / width, kLeafRows) : plain_rows;
        if (far_.empty() && run_ <= leaf_rows && row_.stride[kResult] == 1) {
            std::fill_n(to, width, M::template identity<T>());
            for (Index first = 0; first < run_; first += watched_rows) {
                const Index here = std::min(watched_rows, run_ - first);
                fold_.rows(to, width, row_.stride[kInput], from + first * run_stride_, here, run_stride_);
                watch.did(width * here);
            }
            return;
        }
        store(sum_of_rows(from, width, leaf_rows, memory, watch), width, to);
    }

    const T* sum_of_rows(const T* from, Index width, Index leaf_rows, T* memory, Watch& watch) const {
        PairwiseSum<M, T> sum(fold_, memory, width);
        T* leaf = sum.open_leaf();
        Index in_leaf = 0;
        Odometer<2> at(far_);
        do {
            const T* const rows = from + at.in(kInput);
            for (Index first = 0, here = 0; first < run_; first += here) {
                here = std::min(leaf_rows - in_leaf, run_ - first);
                fold_.rows(leaf, width, row_.stride[kInput], rows + first * run_stride_, here, run_stride_);
                watch.did(here * width);
                in_leaf += here;
                if (in_leaf < leaf_rows) continue;
                in_leaf = 0;
                if constexpr (kAnyOrder<M, T>) continue;
                sum.close_leaf();
                leaf = sum.open_leaf();
            }
        } while (at.advance());
        if (kAnyOrder<M, T> || in_leaf > 0) sum.close_leaf();
        return sum.finish();
    }

    void store(const T* total, Index width, T* to) const {
        for (Index i = 0; i < width; ++i) to[i * row_.stride[kResult]] = total[i];
    }

    const Fold<M, T>& fold_;
    StridedAxis<2> row_{1, {0, 0}};
    ReduceAxes far_;                  // the reduced axes but the fastest
    Index run_ = 1, run_stride_ = 0;  // the fastest one
    Index runs_ = 1;
    Way way_;
    Index unit_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
