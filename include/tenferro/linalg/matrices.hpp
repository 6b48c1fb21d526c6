// Tensors as batches of matrices: the axes listed as left are together the rows, those listed as right the
// columns, and what is in neither list, where that is allowed, is a batch. And the way back.
#pragma once

#include <string_view>

#include "tenferro/tensor/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// The axes of a tensor that are rows and those that are columns, each in the order in which they are joined.
struct AxisLists {
    std::span<const std::size_t> left, right;
};

/// Whether axes in neither list are a batch, or a mistake.
enum class Unlisted : bool { Mistake, Batch };

/// A tensor [left…, right…, batch…] in any order of its axes as matrices [M, N, batch…].
class TENFERRO_API Matrices {
public:
    /// Of `tensor`, which must outlive it, as must `backend`. Throws InvalidArgument, AxisOutOfBounds and
    /// DuplicateAxis in the name of `op`.
    Matrices(TensorBackend& backend, const TensorRead& tensor, const AxisLists& lists, Unlisted unlisted,
             std::string_view op);
    Matrices(const Matrices&) = delete;
    Matrices& operator=(const Matrices&) = delete;

    [[nodiscard]] const TensorRead& view() const noexcept { return view_; }
    [[nodiscard]] Index rows() const noexcept { return view_.shape()[0]; }
    [[nodiscard]] Index columns() const noexcept { return view_.shape()[1]; }
    /// Extents of the axes of each kind, in the order of the lists, or of the tensor for the batch.
    [[nodiscard]] const Dims& left() const noexcept { return left_; }
    [[nodiscard]] const Dims& right() const noexcept { return right_; }
    [[nodiscard]] const Dims& batch() const noexcept { return batch_; }
    /// The tensor's own shape.
    [[nodiscard]] const Dims& shape() const noexcept { return shape_; }

    /// A tensor of the same shape, its axes in the same order, as matrices; kept in `storage` if copied.
    [[nodiscard]] TensorRead like(const TensorRead& other, Tensor& storage) const;
    /// Matrices of this shape as a compact tensor with the axes where the tensor has them.
    [[nodiscard]] Tensor back(Tensor matrices) const;

private:
    TensorBackend* backend_;
    Dims shape_, order_, left_, right_, batch_, matrix_shape_;
    Tensor storage_;
    TensorRead view_;
};

/// The extents of all lists, one after the other.
[[nodiscard]] TENFERRO_API Dims joined(std::initializer_list<DimsView> lists);
/// A view in another shape; of a compact copy in `storage` where the tensor is not compact.
[[nodiscard]] TENFERRO_API TensorRead reshaped_view(TensorBackend& backend, const TensorRead& tensor,
                                                    DimsView shape, Tensor& storage);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
