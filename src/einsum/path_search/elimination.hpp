// Contraction orders by elimination of labels, for networks whose labels occur in many tensors.
#pragma once

#include "einsum/path_search/random.hpp"
#include "einsum/path_search/state.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// Repeatedly contracts all tensors that have some label, choosing the label that leaves the smallest result;
/// noise of strength `temperature` is added to the logarithms of these sizes. Labels of the result remain,
/// and so do parts without common labels.
void eliminate_labels(ContractionState& state, double temperature, Random& random);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
