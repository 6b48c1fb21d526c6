// The checks that shape rules share.
#include "ops/infer.hpp"

namespace tenferro::inline TENFERRO_ABI::ops {

void check_defined(OpId op, DType dtype) {
    if (!info(op).dtypes.contains(dtype))
        throw Error(ErrorKind::Unsupported, info(op).name, text("not defined on dtype ", info(dtype).name));
}

void check_dtypes(const TensorMeta& a, const TensorMeta& b, std::string_view op, std::string_view a_name,
                  std::string_view b_name) {
    if (a.dtype != b.dtype)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text(a_name, " has dtype ", info(a.dtype).name, " but ", b_name, " has ", info(b.dtype).name));
}

void check_axis(const TensorMeta& a, Index axis, std::string_view op) { check_axes({&axis, 1}, a.rank(), op, "axis"); }

void check_index_dtype(const TensorMeta& a, std::string_view op, std::string_view name) {
    if (!info(a.dtype).is_integer)
        throw Error(ErrorKind::DTypeMismatch, op, text(name, " has dtype ", info(a.dtype).name, ", not i32 or i64"));
}

SymDim common_extent(const TensorMeta& a, std::size_t i, const TensorMeta& b, std::size_t k, std::string_view op,
                     std::string_view a_name, std::string_view b_name) {
    const SymDim &lhs = a.shape[i], &rhs = b.shape[k];
    if (lhs.constant() && rhs.constant() && lhs != rhs)
        throw Error(
            ErrorKind::ShapeMismatch, op,
            text(a_name, " axis ", i, " has extent ", lhs.text(), " but ", b_name, " axis ", k, " has extent ", rhs.text()));
    return lhs.constant() ? lhs : rhs.constant() ? rhs : lhs;
}

SymShape common_shape(const TensorMeta& a, const TensorMeta& b, std::string_view op, std::string_view a_name,
                      std::string_view b_name) {
    if (a.rank() != b.rank())
        throw Error(ErrorKind::RankMismatch, op, text(a_name, " has rank ", a.rank(), " but ", b_name, " has rank ", b.rank()));
    SymShape shape;
    for (std::size_t axis = 0; axis < a.rank(); ++axis) shape.push_back(common_extent(a, axis, b, axis, op, a_name, b_name));
    return shape;
}

void check_entries(std::size_t entries, const TensorMeta& a, std::string_view op, std::string_view name) {
    if (entries != a.rank())
        throw Error(ErrorKind::RankMismatch, op, text(name, " has ", entries, " entries but the operand has rank ", a.rank()));
}

SymShape extents_at(const TensorMeta& a, std::span<const Index> axes) {
    SymShape extents;
    for (const Index axis : axes) extents.push_back(a.shape[static_cast<std::size_t>(axis)]);
    return extents;
}

}  // namespace tenferro::inline TENFERRO_ABI::ops
