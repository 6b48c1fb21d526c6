// The checks that every operation of OperationCore makes on its operands and on the result it is given.
#pragma once

#include <string_view>

#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro::inline TENFERRO_ABI {

/// Equal dtypes (DTypeMismatch).
void check_same_dtype(const TensorRead& a, const TensorRead& b, std::string_view op);

/// The memory that `a`, called `name` in the message, and `out` span is disjoint (InvalidArgument).
void check_no_overlap(const TensorRead& a, const TensorWrite& out, std::string_view op, std::string_view name);

/// `out` has the result's dtype and shape, and distinct elements (DTypeMismatch, ShapeMismatch, InvalidArgument).
void check_out(const TensorWrite& out, DType dtype, std::span<const Index> shape, std::string_view op);

}  // namespace tenferro::inline TENFERRO_ABI
