// Operations that only move elements between the axes: each is one copy of a view.
#include "tensor/operations/checks.hpp"
#include "tensor/operations/copied_view.hpp"
#include "tensor/operations/extents.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::transpose(const Operand& a, DimsView perm) {
    check_defined(OpId::Transpose, a.dtype);
    check_permutation(perm, a.rank(), "transpose");
    return {a.dtype, rules::extents_at(a.shape, perm)};
}

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::reshape(const Operand& a, Extents shape) {
    constexpr std::string_view op = "reshape";
    check_defined(OpId::Reshape, a.dtype);
    check_count(shape, op);
    const auto from = rules::known_shape(a.shape), to = rules::known_shape(shape);
    if (from && to && element_count(*from, op) != element_count(*to, op))
        throw Error(ErrorKind::ShapeMismatch, op,
                    text("the operand of shape ", list_text(*from), " has ", element_count(*from, op),
                         " elements but shape ", list_text(*to), " has ", element_count(*to, op)));
    return {a.dtype, Shape(shape.begin(), shape.end())};
}

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::broadcast_in_dim(const Operand& a, Extents shape, DimsView broadcast_dims) {
    constexpr std::string_view op = "broadcast_in_dim";
    check_defined(OpId::BroadcastInDim, a.dtype);
    check_entries(broadcast_dims.size(), a, op, "broadcast_dims");
    check_axes(broadcast_dims, shape.size(), op, "broadcast");
    check_count(shape, op);
    const Operand result(a.dtype, shape);
    for (std::size_t axis = 0; axis < a.rank(); ++axis)
        if (rules::known(a.shape[axis]) != 1)
            (void)common_extent(a, static_cast<Index>(axis), result, broadcast_dims[axis], op, "operand",
                                "result");
    return {a.dtype, Shape(shape.begin(), shape.end())};
}

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::extract_diagonal(const Operand& a, Index first, Index second) {
    constexpr std::string_view op = "extract_diagonal";
    check_defined(OpId::ExtractDiagonal, a.dtype);
    check_axes(Dims{first, second}, a.rank(), op, "diagonal");
    const E merged = common_extent(a, first, a, second, op, "the operand's", "its");
    Shape shape;
    for (Index axis = 0; axis < static_cast<Index>(a.rank()); ++axis)
        if (axis != second) shape.push_back(axis == first ? merged : a.shape[static_cast<std::size_t>(axis)]);
    return {a.dtype, std::move(shape)};
}

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::to_contiguous(const Operand& a) {
    check_defined(OpId::ToContiguous, a.dtype);
    return {a.dtype, Shape(a.shape.begin(), a.shape.end())};
}

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::reverse(const Operand& a, DimsView axes) {
    check_defined(OpId::Reverse, a.dtype);
    check_axes(axes, a.rank(), "reverse", "reversed");
    return {a.dtype, Shape(a.shape.begin(), a.shape.end())};
}

TENFERRO_REARRANGEMENT_OPS(TENFERRO_RULE_OF)
TENFERRO_REVERSING_OPS(TENFERRO_RULE_OF)

namespace {

void check_reshape(const BackendSession& s, const TensorRead& a, DimsView shape) {
    check_operand(s, OpId::Reshape, a);
    (void)ShapeRules<Index>::reshape(a, shape);
}

}  // namespace

void BackendSession::copy_into(OpId op, const TensorRead& view, const TensorWrite& out) {
    check_operand(*this, op, view);
    check_out(backend_info(), out, view.dtype(), view.shape(), info(op).name);
    check_no_overlap(view, out, info(op).name, "the operand");
    do_copy(view, out);
}

Tensor BackendSession::copy_read(OpId op, const TensorRead& view) {
    check_operand(*this, op, view);
    Tensor out = allocate(info(op).name, view.dtype(), view.shape());
    do_copy(view, out.write());
    return out;
}

Tensor BackendSession::reshape_read(const TensorRead& a, DimsView shape) {
    check_reshape(*this, a, shape);
    Tensor out = allocate("reshape", a.dtype(), shape);
    do_copy(a, TensorWrite::compact(a.dtype(), out.write().data(), a.shape(), out.placement()));
    return out;
}

void BackendSession::reshape_into(const TensorRead& a, DimsView shape, const TensorWrite& out) {
    check_reshape(*this, a, shape);
    if (!out.is_compact()) throw Error(ErrorKind::Unsupported, "reshape", "out is not compact column-major");
    check_out(backend_info(), out, a.dtype(), shape, "reshape");
    check_no_overlap(a, out, "reshape", "the operand");
    do_copy(a, TensorWrite::compact(a.dtype(), out.data(), a.shape(), out.placement()));
}

TENFERRO_COPIED_VIEW(Transpose, transpose, transpose_view, ((Axes, perm)))
TENFERRO_COPIED_VIEW(BroadcastInDim, broadcast_in_dim, broadcast_view,
                     ((Extents, shape), (Axes, broadcast_dims)))
TENFERRO_COPIED_VIEW(ExtractDiagonal, extract_diagonal, diagonal_view, ((Axis, first), (Axis, second)))

Tensor BackendSession::to_contiguous(Tensor&& a) {
    return a.is_compact() ? std::move(a) : to_contiguous_read(a);
}
Tensor BackendSession::to_contiguous_read(const TensorRead& a) { return copy_read(OpId::ToContiguous, a); }
void BackendSession::to_contiguous_into(const TensorRead& a, const TensorWrite& out) {
    copy_into(OpId::ToContiguous, a, out);
}

Tensor BackendSession::reshape(Tensor&& a, DimsView shape) {
    if (!a.is_compact()) return reshape_read(a, shape);
    const Tensor consumed = std::move(a);
    return consumed.share_as(consumed.read().reshape_view(shape));
}

}}  // namespace tenferro::TENFERRO_ABI
