// Contraction orders from the shape of the network.
#pragma once

#include "einsum/path_search/budget.hpp"
#include "einsum/path_search/random.hpp"
#include "einsum/path_search/state.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// Halves the tensors again and again through narrow cuts and contracts the halves last: recursive bisection.
/// Past the end of the budget halves are no longer improved, here and in layers.
void contract_by_bisection(ContractionState& state, const Budget& budget, Random& random);

/// Contracts one tensor after the other into the first, in layers parallel to a narrow cut through the
/// network: of a box planes one after the other across its longest side, in each plane lines, in each line
/// tensors. False where that was given up, unfinished, because the tensors have far too many labels.
[[nodiscard]] bool contract_in_layers(ContractionState& state, const Budget& budget, Random& random);

/// The same in the order in which the operands are listed.
[[nodiscard]] bool contract_as_listed(ContractionState& state);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
