// The rules of operations along one axis that keep the shape.
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

}}  // namespace tenferro::TENFERRO_ABI
