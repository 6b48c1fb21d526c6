// roll: the two parts of the axis, each copied to where the other was.
#include "tenferro/tensor/backend_session.hpp"
#include "tensor/operations/extents.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::roll(const Operand& a, Index, Index axis) {
    check_defined(OpId::Roll, a.dtype);
    check_axes({&axis, 1}, a.rank(), "roll", "operand");
    return {a.dtype, Shape(a.shape.begin(), a.shape.end())};
}

TENFERRO_SHIFTING_OPS(TENFERRO_RULE_OF)

void BackendSession::do_roll(const TensorRead& a, Index shift, Index axis, const TensorWrite& out) {
    if (a.size() == 0) return;
    const Index extent = a.shape()[axis];
    const Index first = (shift % extent + extent) % extent;  // where element 0 goes
    const auto part = [&](const auto& whole, Index from, Index to) {
        Dims starts(whole.rank(), 0), limits = whole.shape();
        starts[axis] = from, limits[axis] = to;
        return whole.slice_view(starts, limits, Dims(whole.rank(), 1));
    };
    do_copy(part(a, 0, extent - first), part(out, first, extent));
    if (first > 0) do_copy(part(a, extent - first, extent), part(out, 0, first));
}

}}  // namespace tenferro::TENFERRO_ABI
