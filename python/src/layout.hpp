// How elementwise functions see arrays that are there: with their axes in the order in which they lie in
// memory, so that results lie as their operands do, and repeated ones without a copy.
#pragma once

#include <initializer_list>

#include "value.hpp"

namespace tenferro::python {

/// `a` repeated to what it broadcasts to beside `other`: a view of its elements where they are there.
[[nodiscard]] Value widened(const Value& a, const Value& other);

/// The axes of operands of one shape in the order of memory: first that along which the first operand that
/// varies along both has its elements closer together, as NumPy's iterator sorts them. None where they are in
/// order, or where operands are not there or not of one shape.
[[nodiscard]] Dims memory_order(std::initializer_list<const Value*> operands);
/// The axes in that order, a view; and back.
[[nodiscard]] Value in_order(const Value& a, const Dims& order);
[[nodiscard]] Value out_of_order(const Value& a, const Dims& order);

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

}  // namespace tenferro::python
