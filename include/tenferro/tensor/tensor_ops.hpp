// The operation surface of seed 004, written once and offered by both BackendSession (work in an open session) and
// TensorBackend (each call is a one-operation session). The suffix says who owns what:
//   none   consumes owned tensors and may reuse their memory for the result
//   _read  borrows views and returns a new compact column-major tensor
//   _into  borrows views and overwrites `out`, whose shape must be exactly the result's; out must not overlap an operand
// Metadata-only operations (`_view`) are members of TensorRead. Operands must agree in dtype; op_table.hpp says on which
// dtypes an operation is defined (else Unsupported).
#pragma once

#include <span>

#include "tenferro/base/function_ref.hpp"
#include "tenferro/tensor/dot_general.hpp"
#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro::inline TENFERRO_ABI {

template <class Self>
class TENFERRO_API TensorOps {
public:
    // Every elementwise operation of op_table.hpp, in three forms. Shapes must be equal: nothing broadcasts by itself.
#define TENFERRO_ROW(Name, method, dtypes)     \
    Tensor method(Tensor&& a);                 \
    Tensor method##_read(const TensorRead& a); \
    void method##_into(const TensorRead& a, const TensorWrite& out);
    TENFERRO_UNARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#define TENFERRO_ROW(Name, method, dtypes)                          \
    Tensor method(Tensor&& a, Tensor&& b);                          \
    Tensor method##_read(const TensorRead& a, const TensorRead& b); \
    void method##_into(const TensorRead& a, const TensorRead& b, const TensorWrite& out);
    TENFERRO_BINARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW

    /// Contraction, see DotGeneralConfig: [lhs_free…, rhs_free…, batch…]. An empty contraction gives zeros.
    Tensor dot_general(Tensor&& lhs, Tensor&& rhs, const DotGeneralConfig& config);
    Tensor dot_general_read(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config);
    void dot_general_into(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config, const TensorWrite& out);

    /// Axis i of the result is axis perm[i] of the operand.
    Tensor transpose(Tensor&& a, std::span<const Index> perm);
    Tensor transpose_read(const TensorRead& a, std::span<const Index> perm);
    void transpose_into(const TensorRead& a, std::span<const Index> perm, const TensorWrite& out);

    /// Same elements in column-major order, other shape; the products of the extents must agree.
    Tensor reshape(Tensor&& a, std::span<const Index> shape);
    Tensor reshape_read(const TensorRead& a, std::span<const Index> shape);
    void reshape_into(const TensorRead& a, std::span<const Index> shape, const TensorWrite& out);

    /// Operand axis i becomes result axis broadcast_dims[i] (extent 1 or equal); the rest is repeated.
    Tensor broadcast_in_dim(Tensor&& a, std::span<const Index> shape, std::span<const Index> broadcast_dims);
    Tensor broadcast_in_dim_read(const TensorRead& a, std::span<const Index> shape, std::span<const Index> broadcast_dims);
    void broadcast_in_dim_into(const TensorRead& a, std::span<const Index> shape, std::span<const Index> broadcast_dims,
                               const TensorWrite& out);

    /// Merges axis `second` into `first`: result(…, i, …) = a(…, i, …, i, …); the rank drops by one.
    Tensor extract_diagonal(Tensor&& a, Index first, Index second);
    Tensor extract_diagonal_read(const TensorRead& a, Index first, Index second);
    void extract_diagonal_into(const TensorRead& a, Index first, Index second, const TensorWrite& out);

    /// The inverse of extract_diagonal: inserts axis `second` with the extent of axis `first`; zero off the diagonal.
    Tensor embed_diagonal(Tensor&& a, Index first, Index second);
    Tensor embed_diagonal_read(const TensorRead& a, Index first, Index second);
    void embed_diagonal_into(const TensorRead& a, Index first, Index second, const TensorWrite& out);

    /// Sums over `axes`, which disappear; pairwise summation. No axes: the identity. Empty extents: zero.
    Tensor reduce_sum(Tensor&& a, std::span<const Index> axes);
    Tensor reduce_sum_read(const TensorRead& a, std::span<const Index> axes);
    void reduce_sum_into(const TensorRead& a, std::span<const Index> axes, const TensorWrite& out);

    /// A compact column-major copy; the Tensor&& form returns a compact tensor unchanged.
    Tensor to_contiguous(Tensor&& a);
    Tensor to_contiguous_read(const TensorRead& a);
    void to_contiguous_into(const TensorRead& a, const TensorWrite& out);

    /// A compact tensor with undefined elements, to be overwritten by an `_into` operation.
    Tensor empty(DType dtype, std::span<const Index> shape);
    /// Zeros in this backend's memory.
    Tensor zeros(DType dtype, std::span<const Index> shape);
    /// Takes a tensor that is no longer needed; its memory is available to the next operation.
    void reclaim_buffer(Tensor&& a) noexcept;

private:
    Self& self() noexcept { return static_cast<Self&>(*this); }
};

}  // namespace tenferro::inline TENFERRO_ABI
