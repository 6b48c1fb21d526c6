// select and clamp: three operands of one shape, of which an owned one may become the result.
#include "tensor/operations/checks.hpp"
#include "tensor/operations/extents.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::select(const Operand& predicate, const Operand& on_true,
                                         const Operand& on_false) {
    constexpr std::string_view op = "select";
    if (predicate.dtype != DType::Bool)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("predicate has dtype ", info(predicate.dtype).name, " but needs bool"));
    check_dtypes(on_true, on_false, op, "on_true", "on_false");
    check_defined(OpId::Select, on_true.dtype);
    const Shape chosen = common_shape(on_true, on_false, op, "on_true", "on_false");
    return {on_true.dtype, common_shape({on_true.dtype, chosen}, predicate, op, "on_true", "predicate")};
}

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::clamp(const Operand& low, const Operand& x, const Operand& high) {
    constexpr std::string_view op = "clamp";
    check_dtypes(low, x, op, "low", "the operand");
    check_dtypes(high, x, op, "high", "the operand");
    check_defined(OpId::Clamp, x.dtype);
    const Shape shape = common_shape(low, x, op, "low", "the operand");
    return {x.dtype, common_shape(high, {x.dtype, shape}, op, "high", "the operand")};
}

TENFERRO_SELECTION_OPS(TENFERRO_RULE_OF)

namespace {

void check_select(const BackendSession& s, const TensorRead& predicate, const TensorRead& on_true,
                  const TensorRead& on_false) {
    check_place(s.backend_info(), predicate, "select", "predicate");
    check_place(s.backend_info(), on_true, "select", "on_true");
    check_place(s.backend_info(), on_false, "select", "on_false");
    (void)ShapeRules<Index>::select(predicate, on_true, on_false);
    check_supported(s, OpId::Select, on_true.dtype());
}

void check_clamp(const BackendSession& s, const TensorRead& low, const TensorRead& x,
                 const TensorRead& high) {
    check_place(s.backend_info(), low, "clamp", "low");
    check_place(s.backend_info(), x, "clamp", "the operand");
    check_place(s.backend_info(), high, "clamp", "high");
    (void)ShapeRules<Index>::clamp(low, x, high);
    check_supported(s, OpId::Clamp, x.dtype());
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
