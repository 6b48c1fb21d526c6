// The operation surface of seed 004, written once and offered by both BackendSession (work in an open
// session) and TensorBackend (each call is a one-operation session). The suffix says who owns what:
//   none   consumes owned tensors and may reuse their memory for the result
//   _read  borrows views and returns a new compact column-major tensor
//   _into  borrows views and overwrites `out`, whose shape must be exactly the result's; out must not overlap
//   an operand
// Metadata-only operations (`_view`) are members of TensorRead. Operands must agree in dtype; op_table.hpp
// says on which dtypes an operation is defined (else Unsupported).
#pragma once

#include <span>
#include <vector>

#include "tenferro/base/function_ref.hpp"
#include "tenferro/tensor/dot_general.hpp"
#include "tenferro/tensor/gather_scatter.hpp"
#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

template <class Self>
class TENFERRO_API TensorOps {
public:
    // Every elementwise operation of op_table.hpp, in three forms. Shapes must be equal: nothing broadcasts
    // by itself.
#define TENFERRO_ROW(Name, method, dtypes, meaning) \
    Tensor method(Tensor&& a);                      \
    Tensor method##_read(const TensorRead& a);      \
    void method##_into(const TensorRead& a, const TensorWrite& out);
    TENFERRO_UNARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#define TENFERRO_ROW(Name, method, dtypes, meaning)                 \
    Tensor method(Tensor&& a, Tensor&& b);                          \
    Tensor method##_read(const TensorRead& a, const TensorRead& b); \
    void method##_into(const TensorRead& a, const TensorRead& b, const TensorWrite& out);
    TENFERRO_BINARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW

    /// The unary or binary operation that `op` names.
    Tensor elementwise(OpId op, Tensor&& a);
    Tensor elementwise_read(OpId op, const TensorRead& a);
    Tensor elementwise(OpId op, Tensor&& a, Tensor&& b);
    Tensor elementwise_read(OpId op, const TensorRead& a, const TensorRead& b);

    /// The comparing operation that `direction` names; the result is Bool.
    Tensor compare(Tensor&& a, Tensor&& b, Comparison direction);
    Tensor compare_read(const TensorRead& a, const TensorRead& b, Comparison direction);
    void compare_into(const TensorRead& a, const TensorRead& b, Comparison direction, const TensorWrite& out);

    /// Elements of `on_true` where the Bool `predicate` holds, of `on_false` elsewhere; all of one shape.
    Tensor select(Tensor&& predicate, Tensor&& on_true, Tensor&& on_false);
    Tensor select_read(const TensorRead& predicate, const TensorRead& on_true, const TensorRead& on_false);
    void select_into(const TensorRead& predicate, const TensorRead& on_true, const TensorRead& on_false,
                     const TensorWrite& out);

    /// minimum(maximum(x, low), high); all of one shape.
    Tensor clamp(Tensor&& low, Tensor&& x, Tensor&& high);
    Tensor clamp_read(const TensorRead& low, const TensorRead& x, const TensorRead& high);
    void clamp_into(const TensorRead& low, const TensorRead& x, const TensorRead& high,
                    const TensorWrite& out);

    /// The same values in the dtype `to`, which must be a promotion: Bool -> I32 -> I64 -> F64 -> C64, F32 ->
    /// F64, F32 -> C32 -> C64 (else InvalidConfig).
    Tensor convert(Tensor&& a, DType to);
    Tensor convert_read(const TensorRead& a, DType to);
    void convert_into(const TensorRead& a, const TensorWrite& out);

    /// To any dtype, with loss: complex to real drops the imaginary part, float to integer truncates and
    /// saturates (NaN gives 0), integers wrap, anything to Bool is whether it differs from zero.
    Tensor cast(Tensor&& a, DType to);
    Tensor cast_read(const TensorRead& a, DType to);
    void cast_into(const TensorRead& a, const TensorWrite& out);

    /// Contraction, see DotGeneralConfig: [lhs_free…, rhs_free…, batch…]. An empty contraction gives zeros.
    Tensor dot_general(Tensor&& lhs, Tensor&& rhs, const DotGeneralConfig& config);
    Tensor dot_general_read(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config);
    /// dot_general with permuted result: axis i of [lhs_free…, rhs_free…, batch…] is axis placement[i]; none:
    /// all in order.
    Tensor dot_general_permuted_read(const TensorRead& lhs, const TensorRead& rhs,
                                     const DotGeneralConfig& config, std::span<const Index> placement);
    void dot_general_into(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                          const TensorWrite& out);

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
    Tensor broadcast_in_dim_read(const TensorRead& a, std::span<const Index> shape,
                                 std::span<const Index> broadcast_dims);
    void broadcast_in_dim_into(const TensorRead& a, std::span<const Index> shape,
                               std::span<const Index> broadcast_dims, const TensorWrite& out);

