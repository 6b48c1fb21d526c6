// The checks that the shape rules of our operations share, besides those that extensions use too.
#pragma once

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/shape_rules.hpp"
#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace ops {

/// `op` is defined on `dtype` (Unsupported).
void check_defined(OpId op, DType dtype);
/// Known extents are not negative (InvalidArgument).
void check_extents(const SymShape& shape, std::string_view op);
/// `starts` has one entry per axis of `a` (ShapeMismatch), of an index dtype, and a part of `sizes` fits into
/// `a` (RankMismatch, ShapeMismatch).
void check_part(const TensorMeta& a, const TensorMeta& starts, const SymShape& sizes, std::string_view op);
/// A dtype of index operands (DTypeMismatch).
void check_index_dtype(const TensorMeta& a, std::string_view op, std::string_view name);
/// Lists of one entry per axis (RankMismatch).
void check_entries(std::size_t entries, const TensorMeta& a, std::string_view op, std::string_view name);
/// The extents of `a` at `axes`.
SymShape extents_at(const TensorMeta& a, std::span<const Index> axes);

}}}  // namespace tenferro::TENFERRO_ABI::ops
