// The forms of the elementwise operations.
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/elementwise.hpp"
#include "tenferro/tensor/elementwise/conversion.hpp"
#include "tensor/operation_checks.hpp"
#include "tensor/operation_core.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

void check_binary(const BackendSession& s, OpId op, const TensorRead& a, const TensorRead& b) {
    check_same_dtype(a, b, info(op).name);
    check_operand(s, op, a, "lhs");
    check_place(s.backend_info(), b, info(op).name, "rhs");
    check_same_shape(a.shape(), b.shape(), info(op).name);
}

void check_select(const BackendSession& s, const TensorRead& predicate, const TensorRead& on_true,
                  const TensorRead& on_false) {
    constexpr std::string_view op = "select";
    if (predicate.dtype() != DType::Bool)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("predicate has dtype ", info(predicate.dtype()).name, ", not bool"));
    if (on_true.dtype() != on_false.dtype())
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("on_true has dtype ", info(on_true.dtype()).name, " but on_false has ",
                         info(on_false.dtype()).name));
    check_place(s.backend_info(), predicate, op, "predicate");
    check_operand(s, OpId::Select, on_true, "on_true");
    check_place(s.backend_info(), on_false, op, "on_false");
    check_same_shape(predicate.shape(), on_true.shape(), op, "predicate", "on_true");
    check_same_shape(on_true.shape(), on_false.shape(), op, "on_true", "on_false");
}

void check_bound(const BackendSession& s, const TensorRead& bound, const TensorRead& x,
                 std::string_view name) {
    if (bound.dtype() != x.dtype())
        throw Error(ErrorKind::DTypeMismatch, "clamp",
                    text(name, " has dtype ", info(bound.dtype()).name, " but the operand has ",
                         info(x.dtype()).name));
    check_place(s.backend_info(), bound, "clamp", name);
    check_same_shape(bound.shape(), x.shape(), "clamp", name, "the operand");
}

void check_clamp(const BackendSession& s, const TensorRead& low, const TensorRead& x,
                 const TensorRead& high) {
    check_bound(s, low, x, "low");
    check_bound(s, high, x, "high");
    check_operand(s, OpId::Clamp, x);
}

void check_convert(const BackendSession& s, OpId op, const TensorRead& a, DType to) {
    check_operand(s, op, a);
    const DType from = a.dtype();
    if (op == OpId::Convert && !elementwise::promotions(from).contains(to))
        throw Error(ErrorKind::InvalidConfig, info(op).name,
                    text("dtype ", info(from).name, " does not promote to ", info(to).name));
}

}  // namespace

void elementwise::throw_undefined(OpId op, std::int64_t lhs, std::int64_t rhs,
                                  std::span<const Index> position) {
    throw Error(
        ErrorKind::InvalidArgument, info(op).name,
        text("lhs ", lhs, " and rhs ", rhs, " at position ", list_text(position), " have no integer result"));
}

void OperationCore::binary_into(BackendSession& s, OpId op, const TensorRead& a, const TensorRead& b,
                                const TensorWrite& out) {
    check_binary(s, op, a, b);
    check_out(s.backend_info(), out, elementwise::binary_result(op, a.dtype()), a.shape(), info(op).name);
    check_no_overlap(a, out, info(op).name, "lhs");
    check_no_overlap(b, out, info(op).name, "rhs");
    s.binary(op, a, b, out);
}

Tensor OperationCore::binary_read(BackendSession& s, OpId op, const TensorRead& a, const TensorRead& b) {
    check_binary(s, op, a, b);
    Tensor out = s.allocate(elementwise::binary_result(op, a.dtype()), a.shape());
    s.binary(op, a, b, out.write());
    return out;
}

Tensor OperationCore::binary(BackendSession& s, OpId op, Tensor&& a, Tensor&& b) {
    check_binary(s, op, a, b);
    const bool same_dtype = elementwise::binary_result(op, a.dtype()) == a.dtype();
    if (!same_dtype || (!a.reusable() && !b.reusable())) return binary_read(s, op, a, b);
    Tensor& out = a.reusable() ? a : b;
    s.binary(op, a, b, out.write());
    return std::move(out);
}

void OperationCore::unary_into(BackendSession& s, OpId op, const TensorRead& a, const TensorWrite& out) {
    check_operand(s, op, a);
    check_out(s.backend_info(), out, elementwise::unary_result(op, a.dtype()), a.shape(), info(op).name);
    check_no_overlap(a, out, info(op).name, "the operand");
    s.unary(op, a, out);
}