    /// Merges axis `second` into `first`: result(…, i, …) = a(…, i, …, i, …); the rank drops by one.
    Tensor extract_diagonal(Tensor&& a, Index first, Index second);
    Tensor extract_diagonal_read(const TensorRead& a, Index first, Index second);
    void extract_diagonal_into(const TensorRead& a, Index first, Index second, const TensorWrite& out);

    /// The inverse of extract_diagonal: inserts axis `second` with the extent of axis `first`; zero off the
    /// diagonal.
    Tensor embed_diagonal(Tensor&& a, Index first, Index second);
    Tensor embed_diagonal_read(const TensorRead& a, Index first, Index second);
    void embed_diagonal_into(const TensorRead& a, Index first, Index second, const TensorWrite& out);

    /// The part of each axis from `starts` to `limits` in `steps`, see TensorRead::slice_view.
    Tensor slice(Tensor&& a, std::span<const Index> starts, std::span<const Index> limits,
                 std::span<const Index> steps);
    Tensor slice_read(const TensorRead& a, std::span<const Index> starts, std::span<const Index> limits,
                      std::span<const Index> steps);
    void slice_into(const TensorRead& a, std::span<const Index> starts, std::span<const Index> limits,
                    std::span<const Index> steps, const TensorWrite& out);

    /// `sizes` elements of each axis from `starts` on, a vector of I32 or I64 with one entry per axis. Each
    /// start is first clamped to [0, extent - size].
    Tensor dynamic_slice(Tensor&& a, Tensor&& starts, std::span<const Index> sizes);
    Tensor dynamic_slice_read(const TensorRead& a, const TensorRead& starts, std::span<const Index> sizes);
    void dynamic_slice_into(const TensorRead& a, const TensorRead& starts, std::span<const Index> sizes,
                            const TensorWrite& out);

    /// `a` with the elements that dynamic_slice of update's shape would give replaced by `update`.
    Tensor dynamic_update_slice(Tensor&& a, Tensor&& update, Tensor&& starts);
    Tensor dynamic_update_slice_read(const TensorRead& a, const TensorRead& update, const TensorRead& starts);
    void dynamic_update_slice_into(const TensorRead& a, const TensorRead& update, const TensorRead& starts,
                                   const TensorWrite& out);

    /// The listed axes in reverse order.
    Tensor reverse(Tensor&& a, std::span<const Index> axes);
    Tensor reverse_read(const TensorRead& a, std::span<const Index> axes);
    void reverse_into(const TensorRead& a, std::span<const Index> axes, const TensorWrite& out);

    /// Puts config.interior copies of the scalar `value` between neighbours, config.low before and
    /// config.high after each axis; negative low and high remove that many instead.
    Tensor pad(Tensor&& a, Tensor&& value, const PadConfig& config);
    Tensor pad_read(const TensorRead& a, const TensorRead& value, const PadConfig& config);
    void pad_into(const TensorRead& a, const TensorRead& value, const PadConfig& config,
                  const TensorWrite& out);

    /// The operands one after the other along `axis`; all other extents must agree.
    Tensor concatenate(std::vector<Tensor>&& parts, Index axis);
    Tensor concatenate_read(std::span<const TensorRead> parts, Index axis);
    void concatenate_into(std::span<const TensorRead> parts, Index axis, const TensorWrite& out);

    /// The lower (upper) triangle of the matrices in axes 0 and 1, zero elsewhere: elements (i, j) with j - i
    /// <= diagonal
    /// (>= diagonal) are kept.
    Tensor tril(Tensor&& a, Index diagonal);
    Tensor tril_read(const TensorRead& a, Index diagonal);
    void tril_into(const TensorRead& a, Index diagonal, const TensorWrite& out);
    Tensor triu(Tensor&& a, Index diagonal);
    Tensor triu_read(const TensorRead& a, Index diagonal);
    void triu_into(const TensorRead& a, Index diagonal, const TensorWrite& out);

    /// Windows of `a` at the places `indices` (I32 or I64) says, see GatherConfig.
    Tensor gather(Tensor&& a, Tensor&& indices, const GatherConfig& config);
    Tensor gather_read(const TensorRead& a, const TensorRead& indices, const GatherConfig& config);
    void gather_into(const TensorRead& a, const TensorRead& indices, const GatherConfig& config,
                     const TensorWrite& out);

