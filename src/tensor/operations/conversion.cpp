// convert, which only promotes, and cast, which goes to any dtype: the same virtual function computes both.
#include "tenferro/tensor/elementwise/conversion.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor/operations/checks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

void check_convert(const BackendSession& s, OpId op, const TensorRead& a, DType to) {
    check_operand(s, op, a);
    const DType from = a.dtype();
    if (op == OpId::Convert && !elementwise::promotions(from).contains(to))
        throw Error(ErrorKind::InvalidConfig, info(op).name,
                    text("dtype ", info(from).name, " does not promote to ", info(to).name));
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
