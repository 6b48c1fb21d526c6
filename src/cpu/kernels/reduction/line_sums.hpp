// LineSums: how neighbouring results are made, those of a line of the fastest kept axis. Where the input's
// fastest axis is reduced, each is a sum of contiguous runs, four at once where there are enough; where it is
// kept, a block of results is accumulated row by row; so it is where a short fastest axis is reduced together
// with far ones. Both feed partial sums to a pairwise accumulator. "Sum" stands for the reduction M, a
// functor of reduction.hpp.
#pragma once

#include <algorithm>

#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/reduction/fold.hpp"
#include "cpu/kernels/reduction/pairwise_sum.hpp"
#include "cpu/kernels/reduction/reduced_axes.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

inline constexpr Index kShortRun = 16;  // elements

/// The sums of lines of results that differ in where they begin. How a sum is rounded does not depend on
/// which results are asked for together, as long as they are whole units.
template <class M, class T>
class LineSums {
public:
    LineSums(const Fold<M, T>& fold, const ReduceTask<T>& task)
        : fold_(fold), task_(task), row_(task.row()), way_(way_of()) {}

    /// Results of the line that are accumulated together.
    [[nodiscard]] Index unit() const noexcept { return way_ == Way::Rows || way_ == Way::Runs ? kWide : 1; }

    /// The results to[0 ..] whose first element is from[0]. `sum` is memory for one thread.
    void make(const T* from, T* to, Index count, PairwiseSum<M, T>& sum, Watch& watch) const {
        const Reduced& reduced = task_.reduced;
        const auto [step, to_step] = row_.stride;
        if (way_ == Way::Lines) return fold_.runs(to, to_step, from, count, step, reduced.run);
        for (Index i = 0; i < count; i += unit()) {
            const Index width = std::min(unit(), count - i);
            const T* const p = from + i * step;
            if (way_ == Way::Alone) {
                to[i * to_step] = reduced.axes.empty() ? fold_.run(p, reduced.run, reduced.run_stride)
                                                       : one_of_many_runs(p, sum);
                watch.did(reduced.terms());
            } else if (way_ == Way::Runs) {
                add_runs(p, width, to + i * to_step, sum, watch);
            } else {
                add_rows(p, width, to + i * to_step, sum, watch);
            }
        }
    }

private:
    enum class Way { Lines, Rows, Runs, Alone };

    static constexpr Index kWide = 8192 / static_cast<Index>(sizeof(T));  // of a block: long streams
    static constexpr Index kLeafRows = 32;      // that are added plainly into a block
    static constexpr Index kLeafTerms = 128;    // of short runs, that are added plainly
    static constexpr Index kNarrowLeaf = 1024;  // elements of the rows of a narrow block, at least kLeafTerms

    [[nodiscard]] Way way_of() const {
        const Reduced& reduced = task_.reduced;
        const Index results = row_.extent, step = row_.stride[kInput];
        if (reduced.run_stride == 0 || (step != 0 && step < reduced.run_stride)) return Way::Rows;
        const bool in_lines = fold_.takes_lines(reduced.run, reduced.run_stride);
        // Results one after the other whose runs are short, or whose far axes are walked together.
        const bool together =
            reduced.axes.empty() ? reduced.run <= kMostInterleaved : step < reduced.axes[0].stride[0];
        const Index least = reduced.run < kShortRun ? kShortRun : 2;
        if (together && step != 0 && reduced.run < kWide && results >= least) {
            if (reduced.run < kShortRun) return Way::Rows;
            if (in_lines) return Way::Runs;
        }
        return in_lines && reduced.axes.empty() && results >= kShortRun ? Way::Lines : Way::Alone;
    }

    T one_of_many_runs(const T* from, PairwiseSum<M, T>& sum) const {
        const Reduced& reduced = task_.reduced;
        sum.restart(1);
        Odometer<1> runs(reduced.axes);
        const Index together = std::max<Index>(kLeafTerms / reduced.run, 1), count = size_of(reduced.axes);
        for (Index r = 0; r < count;) {
            T* const leaf = sum.open_leaf();
            for (const Index last = std::min(r + together, count); r < last; ++r, runs.advance())
                *leaf = M{}(*leaf, fold_.run(from + runs.in(0), reduced.run, reduced.run_stride));
            sum.close_leaf();
        }
        return *sum.finish();
    }

    void add_rows(const T* from, Index width, T* to, PairwiseSum<M, T>& sum, Watch& watch) const {
        const Reduced& reduced = task_.reduced;
        const auto [step, to_step] = row_.stride;
        const Index plain_rows = width < kShortRun ? std::max(kLeafTerms, kNarrowLeaf / width) : kLeafRows;
        const Index leaf_rows = kAnyOrder<M, T> ? std::max(kWatchedElements / width, kLeafRows) : plain_rows;
        if (reduced.axes.empty() && reduced.run <= leaf_rows && to_step == 1) {
            std::fill_n(to, width, M::template identity<T>());
            fold_.rows(to, width, step, from, reduced.run, reduced.run_stride);
            watch.did(width * reduced.run);
            return;
        }
        sum.restart(width);
        T* leaf = sum.open_leaf();
        Index in_leaf = 0;
        Odometer<1> rows(reduced.axes);
        do {
            const T* row = from + rows.in(0);
            for (Index first = 0, here = 0; first < reduced.run; first += here) {
                here = std::min(leaf_rows - in_leaf, reduced.run - first);
                fold_.rows(leaf, width, step, row + first * reduced.run_stride, here, reduced.run_stride);
                watch.did(here * width);
                in_leaf += here;
                if (in_leaf < leaf_rows) continue;
                in_leaf = 0;
                if constexpr (!kAnyOrder<M, T>) {
                    sum.close_leaf();
                    leaf = sum.open_leaf();
                }
            }
        } while (rows.advance());
        if (kAnyOrder<M, T> || in_leaf > 0) sum.close_leaf();
        store(sum.finish(), width, to);
    }

    void add_runs(const T* from, Index width, T* to, PairwiseSum<M, T>& sum, Watch& watch) const {
        const Reduced& reduced = task_.reduced;
        sum.restart(width);
        Odometer<1> rows(reduced.axes);
        do {
            fold_.runs(sum.open_leaf(), 1, from + rows.in(0), width, row_.stride[kInput], reduced.run);
            sum.close_leaf();
            watch.did(width * reduced.run);
        } while (rows.advance());
        store(sum.finish(), width, to);
    }

    void store(const T* total, Index width, T* to) const {
        for (Index i = 0; i < width; ++i) to[i * row_.stride[kResult]] = total[i];
    }

    const Fold<M, T>& fold_;
    const ReduceTask<T>& task_;
    const StridedAxis<2> row_;
    const Way way_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
