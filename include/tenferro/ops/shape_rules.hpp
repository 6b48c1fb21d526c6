// What shape rules compare, for our operations and for those of others: ShapeRules of the tensor layer on the
// extents of traced tensors.
#pragma once

#include <string_view>

#include "tenferro/ops/tensor_meta.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

/// Both have the dtype (DTypeMismatch).
inline void check_dtypes(const TensorMeta& a, const TensorMeta& b, std::string_view op,
                         std::string_view a_name = "lhs", std::string_view b_name = "rhs") {
    ShapeRules<SymDim>::check_dtypes(a, b, op, a_name, b_name);
}
/// `axis` is one of a's (AxisOutOfBounds).
inline void check_axis(const TensorMeta& a, Index axis, std::string_view op,
                       std::string_view role = "operand") {
    check_axes({&axis, 1}, a.rank(), op, role);
}
/// Axis `i` of a and axis `k` of b can have one extent (ShapeMismatch); returns the better known one.
inline SymDim common_extent(const TensorMeta& a, std::size_t i, const TensorMeta& b, std::size_t k,
                            std::string_view op, std::string_view a_name = "lhs",
                            std::string_view b_name = "rhs") {
    return ShapeRules<SymDim>::common_extent(a, static_cast<Index>(i), b, static_cast<Index>(k), op, a_name,
                                             b_name);
}
/// The same for all axes, and the ranks are equal (RankMismatch).
inline SymShape common_shape(const TensorMeta& a, const TensorMeta& b, std::string_view op,
                             std::string_view a_name = "lhs", std::string_view b_name = "rhs") {
    return ShapeRules<SymDim>::common_shape(a, b, op, a_name, b_name);
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
