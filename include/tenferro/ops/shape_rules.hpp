// What shape rules compare, for our operations and for those of others. An extent that is not known yet is
// taken to be what it has to be: a program compares the extents that it is run with.
#pragma once

#include <string_view>

#include "tenferro/ops/tensor_meta.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace ops {

/// Both have the dtype (DTypeMismatch).
TENFERRO_API void check_dtypes(const TensorMeta& a, const TensorMeta& b, std::string_view op,
                               std::string_view a_name = "lhs", std::string_view b_name = "rhs");
/// `axis` is one of a's (AxisOutOfBounds).
TENFERRO_API void check_axis(const TensorMeta& a, Index axis, std::string_view op,
                             std::string_view role = "operand");
/// Axis `i` of a and axis `k` of b can have one extent (ShapeMismatch); returns the better known one.
TENFERRO_API SymDim common_extent(const TensorMeta& a, std::size_t i, const TensorMeta& b, std::size_t k,
                                  std::string_view op, std::string_view a_name = "lhs",
                                  std::string_view b_name = "rhs");
/// The same for all axes, and the ranks are equal (RankMismatch).
TENFERRO_API SymShape common_shape(const TensorMeta& a, const TensorMeta& b, std::string_view op,
                                   std::string_view a_name = "lhs", std::string_view b_name = "rhs");

}}}  // namespace tenferro::TENFERRO_ABI::ops
