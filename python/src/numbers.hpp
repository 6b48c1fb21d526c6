// Integers and lists of integers as Python gives them, and tuples of them as it takes them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nanobind/nanobind.h>

#include "tenferro/tensor_core/layout.hpp"

namespace tenferro::python {

namespace nb = nanobind;

/// The integer that `object` is. DTypeMismatch in the name of `op` where it is none, and InvalidArgument
/// where it has more than 64 bits; `what` names it.
[[nodiscard]] Index integer_from(nb::handle object, std::string_view op, std::string_view what);
/// The integers of a sequence, or one integer.
[[nodiscard]] Dims integers_from(nb::handle object, std::string_view op, std::string_view what);

/// Axes, None for all, an integer or a sequence; counted from the front. AxisOutOfBounds, DuplicateAxis.
[[nodiscard]] Dims axes_from(nb::handle axes, std::size_t rank, std::string_view op);

/// What `object` prints as, on one line and cut after 60 letters: for messages.
[[nodiscard]] std::string shown(nb::handle object);

/// A tuple of integers.
template <class Range>
[[nodiscard]] nb::tuple tuple_of(const Range& numbers) {
    nb::list list;
    for (const auto number : numbers) list.append(number);
    return nb::tuple(list);
}
/// A list of tuples, as contraction paths are.
[[nodiscard]] nb::list list_of_tuples(const std::vector<std::vector<int>>& rows);

}  // namespace tenferro::python
