// select and clamp: three operands of one shape, of which an owned one may become the result.
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor/operations/checks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

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

}  // namespace

void BackendSession::select_into(const TensorRead& predicate, const TensorRead& on_true,
                                 const TensorRead& on_false, const TensorWrite& out) {
    check_select(*this, predicate, on_true, on_false);
    check_out(backend_info(), out, on_true.dtype(), on_true.shape(), "select");
    check_no_overlap(predicate, out, "select", "predicate");
    check_no_overlap(on_true, out, "select", "on_true");
    check_no_overlap(on_false, out, "select", "on_false");
    do_select(predicate, on_true, on_false, out);
}

Tensor BackendSession::select_read(const TensorRead& predicate, const TensorRead& on_true,
                                   const TensorRead& on_false) {
    check_select(*this, predicate, on_true, on_false);
    Tensor out = allocate("select", on_true.dtype(), on_true.shape());
    do_select(predicate, on_true, on_false, out.write());
    return out;
}

Tensor BackendSession::select(Tensor&& predicate, Tensor&& on_true, Tensor&& on_false) {
    check_select(*this, predicate, on_true, on_false);
    if (!on_true.reusable() && !on_false.reusable()) return select_read(predicate, on_true, on_false);
    Tensor& out = on_true.reusable() ? on_true : on_false;
    do_select(predicate, on_true, on_false, out.write());
    return std::move(out);
}

void BackendSession::clamp_into(const TensorRead& low, const TensorRead& x, const TensorRead& high,
                                const TensorWrite& out) {
    check_clamp(*this, low, x, high);
    check_out(backend_info(), out, x.dtype(), x.shape(), "clamp");
    check_no_overlap(low, out, "clamp", "low");
    check_no_overlap(x, out, "clamp", "the operand");
    check_no_overlap(high, out, "clamp", "high");
    do_clamp(low, x, high, out);
}

Tensor BackendSession::clamp_read(const TensorRead& low, const TensorRead& x, const TensorRead& high) {
    check_clamp(*this, low, x, high);
    Tensor out = allocate("clamp", x.dtype(), x.shape());
    do_clamp(low, x, high, out.write());
    return out;
}

Tensor BackendSession::clamp(Tensor&& low, Tensor&& x, Tensor&& high) {
    check_clamp(*this, low, x, high);
    Tensor* const out = x.reusable() ? &x : low.reusable() ? &low : high.reusable() ? &high : nullptr;
    if (out == nullptr) return clamp_read(low, x, high);
    do_clamp(low, x, high, out->write());
    return std::move(*out);
}

}}  // namespace tenferro::TENFERRO_ABI
