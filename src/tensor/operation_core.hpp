// The one implementation of every operation's three forms (owned, _read, _into): checks the arguments, infers
// the result's shape, allocates, and calls the backend's virtual function. TensorOps only forwards here.
#pragma once

#include "tenferro/tensor/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

struct OperationCore {
    static void binary_into(BackendSession& s, OpId op, const TensorRead& a, const TensorRead& b,
                            const TensorWrite& out);
    static Tensor binary_read(BackendSession& s, OpId op, const TensorRead& a, const TensorRead& b);
    static Tensor binary(BackendSession& s, OpId op, Tensor&& a, Tensor&& b);

    static void unary_into(BackendSession& s, OpId op, const TensorRead& a, const TensorWrite& out);
    static Tensor unary_read(BackendSession& s, OpId op, const TensorRead& a);
    static Tensor unary(BackendSession& s, OpId op, Tensor&& a);

    static void select_into(BackendSession& s, const TensorRead& predicate, const TensorRead& on_true,
                            const TensorRead& on_false, const TensorWrite& out);
    static Tensor select_read(BackendSession& s, const TensorRead& predicate, const TensorRead& on_true,
                              const TensorRead& on_false);
    static Tensor select(BackendSession& s, Tensor&& predicate, Tensor&& on_true, Tensor&& on_false);

    static void clamp_into(BackendSession& s, const TensorRead& low, const TensorRead& x,
                           const TensorRead& high, const TensorWrite& out);
    static Tensor clamp_read(BackendSession& s, const TensorRead& low, const TensorRead& x,
                             const TensorRead& high);
    static Tensor clamp(BackendSession& s, Tensor&& low, Tensor&& x, Tensor&& high);

    /// `op` is Convert, which only promotes, or Cast.
    static void convert_into(BackendSession& s, OpId op, const TensorRead& a, const TensorWrite& out);
    static Tensor convert_read(BackendSession& s, OpId op, const TensorRead& a, DType to);
    static Tensor convert(BackendSession& s, OpId op, Tensor&& a, DType to);

    static void contract_into(BackendSession& s, const TensorRead& lhs, const TensorRead& rhs,
                              const DotGeneralConfig& config, const TensorWrite& out);
    static Tensor contract_read(BackendSession& s, const TensorRead& lhs, const TensorRead& rhs,
                                const DotGeneralConfig& config);

    static Tensor contract_permuted(BackendSession& s, const TensorRead& lhs, const TensorRead& rhs,
                                    const DotGeneralConfig& config, std::span<const Index> placement);

    static void reduce_into(BackendSession& s, OpId op, const TensorRead& a, std::span<const Index> axes,
                            const TensorWrite& out);
    static Tensor reduce_read(BackendSession& s, OpId op, const TensorRead& a, std::span<const Index> axes);
    static void arg_extreme_into(BackendSession& s, OpId op, const TensorRead& a, Index axis,
                                 const TensorWrite& out);
    static Tensor arg_extreme_read(BackendSession& s, OpId op, const TensorRead& a, Index axis);

    static void dynamic_slice_into(BackendSession& s, const TensorRead& a, const TensorRead& starts,
                                   std::span<const Index> sizes, const TensorWrite& out);
    static Tensor dynamic_slice_read(BackendSession& s, const TensorRead& a, const TensorRead& starts,
                                     std::span<const Index> sizes);
    static void dynamic_update_slice_into(BackendSession& s, const TensorRead& a, const TensorRead& update,
                                          const TensorRead& starts, const TensorWrite& out);
    static Tensor dynamic_update_slice_read(BackendSession& s, const TensorRead& a, const TensorRead& update,
                                            const TensorRead& starts);
    static Tensor dynamic_update_slice(BackendSession& s, Tensor&& a, const TensorRead& update,
                                       const TensorRead& starts);
    static void pad_into(BackendSession& s, const TensorRead& a, const TensorRead& value,
                         const PadConfig& config, const TensorWrite& out);
    static Tensor pad_read(BackendSession& s, const TensorRead& a, const TensorRead& value,
                           const PadConfig& config);
    static void concatenate_into(BackendSession& s, std::span<const TensorRead> parts, Index axis,
                                 const TensorWrite& out);
    static Tensor concatenate_read(BackendSession& s, std::span<const TensorRead> parts, Index axis);
    static void triangle_into(BackendSession& s, OpId op, const TensorRead& a, Index diagonal,
                              const TensorWrite& out);
    static Tensor triangle_read(BackendSession& s, OpId op, const TensorRead& a, Index diagonal);

    static void gather_into(BackendSession& s, const TensorRead& a, const TensorRead& indices,
                            const GatherConfig& config, const TensorWrite& out);
    static Tensor gather_read(BackendSession& s, const TensorRead& a, const TensorRead& indices,
                              const GatherConfig& config);
    /// `op` is Scatter or ScatterAdd.
    static void scatter_into(BackendSession& s, OpId op, const TensorRead& a, const TensorRead& indices,
                             const TensorRead& updates, const ScatterConfig& config, const TensorWrite& out);
    static Tensor scatter_read(BackendSession& s, OpId op, const TensorRead& a, const TensorRead& indices,
                               const TensorRead& updates, const ScatterConfig& config);
    static Tensor scatter(BackendSession& s, OpId op, Tensor&& a, const TensorRead& indices,
                          const TensorRead& updates, const ScatterConfig& config);

    static void cumulative_sum_into(BackendSession& s, const TensorRead& a, Index axis, bool reverse,
                                    const TensorWrite& out);
    static Tensor cumulative_sum_read(BackendSession& s, const TensorRead& a, Index axis, bool reverse);
    static void softmax_into(BackendSession& s, const TensorRead& a, Index axis, const TensorWrite& out);
    static Tensor softmax_read(BackendSession& s, const TensorRead& a, Index axis);
    static void sort_into(BackendSession& s, const TensorRead& a, Index axis, bool descending,
                          const TensorWrite& out);
    static Tensor sort_read(BackendSession& s, const TensorRead& a, Index axis, bool descending);

    /// Copies a view in the name of `op`: the whole of every structural operation.
    static void copy_into(BackendSession& s, OpId op, const TensorRead& view, const TensorWrite& out);
    static Tensor copy_read(BackendSession& s, OpId op, const TensorRead& view);

    static Tensor reshape_read(BackendSession& s, const TensorRead& a, std::span<const Index> shape);
    static void reshape_into(BackendSession& s, const TensorRead& a, std::span<const Index> shape,
                             const TensorWrite& out);
    static void embed_into(BackendSession& s, const TensorRead& a, Index first, Index second,
                           const TensorWrite& out);
    static Tensor embed_read(BackendSession& s, const TensorRead& a, Index first, Index second);

    static Tensor upload_read(BackendSession& s, const TensorRead& host);
    static Tensor upload(BackendSession& s, Tensor&& host);
    static Tensor download_read(BackendSession& s, const TensorRead& a);
    static Tensor download(BackendSession& s, Tensor&& a);

    static Tensor empty(BackendSession& s, DType dtype, std::span<const Index> shape);
    static Tensor zeros(BackendSession& s, DType dtype, std::span<const Index> shape);
};

}}  // namespace tenferro::TENFERRO_ABI
