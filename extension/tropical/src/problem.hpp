// An einsum as all passes see it: the network, the operands without their broadcast axes, and the order in
// which contracted labels count.
#pragma once

#include <tenferro/einsum/plan.hpp>
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

/// Whether one of these has extent 0: every element of the result is a sum of no terms, the algebra's zero.
[[nodiscard]] bool sums_no_terms(const tensor_network::Network& network);

/// What the plan gives in the algebra of the executor. A sum of no terms is the zero without a run, in which
/// a NaN or the opposite infinity of another operand would be multiplied with it.
[[nodiscard]] Tensor run_plan(const tensor_network::EinsumPlan& plan, AlgebraExecutor& executor,
                              std::span<const TensorRead> operands,
                              const tensor_network::RunOptions& options);

}  // namespace tropical
