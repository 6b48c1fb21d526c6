// Functions on handles that are several operations: averages, norms, reductions that keep their axes,
// products of matrices. Axes may be counted from the end, as in all functions on handles.
#pragma once

#include "tenferro/ops/operators.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace tensor_ops {
/// Axes 0 … rank-1 with 0 and 1 exchanged (RankMismatch where there are fewer than two).
[[nodiscard]] TENFERRO_API Dims exchanged_matrix_axes(std::size_t rank);

/// A product of matrices as a contraction, and the shapes to which its operands are brought before, where
/// they are: without the axes of extent 1 that are repeated.
struct MatrixProduct {
    std::optional<SymShape> lhs_shape, rhs_shape;
    DotGeneral op;
};
[[nodiscard]] TENFERRO_API MatrixProduct matrix_product(const SymShape& lhs, const SymShape& rhs);
}  // namespace tensor_ops

/// The type of `keepdims`.
struct KeepDims {
    explicit KeepDims() = default;
};
/// Asks a reduction to keep the axes it reduces, with extent 1: `reduce_sum(a, {-1}, keepdims)`.
inline constexpr KeepDims keepdims{};

namespace tfe_detail {
/// `reduced`, from which `axes` of `a` are gone, with those axes back.
template <TensorHandle H>
[[nodiscard]] H with_axes_kept(const H& a, const Dims& axes, const H& reduced) {
    SymShape shape = shape_of(a);
    for (const Index axis : tensor_ops::from_front(axes, a.rank())) shape[static_cast<std::size_t>(axis)] = 1;
    return reshape(reduced, std::move(shape));
}
/// Integers and Bool as F64, others as they are.
template <TensorHandle H>
[[nodiscard]] H floating(const H& a) {
    return info(a.dtype()).is_float || info(a.dtype()).is_complex ? a : convert(a, DType::F64);
}
}  // namespace tfe_detail

#define TENFERRO_ROW(Name, method, dtypes, meaning)                  \
    template <TensorHandle H>                                        \
    [[nodiscard]] H method(const H& a, const Dims& axes, KeepDims) { \
        return tfe_detail::with_axes_kept(a, axes, method(a, axes)); \
    }
TENFERRO_REDUCE_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW

/// The axes in reverse order.
template <TensorHandle H>
[[nodiscard]] H transpose(const H& a) {
    Dims perm = tensor_ops::all_axes(a.rank());
    std::reverse(perm.begin(), perm.end());
    return transpose(a, std::move(perm));
}

/// Matrices and what stands after them, axes 0 and 1 exchanged; at least rank 2 (RankMismatch).
template <TensorHandle H>
[[nodiscard]] H matrix_transpose(const H& a) {
    return transpose(a, tensor_ops::exchanged_matrix_axes(a.rank()));
}
/// The conjugate of matrix_transpose.
template <TensorHandle H>
[[nodiscard]] H adjoint(const H& a) {
    const H exchanged = matrix_transpose(a);
    return info(a.dtype()).is_complex ? conj(exchanged) : exchanged;
}

/// Products of matrices, one for each index of the batch axes, which are the trailing ones: [m, k, batch…]
/// times [k, n, batch…] is [m, n, batch…]. Batch axes broadcast as operands of operators do: aligned at the
/// last axis, and an extent of 1 is repeated. An operand of rank 1 is a vector, whose axis is contracted;
/// one of rank 0 is refused (RankMismatch).
template <TensorHandle H>
[[nodiscard]] H matmul(const H& lhs, const H& rhs) {
    tensor_ops::MatrixProduct product = tensor_ops::matrix_product(shape_of(lhs), shape_of(rhs));
    const auto shaped = [](const H& a, std::optional<SymShape>& shape) {
        return shape ? reshape(a, *std::move(shape)) : a;
    };
    return lhs.apply(std::move(product.op), {shaped(lhs, product.lhs_shape), shaped(rhs, product.rhs_shape)});
}

/// The average over `axes`, in F64 for integers; NaN where there are no elements.
template <TensorHandle H>
[[nodiscard]] H mean(const H& a, const Dims& axes) {
    const H x = tfe_detail::floating(a);
    H sum = reduce_sum(x, axes);
    Index known = 1;
    for (const Index axis : tensor_ops::from_front(axes, a.rank())) {
        const SymDim extent = a.extent(static_cast<std::size_t>(axis));
        if (extent.constant())
            known *= *extent.constant();
        else
            sum = sum / cast(extent_of(a, axis), x.dtype());
    }
    return sum / static_cast<double>(known);
}
template <TensorHandle H>
[[nodiscard]] H mean(const H& a) {
    return mean(a, tensor_ops::all_axes(a.rank()));
}
template <TensorHandle H>
[[nodiscard]] H mean(const H& a, const Dims& axes, KeepDims) {
    return tfe_detail::with_axes_kept(a, axes, mean(a, axes));
}

/// The Euclidean norm over `axes`: the square root of the sum of squared absolute values, real for complex a.
/// It has no derivative at 0.
template <TensorHandle H>
[[nodiscard]] H norm(const H& a, const Dims& axes) {
    const H x = tfe_detail::floating(a);
    if (!info(x.dtype()).is_complex) return sqrt(reduce_sum(x * x, axes));
    const H re = real(x), im = imag(x);
    return sqrt(reduce_sum(re * re + im * im, axes));
}
template <TensorHandle H>
[[nodiscard]] H norm(const H& a) {
    return norm(a, tensor_ops::all_axes(a.rank()));
}
template <TensorHandle H>
[[nodiscard]] H norm(const H& a, const Dims& axes, KeepDims) {
    return tfe_detail::with_axes_kept(a, axes, norm(a, axes));
}

}}  // namespace tenferro::TENFERRO_ABI
