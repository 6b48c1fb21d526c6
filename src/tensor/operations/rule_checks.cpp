// The checks that shape rules share.
#include "tensor/operations/extents.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

using rules::extent_text;

template <Extent E>
void ShapeRules<E>::check_defined(OpId op, DType dtype) {
    if (!info(op).dtypes.contains(dtype))
        throw Error(ErrorKind::Unsupported, info(op).name,
                    text("dtype ", info(dtype).name, " is not supported"));
}

template <Extent E>
void ShapeRules<E>::check_dtypes(const Operand& a, const Operand& b, std::string_view op,
                                 std::string_view a_name, std::string_view b_name) {
    if (a.dtype != b.dtype)
        throw Error(
            ErrorKind::DTypeMismatch, op,
            text(a_name, " has dtype ", info(a.dtype).name, " but ", b_name, " has ", info(b.dtype).name));
}

template <Extent E>
void ShapeRules<E>::check_index_dtype(const Operand& a, std::string_view op, std::string_view name) {
    if (!info(a.dtype).is_integer)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text(name, " has dtype ", info(a.dtype).name, " but needs i32 or i64"));
}

template <Extent E>
void ShapeRules<E>::check_entries(std::size_t entries, const Operand& a, std::string_view op,
                                  std::string_view name) {
    if (entries != a.rank())
        throw Error(ErrorKind::RankMismatch, op,
                    text(name, " has ", entries, " entries but the operand has rank ", a.rank()));
}

template <Extent E>
void ShapeRules<E>::check_count(Extents shape, std::string_view op) {
    if constexpr (std::same_as<E, Index>) {
        (void)element_count(shape, op);
    } else if (const auto numbers = rules::known_shape(shape)) {
        (void)element_count(*numbers, op);
    } else {
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            if (rules::above(E(0), shape[axis]))
                throw Error(ErrorKind::InvalidArgument, op,
                            text("axis ", axis, " has negative extent ", extent_text(shape[axis])));
    }
}

template <Extent E>
E ShapeRules<E>::common_extent(const Operand& a, Index i, const Operand& b, Index k, std::string_view op,
                               std::string_view a_name, std::string_view b_name) {
    const E &left = a.shape[static_cast<std::size_t>(i)], &right = b.shape[static_cast<std::size_t>(k)];
    if (rules::differ(left, right))
        throw Error(ErrorKind::ShapeMismatch, op,
                    text(a_name, " axis ", i, " has extent ", extent_text(left), " but ", b_name, " axis ", k,
                         " has extent ", extent_text(right)));
    return rules::known(left) || !rules::known(right) ? left : right;
}

template <Extent E>
BasicShape<E> ShapeRules<E>::common_shape(const Operand& a, const Operand& b, std::string_view op,
                                          std::string_view a_name, std::string_view b_name) {
    if (a.rank() != b.rank())
        throw Error(ErrorKind::RankMismatch, op,
                    text(a_name, " has shape ", rules::shape_text(a.shape), " but ", b_name, " has shape ",
                         rules::shape_text(b.shape)));
    Shape shape;
    for (Index axis = 0; axis < static_cast<Index>(a.rank()); ++axis)
        shape.push_back(common_extent(a, axis, b, axis, op, a_name, b_name));
    return shape;
}

#define TENFERRO_CHECKS(E)                                                                                  \
    template void ShapeRules<E>::check_defined(OpId, DType);                                                \
    template void ShapeRules<E>::check_dtypes(const Operand&, const Operand&, std::string_view,             \
                                              std::string_view, std::string_view);                          \
    template void ShapeRules<E>::check_index_dtype(const Operand&, std::string_view, std::string_view);     \
    template void ShapeRules<E>::check_entries(std::size_t, const Operand&, std::string_view,               \
                                               std::string_view);                                           \
    template void ShapeRules<E>::check_count(Extents, std::string_view);                                    \
    template E ShapeRules<E>::common_extent(const Operand&, Index, const Operand&, Index, std::string_view, \
                                            std::string_view, std::string_view);                            \
    template BasicShape<E> ShapeRules<E>::common_shape(const Operand&, const Operand&, std::string_view,    \
                                                       std::string_view, std::string_view);
TENFERRO_CHECKS(Index)
TENFERRO_CHECKS(SymDim)
#undef TENFERRO_CHECKS

}}  // namespace tenferro::TENFERRO_ABI
