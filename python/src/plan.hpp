// tenferro.Plan: an einsum compiled once and run many times, with its derivatives.
#pragma once

#include "exchange.hpp"
#include "expression.hpp"

namespace tenferro::python {

/// The einsum as `optimize` says: False from left to right, a list of tuples of positions is followed (a
/// first element 'einsum_path' is passed over), a name is a search of ours, a callable is asked for a path as
/// opt_einsum asks it.
[[nodiscard]] Expression planned_as(std::string_view subscripts, Layout layout,
                                    std::span<const TensorRead> operands, nb::handle optimize);

void bind_plan(nb::module_& module);

}  // namespace tenferro::python
