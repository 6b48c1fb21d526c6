// Operations along one axis that keep the shape: running sums, softmax and sorting.
#include "tensor/operations/checks.hpp"
#include "tensor/operations/extents.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

/// The rule of an operation along `axis` that keeps the shape.
template <Extent E>
BasicTensorMeta<E> along_axis(OpId op, const OperandMeta<E>& a, Index axis) {
    ShapeRules<E>::check_defined(op, a.dtype);
    check_axes({&axis, 1}, a.rank(), info(op).name, "operand");
    return {a.dtype, BasicShape<E>(a.shape.begin(), a.shape.end())};
}

}  // namespace

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::cumulative_sum(const Operand& a, Index axis, bool) {
    return along_axis(OpId::CumulativeSum, a, axis);
}
template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::softmax(const Operand& a, Index axis) {
    return along_axis(OpId::Softmax, a, axis);
}
template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::sort(const Operand& a, Index axis, bool) {
    return along_axis(OpId::Sort, a, axis);
}

TENFERRO_AXIS_OPS(TENFERRO_RULE_OF)

namespace {

void check_along(const BackendSession& s, OpId op, const TensorRead& a, Index axis) {
    check_place(s.backend_info(), a, info(op).name, "the operand");
    (void)along_axis<Index>(op, a, axis);
    check_supported(s, op, a.dtype());
}

void check_along(const BackendSession& s, OpId op, const TensorRead& a, Index axis, const TensorWrite& out) {
    check_along(s, op, a, axis);
    check_out(s.backend_info(), out, a.dtype(), a.shape(), info(op).name);
    check_no_overlap(a, out, info(op).name, "the operand");
}

}  // namespace

void BackendSession::cumulative_sum_into(const TensorRead& a, Index axis, bool reverse,
                                         const TensorWrite& out) {
    check_along(*this, OpId::CumulativeSum, a, axis, out);
    do_cumulative_sum(a, axis, reverse, out);
}

Tensor BackendSession::cumulative_sum_read(const TensorRead& a, Index axis, bool reverse) {
    check_along(*this, OpId::CumulativeSum, a, axis);
    Tensor out = allocate("cumulative_sum", a.dtype(), a.shape());
    do_cumulative_sum(a, axis, reverse, out.write());
    return out;
}

void BackendSession::softmax_into(const TensorRead& a, Index axis, const TensorWrite& out) {
    check_along(*this, OpId::Softmax, a, axis, out);
    do_softmax(a, axis, out);
}

Tensor BackendSession::softmax_read(const TensorRead& a, Index axis) {
    check_along(*this, OpId::Softmax, a, axis);
    Tensor out = allocate("softmax", a.dtype(), a.shape());
    do_softmax(a, axis, out.write());
    return out;
}

void BackendSession::sort_into(const TensorRead& a, Index axis, bool descending, const TensorWrite& out) {
    check_along(*this, OpId::Sort, a, axis, out);
    do_sort(a, axis, descending, out);
}

Tensor BackendSession::sort_read(const TensorRead& a, Index axis, bool descending) {
    check_along(*this, OpId::Sort, a, axis);
    Tensor out = allocate("sort", a.dtype(), a.shape());
    do_sort(a, axis, descending, out.write());
    return out;
}

Tensor BackendSession::cumulative_sum(Tensor&& a, Index axis, bool reverse) {
    return cumulative_sum_read(a, axis, reverse);
}
Tensor BackendSession::softmax(Tensor&& a, Index axis) { return softmax_read(a, axis); }
Tensor BackendSession::sort(Tensor&& a, Index axis, bool descending) {
    return sort_read(a, axis, descending);
}

}}  // namespace tenferro::TENFERRO_ABI
