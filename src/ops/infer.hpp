// The checks that shape rules share. An extent that is symbolic is taken to be what it has to be: the backend
// checks the bound one when the operation runs.
#pragma once

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/tensor_meta.hpp"
#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace ops {

/// `op` is defined on `dtype` (Unsupported).
void check_defined(OpId op, DType dtype);
/// Both have the dtype (DTypeMismatch).
void check_dtypes(const TensorMeta& a, const TensorMeta& b, std::string_view op,
                  std::string_view a_name = "lhs", std::string_view b_name = "rhs");
/// `axis` is one of a's (AxisOutOfBounds).
void check_axis(const TensorMeta& a, Index axis, std::string_view op, std::string_view role = "operand");
/// Known extents are not negative (InvalidArgument).
void check_extents(const SymShape& shape, std::string_view op);
/// `starts` has one entry per axis of `a` (ShapeMismatch), of an index dtype, and a part of `sizes` fits into
/// `a` (RankMismatch, ShapeMismatch).
void check_part(const TensorMeta& a, const TensorMeta& starts, const SymShape& sizes, std::string_view op);
/// A dtype of index operands (DTypeMismatch).
void check_index_dtype(const TensorMeta& a, std::string_view op, std::string_view name);
/// Axis `i` of a and axis `k` of b can have one extent (ShapeMismatch); returns the better known one.
SymDim common_extent(const TensorMeta& a, std::size_t i, const TensorMeta& b, std::size_t k,
                     std::string_view op, std::string_view a_name = "lhs", std::string_view b_name = "rhs");
/// The same for all axes, and the ranks are equal (RankMismatch).
SymShape common_shape(const TensorMeta& a, const TensorMeta& b, std::string_view op,
                      std::string_view a_name = "lhs", std::string_view b_name = "rhs");
/// Lists of one entry per axis (RankMismatch).
void check_entries(std::size_t entries, const TensorMeta& a, std::string_view op, std::string_view name);
/// The extents of `a` at `axes`.
SymShape extents_at(const TensorMeta& a, std::span<const Index> axes);

}}}  // namespace tenferro::TENFERRO_ABI::ops
