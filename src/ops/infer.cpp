// The checks that shape rules share.
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace ops {

void check_defined(OpId op, DType dtype) {
    if (!info(op).dtypes.contains(dtype))
        throw Error(ErrorKind::Unsupported, info(op).name, text("not defined on dtype ", info(dtype).name));
}

void check_dtypes(const TensorMeta& a, const TensorMeta& b, std::string_view op, std::string_view a_name,
                  std::string_view b_name) {
    if (a.dtype != b.dtype)
        throw Error(
            ErrorKind::DTypeMismatch, op,
            text(a_name, " has dtype ", info(a.dtype).name, " but ", b_name, " has ", info(b.dtype).name));
}

void check_axis(const TensorMeta& a, Index axis, std::string_view op, std::string_view role) {
    check_axes({&axis, 1}, a.rank(), op, role);
}

void check_extents(const SymShape& shape, std::string_view op) {
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (shape[axis].constant() && *shape[axis].constant() < 0)
            throw Error(ErrorKind::InvalidArgument, op,
                        text("axis ", axis, " has negative extent ", shape[axis].text()));
}

void check_part(const TensorMeta& a, const TensorMeta& starts, const SymShape& sizes, std::string_view op) {
    check_index_dtype(starts, op, "starts");
    const auto rank = static_cast<Index>(a.rank());
    if (starts.rank() != 1 || starts.shape[0].constant().value_or(rank) != rank)
        throw Error(ErrorKind::ShapeMismatch, op,
                    text("starts has shape ", shape_text(starts.shape), " but the operand has rank ", rank));
    if (sizes.size() != a.rank())
        throw Error(ErrorKind::RankMismatch, op,
                    text("the part has rank ", sizes.size(), " but the operand has rank ", rank));
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
        const auto size = sizes[axis].constant(), extent = a.shape[axis].constant();
        if (size && (*size < 0 || (extent && *size > *extent)))
            throw Error(ErrorKind::ShapeMismatch, op,
                        text("the part has extent ", *size, " on axis ", axis, " but the operand has ",
                             a.shape[axis].text()));
    }
}

void check_index_dtype(const TensorMeta& a, std::string_view op, std::string_view name) {
    if (!info(a.dtype).is_integer)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text(name, " has dtype ", info(a.dtype).name, ", not i32 or i64"));
}

SymDim common_extent(const TensorMeta& a, std::size_t i, const TensorMeta& b, std::size_t k,
                     std::string_view op, std::string_view a_name, std::string_view b_name) {
    const SymDim &lhs = a.shape[i], &rhs = b.shape[k];
    if (lhs.constant() && rhs.constant() && lhs != rhs)
        throw Error(ErrorKind::ShapeMismatch, op,
                    text(a_name, " axis ", i, " has extent ", lhs.text(), " but ", b_name, " axis ", k,
                         " has extent ", rhs.text()));
    return lhs.constant() ? lhs : rhs.constant() ? rhs : lhs;
}

SymShape common_shape(const TensorMeta& a, const TensorMeta& b, std::string_view op, std::string_view a_name,
                      std::string_view b_name) {
    if (a.rank() != b.rank())
        throw Error(ErrorKind::RankMismatch, op,
                    text(a_name, " has rank ", a.rank(), " but ", b_name, " has rank ", b.rank()));
    SymShape shape;
    for (std::size_t axis = 0; axis < a.rank(); ++axis)
        shape.push_back(common_extent(a, axis, b, axis, op, a_name, b_name));
    return shape;
}

void check_entries(std::size_t entries, const TensorMeta& a, std::string_view op, std::string_view name) {
    if (entries != a.rank())
        throw Error(ErrorKind::RankMismatch, op,
                    text(name, " has ", entries, " entries but the operand has rank ", a.rank()));
}

SymShape extents_at(const TensorMeta& a, std::span<const Index> axes) {
    SymShape extents;
    for (const Index axis : axes) extents.push_back(a.shape[static_cast<std::size_t>(axis)]);
    return extents;
}

}}}  // namespace tenferro::TENFERRO_ABI::ops
