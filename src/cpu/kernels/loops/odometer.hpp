// Odometer: walks a loop nest, first axis fastest, and keeps where it is in every tensor.
#pragma once

#include "cpu/kernels/loops/axes.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

template <std::size_t N>
class Odometer {
public:
    /// Stands at element `start` of the nest without its `inner` fastest axes; `origin` is where element 0
    /// lies. Refers to `axes`.
    explicit Odometer(const Axes<N>& axes, Index start = 0, const Offsets<N>& origin = {},
                      std::size_t inner = 0)
        : axes_(axes), inner_(inner), at_(origin), position_(axes.size(), 0) {
        for (std::size_t i = inner; start != 0 && i < axes.size(); ++i) {
            position_[i] = start % axes[i].extent;
            start /= axes[i].extent;
            for (std::size_t k = 0; k < N; ++k) at_[k] += position_[i] * axes[i].stride[k];
        }
    }

    /// One step; false, and back at the first element, after the last.
    bool advance() noexcept {
        for (std::size_t i = inner_; i < axes_.size(); ++i) {
            const StridedAxis<N>& axis = axes_[i];
            for (std::size_t k = 0; k < N; ++k) at_[k] += axis.stride[k];
            if (++position_[i] < axis.extent) return true;
            for (std::size_t k = 0; k < N; ++k) at_[k] -= axis.extent * axis.stride[k];
            position_[i] = 0;
        }
        return false;
    }

    /// By how much advance() moves the offset in a tensor.
    [[nodiscard]] Index next_step(std::size_t tensor) const noexcept {
        Index step = 0;
        for (std::size_t i = inner_; i < axes_.size(); ++i) {
            const StridedAxis<N>& axis = axes_[i];
            if (position_[i] + 1 < axis.extent) return step + axis.stride[tensor];
            step -= position_[i] * axis.stride[tensor];
        }
        return step;
    }

    /// The offsets in all tensors, and in one.
    [[nodiscard]] const Offsets<N>& at() const noexcept { return at_; }
    [[nodiscard]] Index in(std::size_t tensor) const noexcept { return at_[tensor]; }
    /// Position along axis `i`.
    [[nodiscard]] Index operator[](std::size_t i) const noexcept { return position_[i]; }

private:
    const Axes<N>& axes_;
    const std::size_t inner_;
    Offsets<N> at_;
    Dims position_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
