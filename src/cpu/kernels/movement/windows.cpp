// The geometry of gather and scatter.
#include "cpu/kernels/movement/windows.hpp"

#include <algorithm>
#include <cstdlib>

#include "cpu/kernels/loops/partition.hpp"
#include "tenferro/tensor/dot_general.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {
constexpr Index kLeastPiece = 128;  // contiguous elements
}

Windows::Windows(const TensorRead& batched, const TensorRead& whole, const TensorRead& indices,
                 const GatherConfig& config, Outside outside)
    : whole_(whole),
      indices_(indices),
      config_(config),
      outside_(outside),
      component_stride_(config.index_vector_dim < static_cast<Index>(indices.rank())
                            ? indices.strides()[config.index_vector_dim]
                            : 0) {
    const Dims batch_axes = free_axes(batched.rank(), config.offset_dims, {});
    for (std::size_t axis = 0; axis < indices.rank(); ++axis)
        if (static_cast<Index>(axis) != config.index_vector_dim)
            batch_.push_back({indices.shape()[axis],
                              {batched.strides()[batch_axes[batch_.size()]], indices.strides()[axis]}});
    count_ = size_of(batch_);
    for (const Index axis : config.start_index_map)
        components_.push_back({axis, whole.shape()[axis] - config.slice_sizes[axis], whole.strides()[axis]});
    window_axes_ = free_axes(whole.rank(), config.collapsed_slice_dims, {});
    for (std::size_t i = 0; i < window_axes_.size(); ++i)
        window_strides_.push_back(batched.strides()[config.offset_dims[i]]);
    fuse_axes();
}

void Windows::fuse_axes() {
    Dims shape, batched_strides, whole_strides;
    cut_stride_ = {0, cut_ < 0 ? 0 : whole_.strides()[cut_]};
    for (std::size_t i = 0; i < window_axes_.size(); ++i) {
        const Index axis = window_axes_[i];
        if (axis == cut_) {
            cut_stride_[0] = window_strides_[i];
            continue;
        }
        shape.push_back(config_.slice_sizes[axis]);
        batched_strides.push_back(window_strides_[i]);
        whole_strides.push_back(whole_.strides()[axis]);
    }
    axes_ = fused_axes<2>(shape, {&batched_strides, &whole_strides}, base_);
    cut_position_ = -1;
    if (cut_ < 0 || config_.slice_sizes[cut_] == 1) return;
    cut_position_ = 0;
    while (cut_position_ < static_cast<Index>(axes_.size()) &&
           axes_[cut_position_].stride[0] < std::abs(cut_stride_[0]))
        ++cut_position_;
    axes_.insert(static_cast<std::size_t>(cut_position_), {config_.slice_sizes[cut_], cut_stride_});
}

bool Windows::is_moved(Index axis) const {
    return std::any_of(components_.begin(), components_.end(),
                       [axis](const Component& c) { return c.axis == axis; });
}

Index Windows::cut(Index parts) {
    Index best = 1;
    for (Index axis = 0; axis < static_cast<Index>(whole_.rank()); ++axis) {
        const Index extent = is_moved(axis) ? whole_.shape()[axis] : config_.slice_sizes[axis];
        // Shares of an axis that indices move may be unequal; short pieces of contiguous windows are worse.
        const Index pieces = !is_moved(axis) && whole_.strides()[axis] == 1 ? extent / kLeastPiece : extent;
        const Index score = std::min(pieces, parts * (is_moved(axis) ? 1 : 2));
        if (score <= best) continue;
        best = score;
        cut_ = axis;
        cut_extent_ = extent;
    }
    parts_ = std::min(best, parts);
    if (parts_ > 1) fuse_axes();
    return parts_;
}

bool Windows::prefers_batch() const {
    for (const Component& component : components_)
        if (config_.slice_sizes[component.axis] > 1) return false;
    if (axes_.empty() || batch_.empty()) return false;
    for (std::size_t axis = 0; axis < batch_.size(); ++axis)
        if (batch_[axis].extent > 1) return std::abs(batch_[axis].stride[0]) < std::abs(axes_[0].stride[0]);
    return false;
}

Index Windows::places(Index begin, Index end, Index part, Place* places) const {
    const Range share = range_of(cut_extent_, part, parts_);
    const std::span<const Component> components(components_.data(), components_.size());
    // Copies of members: places are written through a pointer to Index, which might point at them.
    const bool clamped = outside_ == Outside::Clamped;
    const Index base = base_[1], cut = cut_, cut_slice = cut < 0 ? 1 : config_.slice_sizes[cut];
    const Offsets<2> cut_stride = cut_stride_;
    Odometer<2> batch(batch_, begin, {base_[0], 0});
    Place* next = places;
    for (Index n = begin; n < end; ++n, batch.advance()) {
        Index whole = base, cut_start = 0, at = batch.in(1);
        bool kept = true;
        for (const Component& component : components) {
            const Index given = index_at(at), start = std::clamp<Index>(given, 0, component.last);
            kept = kept && (clamped || start == given);
            whole += start * component.stride;
            if (component.axis == cut) cut_start = start;
            at += component_stride_;
        }
        Index first = 0, extent = 1;
        if (cut >= 0) {
            first = std::max<Index>(share.begin - cut_start, 0);
            extent = std::min(share.end - cut_start, cut_slice) - first;
        }
        *next = {{batch.in(0) + first * cut_stride[0], whole + first * cut_stride[1]}, extent};
        kept &= extent > 0;
        next += kept ? 1 : 0;  // without a branch that depends on the indices
    }
    return next - places;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
