// Windows: where the windows of gather and scatter lie. The axis lists become strides once; after that a
// window is a pair of offsets. `batched` is gather's result or scatter's updates, `whole` the other tensor.
#pragma once

#include <span>

#include "cpu/kernels/loops/odometer.hpp"
#include "tenferro/tensor/gather_scatter.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Where one window, or what a task does of it, begins, and its extent along the axis that tasks are cut
/// along.
struct Place {
    Offsets<2> at;  ///< in batched, in whole
    Index extent;
};

/// What becomes of windows that are not inside the whole tensor.
enum class Outside { Clamped, Dropped };

class Windows {
public:
    Windows(const TensorRead& batched, const TensorRead& whole, const TensorRead& indices,
            const GatherConfig& config, Outside outside);

    /// Number of windows.
    [[nodiscard]] Index count() const noexcept { return count_; }

    /// Cuts the whole tensor into at most `parts` along one axis; returns how many. An axis that no index
    /// moves is best: every window then has its share of every part.
    Index cut(Index parts);

    /// Writes the places of the windows [begin, end), in order, as far as they lie in `part`; returns their
    /// number.
    Index places(Index begin, Index end, Index part, Place* places) const;

    /// The window's axes with strides in batched and in whole, those of `batched` fastest first.
    [[nodiscard]] Axes<2> axes() const { return axes_; }
    /// The position in axes() of the axis whose extent places give, or -1.
    [[nodiscard]] Index cut_axis() const noexcept { return cut_position_; }

    /// Whether the same element of consecutive windows is nearer in batched than its neighbours in the
    /// window, and no element of the whole tensor belongs to different elements of two windows.
    [[nodiscard]] bool prefers_batch() const;

private:
    struct Component {  // of index vectors
        Index axis, last, stride;
    };

    [[nodiscard]] Index index_at(Index offset) const noexcept {
        return indices_.dtype() == DType::I32 ? indices_.data_as<std::int32_t>()[offset]
                                              : indices_.data_as<std::int64_t>()[offset];
    }
    [[nodiscard]] bool is_moved(Index axis) const;
    void fuse_axes();

    const TensorRead& whole_;
    const TensorRead& indices_;
    const GatherConfig& config_;
    const Outside outside_;
    SmallVector<Component, 4> components_;
    Axes<2> batch_;  // the batch axes in batched and in indices
    Index component_stride_ = 0, count_ = 1;
    Dims window_axes_, window_strides_;  // axes of whole that windows have, and their strides in batched
    Offsets<2> base_{};
    Axes<2> axes_;
    Index parts_ = 1, cut_ = -1, cut_position_ = -1;  // axis of whole, position in axes_
    Index cut_extent_ = 1;
    Offsets<2> cut_stride_{};
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
