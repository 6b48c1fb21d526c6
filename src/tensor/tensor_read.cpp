// View algebra: every function here is arithmetic on shape, strides and the data pointer.
#include "tenferro/tensor/tensor_read.hpp"

#include <algorithm>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/shape_rules.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

const std::byte* shifted(const std::byte* data, Index elements, DType dtype) noexcept {
    return elements == 0 ? data : data + elements * static_cast<Index>(info(dtype).bytes);
}

/// The strides in which a view with elements shows them in another shape of as many elements; false if there
/// are none. Both shapes are cut into the shortest groups of neighbouring axes with equal products: a group
/// keeps its order exactly when the old axes in it follow one another in memory.
bool reshape_strides(std::span<const Index> from, std::span<const Index> from_strides,
                     std::span<const Index> to, Dims& to_strides) {
    Dims extents, steps;
    for (std::size_t axis = 0; axis < from.size(); ++axis)
        if (from[axis] != 1) {
            extents.push_back(from[axis]);
            steps.push_back(from_strides[axis]);
        }
    std::size_t old_axis = 0;
    Index left = 1,
          step = 0;  // the part of the current old axis, with those fused to it, that is not taken yet
    for (const Index extent : to) {
        to_strides.push_back(step);
        if (extent == 1) continue;
        if (left == 1) {
            left = extents[old_axis];
            step = steps[old_axis++];
        }
        to_strides.back() = step;
        while (left % extent != 0) {
            if (old_axis == extents.size() || steps[old_axis] != extents[old_axis - 1] * steps[old_axis - 1])
                return false;
            left *= extents[old_axis++];
        }
        left /= extent;
        step *= extent;
    }
    return true;
}

}  // namespace

TensorRead TensorRead::transpose_view(DimsView perm) const {
    check_permutation(perm, rank(), "transpose");
    Dims shape, strides;
    for (const Index axis : perm) {
        shape.push_back(shape_[axis]);
        strides.push_back(strides_[axis]);
    }
    return {dtype_, data_, std::move(shape), std::move(strides), placement_};
}

TensorRead TensorRead::broadcast_view(DimsView shape, DimsView broadcast_dims) const {
    Dims result = ShapeRules<Index>::broadcast_in_dim(*this, shape, broadcast_dims).shape;
    Dims strides(result.size(), 0);
    for (std::size_t axis = 0; axis < rank(); ++axis) {
        const Index target = broadcast_dims[axis];
        if (shape_[axis] == result[target]) strides[target] = strides_[axis];
    }
    return {dtype_, data_, std::move(result), std::move(strides), placement_};
}

TensorRead TensorRead::diagonal_view(Index first, Index second) const {
    Dims shape = ShapeRules<Index>::extract_diagonal(*this, first, second).shape, strides = strides_;
    strides[first] += strides[second];
    strides.erase(second);
    return {dtype_, data_, std::move(shape), std::move(strides), placement_};
}

TensorRead TensorRead::select_view(Index axis, Index index) const {
    constexpr std::string_view op = "select_view";
    check_axes({&axis, 1}, rank(), op, "selected");
    if (index < 0 || index >= shape_[axis])
        throw Error(ErrorKind::InvalidArgument, op,
                    text("index ", index, " is out of range for axis ", axis, " of extent ", shape_[axis]));
    Dims shape = shape_, strides = strides_;
    const std::byte* data = shifted(data_, index * strides_[axis], dtype_);
    shape.erase(axis);
    strides.erase(axis);
    return {dtype_, data, std::move(shape), std::move(strides), placement_};
}

TensorRead TensorRead::slice_view(DimsView starts, DimsView limits, DimsView steps) const {
    Dims shape = ShapeRules<Index>::slice(*this, starts, limits, steps).shape, strides;
    Index offset = 0;
    for (std::size_t axis = 0; axis < rank(); ++axis) {
        strides.push_back(strides_[axis] * (shape[axis] > 1 ? steps[axis] : 1));
        offset += starts[axis] * strides_[axis];
    }
    TensorRead view(dtype_, data_, std::move(shape), std::move(strides), placement_);
    if (view.size() != 0) view.data_ = shifted(data_, offset, dtype_);
    return view;
}

TensorRead TensorRead::reverse_view(DimsView axes) const {
    check_axes(axes, rank(), "reverse", "reversed");
    Dims strides = strides_;
    Index offset = 0;
    for (const Index axis : axes) {
        offset += (shape_[axis] - 1) * strides_[axis];
        strides[axis] = -strides[axis];
    }
    return {dtype_, size() != 0 ? shifted(data_, offset, dtype_) : data_, shape_, std::move(strides),
            placement_};
}

TensorRead TensorRead::reshape_view(DimsView shape) const {
    constexpr std::string_view op = "reshape";
    (void)ShapeRules<Index>::reshape(*this, shape);
    if (is_compact()) return compact(dtype_, data_, shape, placement_);
    Dims strides;
    if (!reshape_strides(shape_, strides_, shape, strides))
        throw Error(ErrorKind::Unsupported, op,
                    text("the operand of shape ", list_text(shape_), " with strides ", list_text(strides_),
                         " is not compact column-major and has no view of shape ", list_text(shape),
                         "; make it contiguous first"));
    return {dtype_, data_, Dims(shape), std::move(strides), placement_};
}

}}  // namespace tenferro::TENFERRO_ABI
