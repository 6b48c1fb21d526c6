// The order of the axes of the tensors that a contraction tree makes.
#pragma once

#include <vector>

#include "tenferro/einsum/contraction_tree.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// The labels of every node, inputs first, as node_labels lists them: those of inputs in their order without
/// what is summed in advance, those of the last node in the order of the output if they are the same. The
/// others are ordered so that the merge that makes a tensor and the one that reads it find long runs
/// (docs/adr/039-layouts.md).
[[nodiscard]] std::vector<LabelIds> choose_layouts(const Network& network, const ContractionTree& tree);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
