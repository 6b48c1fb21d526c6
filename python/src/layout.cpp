// Views of eager tensors for elementwise functions.
#include "layout.hpp"

#include <cstdlib>

namespace tenferro::python {

namespace {

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

bool may_be_viewed(const Value& a) { return !a.is_traced() && !a.eager().requires_grad(); }

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

Value in_shape(const Value& a, SymShape shape) {
    if (!may_be_viewed(a) || !a.eager().value().is_compact()) return reshape(a, std::move(shape));
    Dims extents;
    for (const SymDim& extent : shape) extents.push_back(*extent.constant());
    return seen(a, a.eager().value().read().reshape_view(extents));
}

Value reversed(const Value& a) {
    if (!may_be_viewed(a)) return transpose(a);
    Dims order;
    for (std::size_t axis = a.rank(); axis-- > 0;) order.push_back(static_cast<Index>(axis));
    return in_order(a, order);
}

Value with_axis(const Value& a, Index axis) {
    SymShape shape = shape_of(a);
    shape.insert(shape.begin() + axis, SymDim(1));
    if (!may_be_viewed(a)) return reshape(a, std::move(shape));
    const TensorRead& read = a.eager().value().read();
    Dims extents = read.shape(), strides = read.strides();
    extents.insert(static_cast<std::size_t>(axis), 1);
    strides.insert(static_cast<std::size_t>(axis), 1);
    return seen(a, TensorRead(read.dtype(), read.data(), std::move(extents), std::move(strides)));
}

Value copied(const Value& a) {
    if (a.is_traced()) return a;
    return in_memory_order([](const Value& x) { return Value(x.eager().value().duplicate()); }, a);
}

bool differ_along(const Value& a, const Value& b, Index axis) {
    const Dims &x = a.eager().value().shape(), &y = b.eager().value().shape();
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (x[i] != y[i] && static_cast<Index>(i) != axis) return false;
    return true;
}

}  // namespace tenferro::python
