// Path search: exact dynamic programming for few tensors, randomised greedy with restarts for many.
#pragma once

#include <cstdint>

#include "tenferro/einsum/contraction_tree.hpp"

namespace tenferro::inline TENFERRO_ABI::einsum {

struct PathOptions {
    /// Up to this many tensors in a group, and at most 16, are ordered optimally.
    int max_exact = 10;
    /// Greedy attempts with perturbed costs; the first is unperturbed. Fewer are made beyond about a thousand tensors.
    int greedy_attempts = 64;
    /// The same seed gives the same tree.
    std::uint64_t seed = 0;
};

/// A tree of low cost, respecting the network's parenthesised groups. Works for any network: hyperedges, disconnected
/// parts, scalars, zero extents, one operand.
[[nodiscard]] TENFERRO_API ContractionTree find_tree(const Network& network, const PathOptions& options = {});

}  // namespace tenferro::inline TENFERRO_ABI::einsum
