// The one implementation of every operation's three forms (owned, _read, _into): checks the arguments, infers the result's
// shape, allocates, and calls the backend's virtual function. TensorOps only forwards here.
#pragma once

#include "tenferro/tensor/backend.hpp"

namespace tenferro::inline TENFERRO_ABI {

struct OperationCore {
    static void binary_into(BackendSession& s, OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out);
    static Tensor binary_read(BackendSession& s, OpId op, const TensorRead& a, const TensorRead& b);
    static Tensor binary(BackendSession& s, OpId op, Tensor&& a, Tensor&& b);

    static void unary_into(BackendSession& s, OpId op, const TensorRead& a, const TensorWrite& out);
    static Tensor unary_read(BackendSession& s, OpId op, const TensorRead& a);
    static Tensor unary(BackendSession& s, OpId op, Tensor&& a);

    static void contract_into(BackendSession& s, const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                              const TensorWrite& out);
    static Tensor contract_read(BackendSession& s, const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config);

    static void sum_into(BackendSession& s, const TensorRead& a, std::span<const Index> axes, const TensorWrite& out);
    static Tensor sum_read(BackendSession& s, const TensorRead& a, std::span<const Index> axes);

    /// Copies a view in the name of `op`: the whole of every structural operation.
    static void copy_into(BackendSession& s, std::string_view op, const TensorRead& view, const TensorWrite& out);
    static Tensor copy_read(BackendSession& s, const TensorRead& view);

    static Tensor reshape_read(BackendSession& s, const TensorRead& a, std::span<const Index> shape);
    static void reshape_into(BackendSession& s, const TensorRead& a, std::span<const Index> shape, const TensorWrite& out);
    static void embed_into(BackendSession& s, const TensorRead& a, Index first, Index second, const TensorWrite& out);
    static Tensor embed_read(BackendSession& s, const TensorRead& a, Index first, Index second);

    static Tensor empty(BackendSession& s, DType dtype, std::span<const Index> shape);
    static Tensor zeros(BackendSession& s, DType dtype, std::span<const Index> shape);
};

}  // namespace tenferro::inline TENFERRO_ABI
