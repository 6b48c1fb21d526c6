// An einsum as all passes see it: the network, the operands without their broadcast axes, and the order in
// which contracted labels count.
#pragma once

#include <tenferro/einsum/program.hpp>

#include "executor.hpp"

namespace tropical {

struct Problem {
    tensor_network::Network network;
    tensor_network::ContractionTree tree;
    std::vector<TensorRead> operands;
};

/// Checks what a plan cannot know: that there is an algebra on the dtype, and the signs of MaxMul. Of two
/// operands of which one is negative, labels that only one has are given to both, since a maximum of factors
/// is not the factor of the maximum then.
[[nodiscard]] Problem make_problem(Algebra algebra, const tensor_network::Network& network,
                                   const tensor_network::ContractionTree& tree, BackendSession& session,
                                   std::span<const TensorRead> operands);

/// Whether such a label is there and MaxMul meets a negative number: make_problem is needed then. Throws
/// InvalidArgument for a negative number among three or more operands.
[[nodiscard]] bool needs_joint_labels(Algebra algebra, const tensor_network::Network& network,
                                      BackendSession& session, std::span<const TensorRead> operands);

/// The labels that the output does not have, in the order in which they count.
[[nodiscard]] tensor_network::LabelIds contracted_labels(const tensor_network::Network& network);

}  // namespace tropical