    /// `a` with elements replaced by windows of `updates` at the places `indices` (I32 or I64) says, see
    /// ScatterConfig. Where windows overlap the last one stays, in column-major order of the batch.
    Tensor scatter(Tensor&& a, Tensor&& indices, Tensor&& updates, const ScatterConfig& config);
    Tensor scatter_read(const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                        const ScatterConfig& config);
    void scatter_into(const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                      const ScatterConfig& config, const TensorWrite& out);

    /// `a` with windows of `updates` added at the places `indices` (I32 or I64) says, see ScatterConfig.
    Tensor scatter_add(Tensor&& a, Tensor&& indices, Tensor&& updates, const ScatterConfig& config);
    Tensor scatter_add_read(const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                            const ScatterConfig& config);
    void scatter_add_into(const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                          const ScatterConfig& config, const TensorWrite& out);

    // The reductions of op_table.hpp over `axes`, which disappear. No axes: the operand. Nothing to reduce:
    // the identity, which for max and min is -inf and +inf, or the integer type's limit. Sums are pairwise,
    // max and min propagate NaN.
#define TENFERRO_ROW(Name, method, dtypes, meaning)                         \
    Tensor method(Tensor&& a, std::span<const Index> axes);                 \
    Tensor method##_read(const TensorRead& a, std::span<const Index> axes); \
    void method##_into(const TensorRead& a, std::span<const Index> axes, const TensorWrite& out);
    TENFERRO_REDUCE_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
    /// The reduction that `op` names.
    Tensor reduce_read(OpId op, const TensorRead& a, std::span<const Index> axes);

    /// The I64 index along `axis`, which disappears, of the largest (smallest) element: the first NaN if
    /// there is one, else the first of equals. An empty axis has none (InvalidArgument).
    Tensor argmax(Tensor&& a, Index axis);
    Tensor argmax_read(const TensorRead& a, Index axis);
    void argmax_into(const TensorRead& a, Index axis, const TensorWrite& out);
    Tensor argmin(Tensor&& a, Index axis);
    Tensor argmin_read(const TensorRead& a, Index axis);
    void argmin_into(const TensorRead& a, Index axis, const TensorWrite& out);

    /// Element i of `axis` is the sum of elements 0 to i; with `reverse` of elements i to the last.
    Tensor cumulative_sum(Tensor&& a, Index axis, bool reverse);
    Tensor cumulative_sum_read(const TensorRead& a, Index axis, bool reverse);
    void cumulative_sum_into(const TensorRead& a, Index axis, bool reverse, const TensorWrite& out);

    /// exp(a - m) / sum of exp(a - m) along `axis`, where m is the largest element there.
    Tensor softmax(Tensor&& a, Index axis);
    Tensor softmax_read(const TensorRead& a, Index axis);
    void softmax_into(const TensorRead& a, Index axis, const TensorWrite& out);

    /// `axis` in ascending order with NaN last, or in descending order with NaN first; equal elements keep
    /// their order.
    Tensor sort(Tensor&& a, Index axis, bool descending);
    Tensor sort_read(const TensorRead& a, Index axis, bool descending);
    void sort_into(const TensorRead& a, Index axis, bool descending, const TensorWrite& out);

    /// A compact column-major copy; the Tensor&& form returns a compact tensor unchanged.
    Tensor to_contiguous(Tensor&& a);
    Tensor to_contiguous_read(const TensorRead& a);
    void to_contiguous_into(const TensorRead& a, const TensorWrite& out);

    // Tensors move between memories by these alone, never inside another operation.

    /// A compact tensor in this backend's memory with the elements of `host`, which is in main memory
    /// (BackendFailure). For a backend on main memory the Tensor&& form returns a compact tensor unchanged;
    /// the _read form always copies.
    Tensor upload_host_tensor(Tensor&& host);
    Tensor upload_host_tensor_read(const TensorRead& host);
    /// The same in the other direction: a compact tensor in main memory with the elements of `a`, which is in
    /// this backend's memory (BackendFailure).
    Tensor download_to_host(Tensor&& a);
    Tensor download_to_host_read(const TensorRead& a);

    /// A compact tensor with undefined elements, to be overwritten by an `_into` operation.
    Tensor empty(DType dtype, std::span<const Index> shape);
    /// Zeros in this backend's memory.
    Tensor zeros(DType dtype, std::span<const Index> shape);
    /// Takes a tensor that is no longer needed; its memory is available to the next operation.
    void reclaim_buffer(Tensor&& a) noexcept;

private:
    Self& self() noexcept { return static_cast<Self&>(*this); }
};

}}  // namespace tenferro::TENFERRO_ABI