Tensor OperationCore::unary_read(BackendSession& s, OpId op, const TensorRead& a) {
    check_operand(s, op, a);
    Tensor out = s.allocate(elementwise::unary_result(op, a.dtype()), a.shape());
    s.unary(op, a, out.write());
    return out;
}

Tensor OperationCore::unary(BackendSession& s, OpId op, Tensor&& a) {
    check_operand(s, op, a);
    if (!a.reusable() || elementwise::unary_result(op, a.dtype()) != a.dtype()) return unary_read(s, op, a);
    s.unary(op, a, a.write());
    return std::move(a);
}

void OperationCore::select_into(BackendSession& s, const TensorRead& predicate, const TensorRead& on_true,
                                const TensorRead& on_false, const TensorWrite& out) {
    check_select(s, predicate, on_true, on_false);
    check_out(s.backend_info(), out, on_true.dtype(), on_true.shape(), "select");
    check_no_overlap(predicate, out, "select", "predicate");
    check_no_overlap(on_true, out, "select", "on_true");
    check_no_overlap(on_false, out, "select", "on_false");
    s.select_elements(predicate, on_true, on_false, out);
}

Tensor OperationCore::select_read(BackendSession& s, const TensorRead& predicate, const TensorRead& on_true,
                                  const TensorRead& on_false) {
    check_select(s, predicate, on_true, on_false);
    Tensor out = s.allocate(on_true.dtype(), on_true.shape());
    s.select_elements(predicate, on_true, on_false, out.write());
    return out;
}

Tensor OperationCore::select(BackendSession& s, Tensor&& predicate, Tensor&& on_true, Tensor&& on_false) {
    check_select(s, predicate, on_true, on_false);
    if (!on_true.reusable() && !on_false.reusable()) return select_read(s, predicate, on_true, on_false);
    Tensor& out = on_true.reusable() ? on_true : on_false;
    s.select_elements(predicate, on_true, on_false, out.write());
    return std::move(out);
}

void OperationCore::clamp_into(BackendSession& s, const TensorRead& low, const TensorRead& x,
                               const TensorRead& high, const TensorWrite& out) {
    check_clamp(s, low, x, high);
    check_out(s.backend_info(), out, x.dtype(), x.shape(), "clamp");
    check_no_overlap(low, out, "clamp", "low");
    check_no_overlap(x, out, "clamp", "the operand");
    check_no_overlap(high, out, "clamp", "high");
    s.clamp_elements(low, x, high, out);
}

Tensor OperationCore::clamp_read(BackendSession& s, const TensorRead& low, const TensorRead& x,
                                 const TensorRead& high) {
    check_clamp(s, low, x, high);
    Tensor out = s.allocate(x.dtype(), x.shape());
    s.clamp_elements(low, x, high, out.write());
    return out;
}

Tensor OperationCore::clamp(BackendSession& s, Tensor&& low, Tensor&& x, Tensor&& high) {
    check_clamp(s, low, x, high);
    Tensor* const out = x.reusable() ? &x : low.reusable() ? &low : high.reusable() ? &high : nullptr;
    if (out == nullptr) return clamp_read(s, low, x, high);
    s.clamp_elements(low, x, high, out->write());
    return std::move(*out);
}

void OperationCore::convert_into(BackendSession& s, OpId op, const TensorRead& a, const TensorWrite& out) {
    check_convert(s, op, a, out.dtype());
    check_out(s.backend_info(), out, out.dtype(), a.shape(), info(op).name);
    check_no_overlap(a, out, info(op).name, "the operand");
    if (a.dtype() == out.dtype())
        s.copy(a, out);
    else
        s.convert_elements(a, out);
}

Tensor OperationCore::convert_read(BackendSession& s, OpId op, const TensorRead& a, DType to) {
    check_convert(s, op, a, to);
    if (a.dtype() == to) return copy_read(s, op, a);
    Tensor out = s.allocate(to, a.shape());
    s.convert_elements(a, out.write());
    return out;
}

Tensor OperationCore::convert(BackendSession& s, OpId op, Tensor&& a, DType to) {
    check_convert(s, op, a, to);
    return a.dtype() == to && a.is_compact() ? std::move(a) : convert_read(s, op, a, to);
}

}}  // namespace tenferro::TENFERRO_ABI
