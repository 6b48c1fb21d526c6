// LineLoop: visits all lines of a tensor along one axis, in blocks of neighbouring lines, so that a kernel
// can go along the axis with a whole block at a time and use each cache line while it is there. Where the
// lines themselves are contiguous a block is a single line, or a few.
#pragma once

#include <algorithm>

#include "cpu/kernels/loops/odometer.hpp"
#include "cpu/kernels/loops/partition.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

class LineLoop {
public:
    static constexpr Index kMostLines = 128;

    /// `out` has a's axes, or all but `axis`. Neither has a zero extent outside `axis`. A block has up to
    /// `contiguous_lines` lines where they themselves are contiguous.
    LineLoop(const TensorRead& a, Index axis, const TensorWrite& out, Index contiguous_lines = 1)
        : length_(a.shape()[axis]), step_{0, a.strides()[axis]} {
        Dims kept = a.shape(), a_strides = a.strides(), out_strides = out.strides();
        kept.erase(static_cast<std::size_t>(axis));
        a_strides.erase(static_cast<std::size_t>(axis));
        if (out.rank() == a.rank()) {
            step_[0] = out_strides[axis];
            out_strides.erase(static_cast<std::size_t>(axis));
        }
        outer_ = fused_axes<2>(kept, {&out_strides, &a_strides}, base_);
        if (!outer_.empty()) {
            lines_ = outer_[0].extent;
            line_stride_ = outer_[0].stride;
            outer_.erase(0);
        }
        const bool contiguous = std::abs(step_[1]) < std::abs(line_stride_[1]);
        block_ = std::min(lines_, contiguous ? contiguous_lines : kMostLines);
        outer_count_ = size_of(outer_);
    }

    /// Number of elements of each line, and the distance between them in `out` and `a`.
    [[nodiscard]] Index length() const noexcept { return length_; }
    [[nodiscard]] const Offsets<2>& step() const noexcept { return step_; }
    /// Distance between the lines of a block, and how many in a row are so far apart.
    [[nodiscard]] const Offsets<2>& line_stride() const noexcept { return line_stride_; }
    [[nodiscard]] Index lines() const noexcept { return lines_; }

    /// Calls block(origin, count) for blocks of count <= kMostLines lines; origin is the offset of the first
    /// element of the first line in `out` and `a`. In parallel when there is enough to do, and where threads
    /// have `least_lines` of the same neighbours each: at every step along the axis they write to the same
    /// cache line where one's lines end and the other's begin.
    template <class Block>
    void run(CpuContext& context, Block&& block, Index least_lines = 0) const {
        const Index blocks = (lines_ + block_ - 1) / block_, units = outer_count_ * blocks;
        const auto visit = [&](Index begin, Index end) {
            Odometer<2> outer(outer_, begin / blocks, base_);
            for (Index unit = begin; unit < end; ++unit) {
                const Index first = unit % blocks * block_;
                Offsets<2> origin = outer.at();
                for (std::size_t k = 0; k < 2; ++k) origin[k] += first * line_stride_[k];
                block(origin, std::min(block_, lines_ - first));
                if (unit % blocks == blocks - 1) outer.advance();
            }
        };
        const bool are_few = outer_count_ * lines_ * length_ < kParallelElements,
                   are_narrow = outer_count_ < context.threads() && line_stride_[0] == 1 &&
                                lines_ < least_lines * context.threads();
        for_each_range(context, units, are_few || are_narrow, visit);
    }

private:
    Index length_, lines_ = 1, block_ = 1, outer_count_ = 1;
    Offsets<2> step_, line_stride_{}, base_{};
    Axes<2> outer_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
