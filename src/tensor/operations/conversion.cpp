// convert, which only promotes, and cast, which goes to any dtype: the same virtual function computes both.
#include "tenferro/tensor/elementwise/conversion.hpp"
#include "tensor/operations/checks.hpp"
#include "tensor/operations/extents.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::conversion(OpId op, const Operand& a, DType to) {
    check_defined(op, a.dtype);
    if (op == OpId::Convert && !elementwise::promotions(a.dtype).contains(to))
        throw Error(ErrorKind::InvalidConfig, info(op).name,
                    text("dtype ", info(a.dtype).name, " does not promote to ", info(to).name));
    return {to, Shape(a.shape.begin(), a.shape.end())};
}

template ShapeRules<Index>::Meta ShapeRules<Index>::conversion(OpId, const Operand&, DType);
template ShapeRules<SymDim>::Meta ShapeRules<SymDim>::conversion(OpId, const Operand&, DType);

namespace {

void check_convert(const BackendSession& s, OpId op, const TensorRead& a, DType to) {
    check_place(s.backend_info(), a, info(op).name, "the operand");
    (void)ShapeRules<Index>::conversion(op, a, to);
    check_supported(s, op, a.dtype());
}

}  // namespace

void BackendSession::convert_as_into(OpId op, const TensorRead& a, const TensorWrite& out) {
    check_convert(*this, op, a, out.dtype());
    check_out(backend_info(), out, out.dtype(), a.shape(), info(op).name);
    check_no_overlap(a, out, info(op).name, "the operand");
    if (a.dtype() == out.dtype())
        do_copy(a, out);
    else
        do_convert(a, out);
}

Tensor BackendSession::convert_as_read(OpId op, const TensorRead& a, DType to) {
    check_convert(*this, op, a, to);
    if (a.dtype() == to) return copy_read(op, a);
    Tensor out = allocate(info(op).name, to, a.shape());
    do_convert(a, out.write());
    return out;
}

Tensor BackendSession::convert_as(OpId op, Tensor&& a, DType to) {
    check_convert(*this, op, a, to);
    return a.dtype() == to && a.is_compact() ? std::move(a) : convert_as_read(op, a, to);
}

Tensor BackendSession::convert(Tensor&& a, DType to) { return convert_as(OpId::Convert, std::move(a), to); }
Tensor BackendSession::convert_read(const TensorRead& a, DType to) {
    return convert_as_read(OpId::Convert, a, to);
}
void BackendSession::convert_into(const TensorRead& a, const TensorWrite& out) {
    convert_as_into(OpId::Convert, a, out);
}

Tensor BackendSession::cast(Tensor&& a, DType to) { return convert_as(OpId::Cast, std::move(a), to); }
Tensor BackendSession::cast_read(const TensorRead& a, DType to) { return convert_as_read(OpId::Cast, a, to); }
void BackendSession::cast_into(const TensorRead& a, const TensorWrite& out) {
    convert_as_into(OpId::Cast, a, out);
}

}}  // namespace tenferro::TENFERRO_ABI
