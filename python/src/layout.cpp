// Views of eager tensors for elementwise functions.
#include "layout.hpp"

#include <cstdlib>

namespace tenferro::python {

namespace {

/// Whether the elements are there and no gradient is asked for, so that a view serves as well.
bool may_be_viewed(const Value& a) { return !a.is_traced() && !a.eager().requires_grad(); }

Value seen(const Value& a, const TensorRead& view) { return Value(a.eager().value().share_as(view)); }

/// Whether axis i is to come before axis j: by the first operand that varies along both.
bool is_closer(std::initializer_list<const Value*> operands, std::size_t i, std::size_t j) {
    for (const Value* operand : operands) {
        const Dims& strides = operand->eager().value().strides();
        const Index first = std::abs(strides[i]), second = std::abs(strides[j]);
        if (first != 0 && second != 0 && first != second) return first < second;
    }
    return false;
}

}  // namespace

Value widened(const Value& a, const Value& other) {
    if (!may_be_viewed(a) || !may_be_viewed(other)) return tfe_detail::widened(a, other);
    const std::optional<SymShape> shape = tensor_ops::widened_shape(shape_of(a), shape_of(other));
    if (!shape) return a;
    Dims extents;
    for (const SymDim& extent : *shape) extents.push_back(*extent.constant());
    return seen(a, a.eager().value().read().broadcast_view(
                       extents, tensor_ops::trailing_axes(a.rank(), extents.size())));
}

Dims memory_order(std::initializer_list<const Value*> operands) {
    const Value& first = **operands.begin();
    if (first.rank() < 2 || !may_be_viewed(first)) return {};
    const Dims& shape = first.eager().value().shape();
    for (const Value* operand : operands)
        if (!may_be_viewed(*operand) || operand->eager().value().shape() != shape) return {};
    Dims order, single;  // those of one element come last
    bool sorted = true;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] == 1) {
            single.push_back(static_cast<Index>(axis));
            continue;
        }
        order.push_back(static_cast<Index>(axis));
        for (std::size_t at = order.size() - 1;
             at > 0 && is_closer(operands, axis, static_cast<std::size_t>(order[at - 1])); --at) {
            std::swap(order[at - 1], order[at]);
            sorted = false;
        }
    }
    if (sorted) return {};
    order.append(single);
    return order;
}

Value in_order(const Value& a, const Dims& order) {
    return seen(a, a.eager().value().read().transpose_view(order));
}
Value out_of_order(const Value& a, const Dims& order) {
    Dims back = order;
    for (std::size_t i = 0; i < order.size(); ++i)
        back[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
    return in_order(a, back);
}

}  // namespace tenferro::python
