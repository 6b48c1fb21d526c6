// Contraction orders from the shape of the network as a hypergraph: tensors are nodes, labels are nets that
// weigh the logarithm of their extents.
#pragma once

#include "einsum/path_search/budget.hpp"
#include "einsum/path_search/random.hpp"
#include "einsum/path_search/state.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// Halves the tensors again and again through narrow cuts and contracts the halves last: recursive bisection
/// by the moves of Fiduccia and Mattheyses (1982), from a breadth-first half. Past the end of the clock
/// halves are no longer improved.
void contract_by_bisection(ContractionState& state, const Budget& budget, Random& random);

/// Contracts one tensor after the other into the first: in breadth-first order from the rim of the network.
/// False where that was given up, unfinished, because the tensors have far too many labels.
[[nodiscard]] bool contract_by_sweep(ContractionState& state, Random& random);

/// The same in the order in which the operands are listed.
[[nodiscard]] bool contract_as_listed(ContractionState& state);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
