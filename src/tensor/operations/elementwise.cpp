// The unary and binary operations in their three forms; an owned operand of the result's dtype is
// overwritten.
#include "tenferro/tensor/elementwise.hpp"
#include "tensor/operations/checks.hpp"
#include "tensor/operations/extents.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::unary(OpId op, const Operand& a) {
    check_defined(op, a.dtype);
    return {elementwise::unary_result(op, a.dtype), Shape(a.shape.begin(), a.shape.end())};
}

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::binary(OpId op, const Operand& lhs, const Operand& rhs) {
    check_dtypes(lhs, rhs, info(op).name);
    check_defined(op, lhs.dtype);
    return {elementwise::binary_result(op, lhs.dtype), common_shape(lhs, rhs, info(op).name)};
}

template ShapeRules<Index>::Meta ShapeRules<Index>::unary(OpId, const Operand&);
template ShapeRules<SymDim>::Meta ShapeRules<SymDim>::unary(OpId, const Operand&);
template ShapeRules<Index>::Meta ShapeRules<Index>::binary(OpId, const Operand&, const Operand&);
template ShapeRules<SymDim>::Meta ShapeRules<SymDim>::binary(OpId, const Operand&, const Operand&);

namespace {

void check_binary(const BackendSession& s, OpId op, const TensorRead& a, const TensorRead& b) {
    check_place(s.backend_info(), a, info(op).name, "lhs");
    check_place(s.backend_info(), b, info(op).name, "rhs");
    if (a.dtype() != b.dtype() || a.shape() != b.shape()) [[unlikely]]
        (void)ShapeRules<Index>::binary(op, a, b);
    check_supported(s, op, a.dtype());
}

}  // namespace

void elementwise::throw_undefined(OpId op, std::int64_t lhs, std::int64_t rhs,
                                  std::span<const Index> position) {
    throw Error(
        ErrorKind::InvalidArgument, info(op).name,
        text("lhs ", lhs, " and rhs ", rhs, " at position ", list_text(position), " have no integer result"));
}

void BackendSession::elementwise_into(OpId op, const TensorRead& a, const TensorWrite& out) {
    check_operand(*this, op, a);
    check_out(backend_info(), out, elementwise::unary_result(op, a.dtype()), a.shape(), info(op).name);
    check_no_overlap(a, out, info(op).name, "the operand");
    do_unary(op, a, out);
}

Tensor BackendSession::elementwise_read(OpId op, const TensorRead& a) {
    check_operand(*this, op, a);
    Tensor out = allocate(info(op).name, elementwise::unary_result(op, a.dtype()), a.shape());
    do_unary(op, a, out.write());
    return out;
}

Tensor BackendSession::elementwise(OpId op, Tensor&& a) {
    check_operand(*this, op, a);
    if (!a.reusable() || elementwise::unary_result(op, a.dtype()) != a.dtype())
        return elementwise_read(op, a);
    do_unary(op, a, a.write());
    return std::move(a);
}

void BackendSession::elementwise_into(OpId op, const TensorRead& a, const TensorRead& b,
                                      const TensorWrite& out) {
    check_binary(*this, op, a, b);
    check_out(backend_info(), out, elementwise::binary_result(op, a.dtype()), a.shape(), info(op).name);
    check_no_overlap(a, out, info(op).name, "lhs");
    check_no_overlap(b, out, info(op).name, "rhs");
    do_binary(op, a, b, out);
}

Tensor BackendSession::elementwise_read(OpId op, const TensorRead& a, const TensorRead& b) {
    check_binary(*this, op, a, b);
    Tensor out = allocate(info(op).name, elementwise::binary_result(op, a.dtype()), a.shape());
    do_binary(op, a, b, out.write());
    return out;
}

Tensor BackendSession::elementwise(OpId op, Tensor&& a, Tensor&& b) {
    check_binary(*this, op, a, b);
    const bool same_dtype = elementwise::binary_result(op, a.dtype()) == a.dtype();
    if (!same_dtype || (!a.reusable() && !b.reusable())) return elementwise_read(op, a, b);
    Tensor& out = a.reusable() ? a : b;
    do_binary(op, a, b, out.write());
    return std::move(out);
}

}}  // namespace tenferro::TENFERRO_ABI
