// Einsums made: by a path of the caller or a search of ours.
#pragma once

#include <vector>

#include "expression.hpp"

namespace tenferro::python {

/// The einsum as `optimize` says: False from left to right, a list of tuples of positions is followed (a
/// first element 'einsum_path' is passed over), a name is a search of ours, a callable is asked for a path as
/// opt_einsum asks it.
[[nodiscard]] Expression planned(const Spelling& einsum, const std::vector<Dims>& shapes, nb::handle optimize,
                                 tensor_network::PathOptions options);

/// What a contraction costs, by name.
[[nodiscard]] nb::dict cost_dict(const tensor_network::ContractionCost& cost);

}  // namespace tenferro::python
