// Reductions over axes, which disappear, and the places of extremes.
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor/operations/checks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

Dims reduced_shape(const BackendSession& s, OpId op, const TensorRead& a, DimsView axes) {
    check_operand(s, op, a);
    check_axes(axes, a.rank(), info(op).name, "reduced");
    Dims shape;
    for (const Index axis : free_axes(a.rank(), axes, {})) shape.push_back(a.shape()[axis]);
    return shape;
}

Dims arg_shape(const BackendSession& s, OpId op, const TensorRead& a, Index axis) {
    Dims shape = reduced_shape(s, op, a, {&axis, 1});
    if (a.shape()[axis] == 0)
        throw Error(ErrorKind::InvalidArgument, info(op).name,
                    text("axis ", axis, " has extent 0 but needs at least 1"));
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
