// How elementwise functions see arrays that are there: with their axes in the order in which they lie in
// memory, so that results lie as their operands do, and repeated ones without a copy.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "value.hpp"

namespace tenferro::python {

/// `a` repeated to what it broadcasts to beside `other`: a view of its elements where they are there.
[[nodiscard]] Value widened(const Value& a, const Value& other);

/// Whether the elements are there and no gradient is asked for, so that a view serves as well.
[[nodiscard]] bool may_be_viewed(const Value& a);

/// The axes of operands of one shape in the order of memory: first that along which the first operand that
/// varies along both has its elements closer together, as NumPy's iterator sorts them. None where they are in
/// order, or where operands are not there or not of one shape.
[[nodiscard]] Dims memory_order(std::initializer_list<const Value*> operands);
/// The axes in that order, a view; and back.
[[nodiscard]] Value in_order(const Value& a, const Dims& order);
[[nodiscard]] Value out_of_order(const Value& a, const Dims& order);

/// The elements in column-major order in another shape of as many: a view where they lie so.
[[nodiscard]] Value in_shape(const Value& a, SymShape shape);

/// The axes from the last to the first: a view where the elements are there.
[[nodiscard]] Value reversed(const Value& a);
/// With an axis of extent 1 at `axis`, likewise.
[[nodiscard]] Value with_axis(const Value& a, Index axis);

/// f(operands...) of an elementwise f, computed in the order of memory: of row-major operands it is
/// row-major, as NumPy's of order 'K'.
template <class F, class... Values>
[[nodiscard]] Value in_memory_order(const F& f, const Values&... operands) {
    const Dims order = memory_order({&operands...});
    if (order.empty()) return f(operands...);
    return [&](const Values&... seen) {
        const Value result = f(seen...);
        const Value* same = nullptr;  // an operand itself, which callers look for
        ((same = &result.eager().value() == &seen.eager().value() ? &operands : same), ...);
        return same != nullptr ? *same : out_of_order(result, order);
    }(in_order(operands, order)...);
}

/// f(a, axes) of an f that keeps axes where they are, computed in the order of memory.
template <class F>
[[nodiscard]] Value axes_in_memory_order(const F& f, const Value& a, Dims axes) {
    const Dims order = memory_order({&a});
    if (order.empty()) return f(a, axes);
    for (Index& axis : axes) axis = std::find(order.begin(), order.end(), axis) - order.begin();
    return out_of_order(f(in_order(a, order), axes), order);
}

/// With memory of its own, in the same order; a traced one as it is.
[[nodiscard]] Value copied(const Value& a);

/// Whether shapes differ along `axis` at most.
[[nodiscard]] bool differ_along(const Value& a, const Value& b, Index axis);

/// f(operands, axis) of an f that keeps axes where they are, computed in the order of memory of the first
/// operand.
template <class F>
[[nodiscard]] Value along_in_memory_order(const F& f, const std::vector<Value>& operands, Index axis) {
    const Value& first = operands.front();
    const Dims order = memory_order({&first});
    const Index along = tensor_ops::from_front(axis, first.rank());
    const auto at = std::find(order.begin(), order.end(), along);
    bool plain = at == order.end();
    for (const Value& operand : operands)  // of other shapes for the error that names them
        plain = plain || !may_be_viewed(operand) || !differ_along(first, operand, along);
    if (plain) return f(operands, axis);
    std::vector<Value> seen;
    for (const Value& operand : operands) seen.push_back(in_order(operand, order));
    return out_of_order(f(seen, static_cast<Index>(at - order.begin())), order);
}

}  // namespace tenferro::python
