// Operations along axes: reductions, the places of extremes, running sums, softmax and sorting.
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor/operation_checks.hpp"
#include "tensor/operation_core.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

Dims reduced_shape(const BackendSession& s, OpId op, const TensorRead& a, std::span<const Index> axes) {
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

void check_along(const BackendSession& s, OpId op, const TensorRead& a, Index axis) {
    check_operand(s, op, a);
    check_axes({&axis, 1}, a.rank(), info(op).name, "operation");
}

void check_along(const BackendSession& s, OpId op, const TensorRead& a, Index axis, const TensorWrite& out) {
    check_along(s, op, a, axis);
    check_out(s.backend_info(), out, a.dtype(), a.shape(), info(op).name);
    check_no_overlap(a, out, info(op).name, "the operand");
}

}  // namespace

void OperationCore::reduce_into(BackendSession& s, OpId op, const TensorRead& a, std::span<const Index> axes,
                                const TensorWrite& out) {
    check_out(s.backend_info(), out, a.dtype(), reduced_shape(s, op, a, axes), info(op).name);
    check_no_overlap(a, out, info(op).name, "the operand");
    s.reduce(op, a, axes, out);
}

Tensor OperationCore::reduce_read(BackendSession& s, OpId op, const TensorRead& a,
                                  std::span<const Index> axes) {
    Tensor out = s.allocate(a.dtype(), reduced_shape(s, op, a, axes));
    s.reduce(op, a, axes, out.write());
    return out;
}

void OperationCore::arg_extreme_into(BackendSession& s, OpId op, const TensorRead& a, Index axis,
                                     const TensorWrite& out) {
    check_out(s.backend_info(), out, DType::I64, arg_shape(s, op, a, axis), info(op).name);
    check_no_overlap(a, out, info(op).name, "the operand");
    s.find_extreme(op, a, axis, out);
}

Tensor OperationCore::arg_extreme_read(BackendSession& s, OpId op, const TensorRead& a, Index axis) {
    Tensor out = s.allocate(DType::I64, arg_shape(s, op, a, axis));
    s.find_extreme(op, a, axis, out.write());
    return out;
}

void OperationCore::cumulative_sum_into(BackendSession& s, const TensorRead& a, Index axis, bool reverse,
                                        const TensorWrite& out) {
    check_along(s, OpId::CumulativeSum, a, axis, out);
    s.scan(a, axis, reverse, out);
}

Tensor OperationCore::cumulative_sum_read(BackendSession& s, const TensorRead& a, Index axis, bool reverse) {
    check_along(s, OpId::CumulativeSum, a, axis);
    Tensor out = s.allocate(a.dtype(), a.shape());
    s.scan(a, axis, reverse, out.write());
    return out;
}

void OperationCore::softmax_into(BackendSession& s, const TensorRead& a, Index axis, const TensorWrite& out) {
    check_along(s, OpId::Softmax, a, axis, out);
    s.normalize_exponentials(a, axis, out);
}

Tensor OperationCore::softmax_read(BackendSession& s, const TensorRead& a, Index axis) {
    check_along(s, OpId::Softmax, a, axis);
    Tensor out = s.allocate(a.dtype(), a.shape());
    s.normalize_exponentials(a, axis, out.write());
    return out;
}

void OperationCore::sort_into(BackendSession& s, const TensorRead& a, Index axis, bool descending,
                              const TensorWrite& out) {
    check_along(s, OpId::Sort, a, axis, out);
    s.sort_lines(a, axis, descending, out);
}

Tensor OperationCore::sort_read(BackendSession& s, const TensorRead& a, Index axis, bool descending) {
    check_along(s, OpId::Sort, a, axis);
    Tensor out = s.allocate(a.dtype(), a.shape());
    s.sort_lines(a, axis, descending, out.write());
    return out;
}

}}  // namespace tenferro::TENFERRO_ABI
