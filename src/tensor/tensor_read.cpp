// View algebra: every function here is arithmetic on shape, strides and the data pointer.
#include "tenferro/tensor/tensor_read.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::inline TENFERRO_ABI {

namespace {

const std::byte* shifted(const std::byte* data, Index elements, DType dtype) noexcept {
    return elements == 0 ? data : data + elements * static_cast<Index>(info(dtype).bytes);
}

}  // namespace

Index TensorRead::size() const noexcept {
    // Beside a zero the product of the other extents may overflow.
    if (std::find(shape_.begin(), shape_.end(), 0) != shape_.end()) return 0;
    return std::accumulate(shape_.begin(), shape_.end(), Index{1}, std::multiplies<>());
}

TensorRead TensorRead::transpose_view(std::span<const Index> perm) const {
    check_permutation(perm, rank(), "transpose");
    Dims shape, strides;
    for (const Index axis : perm) {
        shape.push_back(shape_[axis]);
        strides.push_back(strides_[axis]);
    }
    return {dtype_, data_, std::move(shape), std::move(strides)};
}

TensorRead TensorRead::broadcast_view(std::span<const Index> shape, std::span<const Index> broadcast_dims) const {
    constexpr std::string_view op = "broadcast_in_dim";
    if (broadcast_dims.size() != rank())
        throw Error(ErrorKind::RankMismatch, op, text("broadcast_dims has ", broadcast_dims.size(), " axes but the operand has rank ", rank()));
    check_axes(broadcast_dims, shape.size(), op, "broadcast");
    (void)element_count(shape, op);
    Dims strides(shape.size(), 0);
    for (std::size_t axis = 0; axis < rank(); ++axis) {
        const Index target = broadcast_dims[axis];
        if (shape_[axis] != 1 && shape_[axis] != shape[target])
            throw Error(ErrorKind::ShapeMismatch, op,
                        text("operand axis ", axis, " has extent ", shape_[axis], " but result axis ", target, " has extent ", shape[target]));
        if (shape_[axis] == shape[target]) strides[target] = strides_[axis];
    }
    return {dtype_, data_, Dims(shape), std::move(strides)};
}

TensorRead TensorRead::diagonal_view(Index first, Index second) const {
    constexpr std::string_view op = "extract_diagonal";
    const Index axes[2] = {first, second};
    check_axes(axes, rank(), op, "diagonal");
    if (shape_[first] != shape_[second])
        throw Error(ErrorKind::ShapeMismatch, op,
                    text("axis ", first, " has extent ", shape_[first], " but axis ", second, " has extent ", shape_[second]));
    Dims shape = shape_, strides = strides_;
    strides[first] += strides[second];
    shape.erase(second);
    strides.erase(second);
    return {dtype_, data_, std::move(shape), std::move(strides)};
}

TensorRead TensorRead::select_view(Index axis, Index index) const {
    constexpr std::string_view op = "select_view";
    check_axes({&axis, 1}, rank(), op, "selected");
    if (index < 0 || index >= shape_[axis])
        throw Error(ErrorKind::InvalidArgument, op, text("index ", index, " is out of range for axis ", axis, " of extent ", shape_[axis]));
    Dims shape = shape_, strides = strides_;
    const std::byte* data = shifted(data_, index * strides_[axis], dtype_);
    shape.erase(axis);
    strides.erase(axis);
    return {dtype_, data, std::move(shape), std::move(strides)};
}

TensorRead TensorRead::reshape_view(std::span<const Index> shape) const {
    constexpr std::string_view op = "reshape";
    if (element_count(shape, op) != size())
        throw Error(ErrorKind::ShapeMismatch, op,
                    text("shape ", list_text(shape_), " has ", size(), " elements but shape ", list_text(shape), " does not"));
    if (!is_compact()) throw Error(ErrorKind::Unsupported, op, "the operand is not compact column-major; make it contiguous first");
    return {dtype_, data_, Dims(shape), column_major_strides(shape)};
}

}  // namespace tenferro::inline TENFERRO_ABI
