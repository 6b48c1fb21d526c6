// Path search: exact dynamic programming for few tensors; for many a portfolio of randomised greedy orders,
// simulated annealing and local improvement.
#pragma once

#include <cstdint>

#include "tenferro/base/cancellation.hpp"
#include "tenferro/einsum/contraction_tree.hpp"
#include "tenferro/einsum/search_progress.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

enum class PathObjective {
    Time,   ///< ContractionCost::seconds
    Flops,  ///< ContractionCost::flops
    Memory  ///< ContractionCost::peak_bytes
};

struct PathOptions {
    /// Up to this many tensors in a group, and at most 16, are ordered optimally.
    int max_exact = 10;
    /// Greedy attempts with perturbed costs; the first is unperturbed. Fewer are made beyond about a thousand
    /// tensors.
    int greedy_attempts = 64;
    /// The same seed and options, without a deadline, give the same tree, on any number of threads.
    std::uint64_t seed = 0;
    /// Threads of the search, at least 1; others than the calling one are started when there is enough work.
    int threads = 1;
    /// What is made small; of trees that are equal in it the one of lower peak_bytes is taken.
    PathObjective objective = PathObjective::Time;
    /// 0: the search ends after an amount of work that takes about a twentieth of the predicted time of the
    /// contraction, within bounds. Else it goes on for this many seconds, and the tree depends on the speed
    /// of the machine. The first greedy attempt is completed in any case, and so are orders of few tensors.
    double deadline = 0;
    /// Of the tensors, for bytes and seconds.
    DType dtype = DType::F64;
    /// 0, or the most that peak_bytes may be. A plan then fixes as many labels as necessary and runs once per
    /// value of them.
    std::int64_t memory_limit_bytes = 0;
    /// 0, or the most that EinsumPlan::vjp_cost().peak_bytes may be. A plan is sliced until it is: every
    /// slice computes again what reverse mode would keep, and slices run one after the other.
    std::int64_t vjp_memory_limit_bytes = 0;
    /// Looked at throughout the search and by all its threads; then it throws Cancelled.
    CancellationToken cancellation = {};
    /// Told how far the search is; null: nobody asks.
    const SearchWatcher* progress = nullptr;
};

/// A tree of low cost, respecting the network's parenthesised groups, its merges in low-peak order. Works for
/// any network: hyperedges, disconnected parts, scalars, zero extents, one operand. Takes no notice of the
/// memory limits.
[[nodiscard]] TENFERRO_API ContractionTree find_tree(const Network& network, const PathOptions& options = {});

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
