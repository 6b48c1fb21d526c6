// Greedy contraction orders for many tensors.
#pragma once

#include "einsum/path_search/random.hpp"
#include "einsum/path_search/state.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

struct GreedyCost {
    /// A pair costs size(out) - 2^reward_bits * (size(a) + size(b)), on a logarithmic scale.
    double reward_bits = 0;
    /// Strength of the noise added to the logarithm.
    double temperature = 0;
};

/// Contracts tensors whose labels are all among those of another tensor: the result is no larger than that
/// one.
void absorb_subsets(ContractionState& state);

/// Contracts everything, the cheapest pair of neighbours first; parts without common labels smallest first.
void contract_greedily(ContractionState& state, const GreedyCost& cost, Random& random);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
