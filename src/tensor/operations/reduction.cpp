// Reductions over axes, which disappear, and the places of extremes.
#include "tensor/operations/checks.hpp"
#include "tensor/operations/extents.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::reduction(OpId op, const Operand& a, DimsView axes) {
    check_defined(op, a.dtype);
    check_axes(axes, a.rank(), info(op).name, "reduced");
    return {a.dtype, rules::extents_at(a.shape, free_axes(a.rank(), axes, {}))};
}

namespace {

template <Extent E>
BasicTensorMeta<E> place_of_extreme(OpId op, const OperandMeta<E>& a, Index axis) {
    BasicTensorMeta<E> result = ShapeRules<E>::reduction(op, a, DimsView(std::span(&axis, 1)));
    if (rules::known(a.shape[static_cast<std::size_t>(axis)]) == 0)
        throw Error(ErrorKind::InvalidArgument, info(op).name,
                    text("axis ", axis, " has extent 0 but needs at least 1"));
    result.dtype = DType::I64;
    return result;
}

}  // namespace

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::argmax(const Operand& a, Index axis) {
    return place_of_extreme(OpId::Argmax, a, axis);
}
template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::argmin(const Operand& a, Index axis) {
    return place_of_extreme(OpId::Argmin, a, axis);
}

TENFERRO_ARG_OPS(TENFERRO_RULE_OF)
template ShapeRules<Index>::Meta ShapeRules<Index>::reduction(OpId, const Operand&, DimsView);
template ShapeRules<SymDim>::Meta ShapeRules<SymDim>::reduction(OpId, const Operand&, DimsView);

namespace {

Dims reduced_shape(const BackendSession& s, OpId op, const TensorRead& a, DimsView axes) {
    check_place(s.backend_info(), a, info(op).name, "the operand");
    Dims shape = ShapeRules<Index>::reduction(op, a, axes).shape;
    check_supported(s, op, a.dtype());
    return shape;
}

Dims arg_shape(const BackendSession& s, OpId op, const TensorRead& a, Index axis) {
    check_place(s.backend_info(), a, info(op).name, "the operand");
    Dims shape = place_of_extreme<Index>(op, a, axis).shape;
    check_supported(s, op, a.dtype());
    return shape;
}

}  // namespace

void BackendSession::reduce_into(OpId op, const TensorRead& a, DimsView axes, const TensorWrite& out) {
    check_out(backend_info(), out, a.dtype(), reduced_shape(*this, op, a, axes), info(op).name);
    check_no_overlap(a, out, info(op).name, "the operand");
    do_reduce(op, a, axes, out);
}

Tensor BackendSession::reduce_read(OpId op, const TensorRead& a, DimsView axes) {
    Tensor out = allocate(info(op).name, a.dtype(), reduced_shape(*this, op, a, axes));
    do_reduce(op, a, axes, out.write());
    return out;
}

void BackendSession::arg_extreme_into(OpId op, const TensorRead& a, Index axis, const TensorWrite& out) {
    check_out(backend_info(), out, DType::I64, arg_shape(*this, op, a, axis), info(op).name);
    check_no_overlap(a, out, info(op).name, "the operand");
    do_arg_extreme(op, a, axis, out);
}

Tensor BackendSession::arg_extreme_read(OpId op, const TensorRead& a, Index axis) {
    Tensor out = allocate(info(op).name, DType::I64, arg_shape(*this, op, a, axis));
    do_arg_extreme(op, a, axis, out.write());
    return out;
}

Tensor BackendSession::argmax(Tensor&& a, Index axis) { return argmax_read(a, axis); }
Tensor BackendSession::argmax_read(const TensorRead& a, Index axis) {
    return arg_extreme_read(OpId::Argmax, a, axis);
}
void BackendSession::argmax_into(const TensorRead& a, Index axis, const TensorWrite& out) {
    arg_extreme_into(OpId::Argmax, a, axis, out);
}

Tensor BackendSession::argmin(Tensor&& a, Index axis) { return argmin_read(a, axis); }
Tensor BackendSession::argmin_read(const TensorRead& a, Index axis) {
    return arg_extreme_read(OpId::Argmin, a, axis);
}
void BackendSession::argmin_into(const TensorRead& a, Index axis, const TensorWrite& out) {
    arg_extreme_into(OpId::Argmin, a, axis, out);
}

}}  // namespace tenferro::TENFERRO_ABI
