// All results of a reduction in units that threads share, which depend on shapes alone. NestSums makes line
// after line of results. StagedSums are for axes of which inner and outer ones are reduced: what lies
// together, kept or not, is added up over the outer ones first, as one long row in near memory, and the sums
// of that are the results.
#pragma once

#include <optional>

#include "cpu/kernels/reduction/line_sums.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

template <class M, class T>
class NestSums {
public:
    NestSums(const Fold<M, T>& fold, const ReduceAxes& axes)
        : line_(fold, axes),
          kept_(axes_of(axes, false)),
          along_row_((line_.row().extent + line_.unit() - 1) / line_.unit()) {}

    [[nodiscard]] Index units() const noexcept { return size_of(kept_) / line_.row().extent * along_row_; }

    /// Elements of memory for one thread.
    [[nodiscard]] Index memory() const noexcept { return line_.memory(); }

    void make(const T* from, T* to, Index begin, Index end, T* memory, Watch& watch) const {
        const auto& [row, step] = line_.row();
        Odometer<2> lines(kept_, begin / along_row_, {}, 1);
        for (Index unit = begin % along_row_; begin < end; unit = 0, lines.advance()) {
            const Index here = std::min(along_row_ - unit, end - begin), first = unit * line_.unit();
            line_.make(from + lines.in(kInput) + first * step[kInput],
                       to + lines.in(kResult) + first * step[kResult],
                       std::min(here * line_.unit(), row - first), memory, watch);
            begin += here;
        }
    }

private:
    const LineSums<M, T> line_;
    const ReduceAxes kept_;
    const Index along_row_;
};

/// The axes inside of the slowest reduced one as far as they lie together in the input and in a block, of
/// which the last one may be a part of a kept axis; and the others.
struct ReduceStages {
    static constexpr Index kLeastRuns = 8;  // of one axis side by side; longer ones are read one by one

    ReduceAxes inside, outside;
    Index cut = 0;   // steps of the axis of which a part is inside, 0 where none is
    Index size = 1;  // elements of a block

    ReduceStages(const ReduceAxes& axes, Index most) {
        std::size_t slowest = axes.size();
        while (slowest > 0 && !is_reduced(axes[slowest - 1])) --slowest;
        for (std::size_t i = 0; i < axes.size(); ++i) {
            const StridedAxis<2>& axis = axes[i];
            const bool is_next = i + 1 < slowest && outside.empty() && axis.stride[kInput] == size;
            const Index fits = is_next ? std::min(most / size, axis.extent) : 0;
            const bool is_run = inside.size() == 1 && is_reduced(inside[0]);
            const Index least = is_reduced(axis) ? axis.extent : is_run ? kLeastRuns : 2;
            if (fits < std::min(least, axis.extent)) {
                outside.push_back(axis);
                continue;
            }
            inside.push_back({fits, axis.stride});
            size *= fits;
            if (fits == axis.extent) continue;
            cut = axis.extent;
            outside.push_back({(cut + fits - 1) / fits, {fits * axis.stride[0], fits * axis.stride[1]}});
        }
    }

    [[nodiscard]] bool pays() const {
        return !axes_of(inside, true).empty() && !axes_of(inside, false).empty();
    }
};

template <class M, class T>
class StagedSums {
public:
    /// `stages` pay.
    StagedSums(const Fold<M, T>& fold, const ReduceStages& stages)
        : size_(stages.size), blocks_(axes_of(stages.outside, false)) {
        ReduceAxes rows = axes_of(stages.outside, true), inside = stages.inside;
        rows.insert(0, {size_, {1, 1}});
        rows_.emplace(fold, rows);
        inside_.emplace(fold, inside);
        if (stages.cut == 0) return;
        StridedAxis<2>& cut = inside.back();
        const Index last = stages.cut - (blocks_[0].extent - 1) * cut.extent;
        last_size_ = size_ / cut.extent * last;
        cut.extent = last;
        last_inside_.emplace(fold, inside);
    }

    [[nodiscard]] Index units() const noexcept { return size_of(blocks_); }

    [[nodiscard]] Index memory() const noexcept {
        const Index last = last_inside_ ? last_inside_->memory() : 0;
        return memory_of_sum<T>(size_, 0) + std::max({rows_->memory(), inside_->memory(), last});
    }

    void make(const T* from, T* to, Index begin, Index end, T* memory, Watch& watch) const {
        T *const row = memory, *const rest = memory + memory_of_sum<T>(size_, 0);
        Odometer<2> at(blocks_, begin);
        for (; begin < end; ++begin, at.advance()) {
            const bool is_last = last_inside_ && at[0] + 1 == blocks_[0].extent;
            rows_->make(from + at.in(kInput), row, is_last ? last_size_ : size_, rest, watch);
            const NestSums<M, T>& inside = is_last ? *last_inside_ : *inside_;
            inside.make(row, to + at.in(kResult), 0, inside.units(), rest, watch);
        }
    }

private:
    Index size_, last_size_ = 0;
    ReduceAxes blocks_;  // the kept axes outside, that of blocks of the one that was cut first
    std::optional<LineSums<M, T>> rows_;
    std::optional<NestSums<M, T>> inside_, last_inside_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
