// View algebra: every function here is arithmetic on shape, strides and the data pointer.
#include "tenferro/tensor/tensor_read.hpp"

#include <algorithm>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

const std::byte* shifted(const std::byte* data, Index elements, DType dtype) noexcept {
    return elements == 0 ? data : data + elements * static_cast<Index>(info(dtype).bytes);
}

void check_one_per_axis(std::span<const Index> list, std::string_view name, std::size_t rank,
                        std::string_view op) {
    if (list.size() != rank)
        throw Error(ErrorKind::RankMismatch, op,
                    text(name, " has ", list.size(), " entries but the operand has rank ", rank));
}

/// Number of elements of start, start + step, … before limit, after checking them against the extent.
Index slice_extent(std::size_t axis, Index extent, Index start, Index limit, Index step) {
    const auto fail = [&](auto... what) {
        throw Error(ErrorKind::InvalidArgument, "slice", text("axis ", axis, " ", what...));
    };
    if (step == 0) fail("has step 0");
    const Index lowest = step > 0 ? 0 : -1, highest = step > 0 ? extent : extent - 1;
    if (start < lowest || start > highest)
        fail("has start ", start, " but extent ", extent, " and step ", step);
    if (limit < lowest || limit > highest)
        fail("has limit ", limit, " but extent ", extent, " and step ", step);
    const Index distance = step > 0 ? limit - start : start - limit;
    if (distance < 0) fail("has start ", start, " but limit ", limit, " and step ", step);
    if (distance == 0) return 0;
    const Index last = step > 0 ? (distance - 1) / step : (1 - distance) / step;
    return last + 1;
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
    constexpr std::string_view op = "broadcast_in_dim";
    if (broadcast_dims.size() != rank())
        throw Error(
            ErrorKind::RankMismatch, op,
            text("broadcast_dims has ", broadcast_dims.size(), " axes but the operand has rank ", rank()));
    check_axes(broadcast_dims, shape.size(), op, "broadcast");
    (void)element_count(shape, op);
    Dims strides(shape.size(), 0);
    for (std::size_t axis = 0; axis < rank(); ++axis) {
        const Index target = broadcast_dims[axis];
        if (shape_[axis] != 1 && shape_[axis] != shape[target])
            throw Error(ErrorKind::ShapeMismatch, op,
                        text("operand axis ", axis, " has extent ", shape_[axis], " but result axis ", target,
                             " has extent ", shape[target]));
        if (shape_[axis] == shape[target]) strides[target] = strides_[axis];
    }
    return {dtype_, data_, Dims(shape), std::move(strides), placement_};
}

TensorRead TensorRead::diagonal_view(Index first, Index second) const {
    constexpr std::string_view op = "extract_diagonal";
    const Index axes[2] = {first, second};
    check_axes(axes, rank(), op, "diagonal");
    if (shape_[first] != shape_[second])
        throw Error(ErrorKind::ShapeMismatch, op,
                    text("axis ", first, " has extent ", shape_[first], " but axis ", second, " has extent ",
                         shape_[second]));
    Dims shape = shape_, strides = strides_;
    strides[first] += strides[second];
    shape.erase(second);
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
    constexpr std::string_view op = "slice";
    check_one_per_axis(starts, "starts", rank(), op);
    check_one_per_axis(limits, "limits", rank(), op);
    check_one_per_axis(steps, "steps", rank(), op);
    Dims shape, strides;
    Index offset = 0;
    for (std::size_t axis = 0; axis < rank(); ++axis) {
        shape.push_back(slice_extent(axis, shape_[axis], starts[axis], limits[axis], steps[axis]));
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
    if (element_count(shape, op) != size())
        throw Error(ErrorKind::ShapeMismatch, op,
                    text("shape ", list_text(shape_), " has ", size(), " elements but shape ",
                         list_text(shape), " does not"));
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
