// Axes: what the loop nests of all kernels are made of, with the strides that N tensors have along each; and
// the rules by which neighbouring axes become one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

template <std::size_t N>
using Offsets = std::array<Index, N>;

/// A loop and how far one step of it moves in every tensor; 0 where it does not touch one.
template <std::size_t N>
struct StridedAxis {
    Index extent;
    Offsets<N> stride;
};
template <std::size_t N>
using Axes = SmallVector<StridedAxis<N>, 8>;

/// The product, which is larger than an Index only where a tensor has no elements: nothing is then visited.
[[nodiscard]] constexpr Index wrapping_product(Index a, Index b) noexcept {
    return static_cast<Index>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// The number of elements of the nest.
template <std::size_t N>
[[nodiscard]] inline Index size_of(const Axes<N>& axes) noexcept {
    Index size = 1;
    for (const StridedAxis<N>& axis : axes) size = wrapping_product(size, axis.extent);
    return size;
}

/// Elements of tensor `k`, repeated ones once.
template <std::size_t N>
[[nodiscard]] Index distinct_elements(const Axes<N>& axes, std::size_t k) noexcept {
    Index elements = 1;
    for (const StridedAxis<N>& axis : axes)
        if (axis.stride[k] != 0) elements *= axis.extent;
    return elements;
}

/// Joins neighbouring axes that are one axis in all tensors alike.
template <std::size_t N>
inline void fuse(Axes<N>& axes) noexcept {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < axes.size(); ++i) {
        bool fusable = true;
        for (std::size_t k = 0; k < N; ++k)
            fusable =
                fusable && axes[i].stride[k] == wrapping_product(axes[kept].stride[k], axes[kept].extent);
        if (fusable)
            axes[kept].extent = wrapping_product(axes[kept].extent, axes[i].extent);
        else
            axes[++kept] = axes[i];
    }
    while (axes.size() > kept + 1) axes.pop_back();
}

/// Axes of extent > 1, those of tensor 0, the output, fastest first, fused. Negative output strides are
/// turned round; `base` receives what that adds to the tensors' offsets.
template <std::size_t N>
[[nodiscard]] Axes<N> fused_axes(std::span<const Index> shape, const std::array<const Dims*, N>& strides,
                                 Offsets<N>& base) {
    Axes<N> axes;
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
    fuse(axes);
    return axes;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
