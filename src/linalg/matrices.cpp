// From axis lists to matrices by permutation, reshape and, where strides need it, a compact copy.
#include "tenferro/linalg/matrices.hpp"

#include <algorithm>
#include <array>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Which list an axis is in; none yet.
constexpr std::size_t kUnlisted = SIZE_MAX;

/// Left, right and the other axes, one after the other.
Dims order_of(std::string_view op, std::size_t rank, const AxisLists& lists, Unlisted unlisted) {
    constexpr std::array<std::string_view, 2> kNames{"left", "right"};
    const std::array<std::span<const std::size_t>, 2> both{lists.left, lists.right};
    SmallVector<std::size_t, 8> owner(rank, kUnlisted);
    Dims order;
    for (std::size_t i = 0; i < both.size(); ++i) {
        if (both[i].size() > rank)
            throw Error(ErrorKind::DuplicateAxis, op,
                        text(kNames[i], " lists ", both[i].size(), " axes but the tensor has ", rank));
        for (std::size_t k = 0; k < both[i].size(); ++k) {
            const std::size_t axis = both[i][k];
            if (axis >= rank)
                throw Error(
                    ErrorKind::AxisOutOfBounds, op,
                    text(kNames[i], "[", k, "] is axis ", axis, " but the tensor has ", rank, " axes"));
            if (owner[axis] != kUnlisted)
                throw Error(ErrorKind::DuplicateAxis, op,
                            text(kNames[i], "[", k, "] is axis ", axis, ", which ", kNames[owner[axis]],
                                 " has already"));
            owner[axis] = i;
            order.push_back(static_cast<Index>(axis));
        }
    }
    for (std::size_t axis = 0; axis < rank; ++axis) {
        if (owner[axis] != kUnlisted) continue;
        if (unlisted == Unlisted::Mistake)
            throw Error(ErrorKind::InvalidArgument, op,
                        text("axis ", axis, " of the tensor is neither in left nor in right"));
        order.push_back(static_cast<Index>(axis));
    }
    return order;
}

}  // namespace

Matrices::Matrices(TensorBackend& backend, const TensorRead& tensor, const AxisLists& lists,
                   Unlisted unlisted, std::string_view op)
    : backend_(&backend),
      shape_(tensor.shape()),
      order_(order_of(op, tensor.rank(), lists, unlisted)),
      view_(tensor) {
    const std::size_t columns = lists.left.size() + lists.right.size();
    for (std::size_t i = 0; i < order_.size(); ++i)
        (i < lists.left.size() ? left_
         : i < columns         ? right_
                               : batch_)
            .push_back(shape_[static_cast<std::size_t>(order_[i])]);
    const Index rows = element_count(left_, op);
    matrix_shape_ = joined({Dims{rows, element_count(right_, op)}, batch_});
    view_ = like(tensor, storage_);
}

TensorRead Matrices::like(const TensorRead& other, Tensor& storage) const {
    return reshaped_view(*backend_, other.transpose_view(order_), matrix_shape_, storage);
}

Tensor Matrices::back(Tensor matrices) const {
    Tensor ordered = backend_->reshape(std::move(matrices), joined({left_, right_, batch_}));
    return std::is_sorted(order_.begin(), order_.end())
               ? std::move(ordered)
               : backend_->transpose_read(ordered, inverse_permutation(order_));
}

Dims joined(std::initializer_list<DimsView> lists) {
    Dims all;
    for (const DimsView list : lists)
        for (const Index extent : list) all.push_back(extent);
    return all;
}

TensorRead reshaped_view(TensorBackend& backend, const TensorRead& tensor, DimsView shape, Tensor& storage) {
    if (tensor.is_compact()) return tensor.reshape_view(shape);
    storage = backend.to_contiguous_read(tensor);
    return storage.read().reshape_view(shape);
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
