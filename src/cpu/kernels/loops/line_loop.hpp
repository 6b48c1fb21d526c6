// LineLoop: visits all lines of a tensor along one axis, in blocks of neighbouring lines, so that a kernel
// can go along the axis with a whole block at a time and use each cache line while it is there. Where the
// lines themselves are contiguous a block is a single line.
#pragma once

#include <algorithm>

#include "cpu/kernels/loops/strided_loop.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

class LineLoop {
public:
    static constexpr Index kMostLines = 64;

    /// `out` has a's axes, or all but `axis`. Neither has a zero extent outside `axis`.
    LineLoop(const TensorRead& a, Index axis, const TensorWrite& out)
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
        block_ = contiguous ? 1 : std::min(lines_, kMostLines);
        for (const auto& outer : outer_) outer_count_ *= outer.extent;
    }

    /// Number of elements of each line, and the distance between them in `out` and `a`.
    [[nodiscard]] Index length() const noexcept { return length_; }
    [[nodiscard]] const Offsets<2>& step() const noexcept { return step_; }
    /// Distance between the lines of a block.
    [[nodiscard]] const Offsets<2>& line_stride() const noexcept { return line_stride_; }

    /// Calls block(origin, count) for blocks of count <= kMostLines lines; origin is the offset of the first
    /// element of the first line in `out` and `a`. In parallel when there is enough to do.
    template <class Block>
    void run(CpuContext& context, Block&& block) const {
        const Index blocks = (lines_ + block_ - 1) / block_, units = outer_count_ * blocks;
        const auto visit = [&](Index begin, Index end) {
            for (Index unit = begin; unit < end; ++unit) {
                const Index first = unit % blocks * block_;
                block(origin(unit / blocks, first), std::min(block_, lines_ - first));
            }
        };
        if (context.threads() == 1 || units == 1 || outer_count_ * lines_ * length_ < kParallelElements)
            return visit(0, units);
        const Index chunks = std::min<Index>(units, 4 * context.threads());
        context.parallel_for(chunks, [&](Index c) { visit(units * c / chunks, units * (c + 1) / chunks); });
    }

private:
    static constexpr Index kParallelElements = 32768;  // below, a fork costs more than it saves

    [[nodiscard]] Offsets<2> origin(Index rest, Index first_line) const {
        Offsets<2> at{base_[0] + first_line * line_stride_[0], base_[1] + first_line * line_stride_[1]};
        for (const auto& axis : outer_) {
            for (std::size_t k = 0; k < 2; ++k) at[k] += rest % axis.extent * axis.stride[k];
            rest /= axis.extent;
        }
        return at;
    }

    Index length_, lines_ = 1, block_ = 1, outer_count_ = 1;
    Offsets<2> step_, line_stride_{}, base_{};
    SmallVector<StridedAxis<2>, 8> outer_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
