// Search of a contraction order for many tensors.
#pragma once

#include "einsum/path_search/problem.hpp"
#include "tenferro/einsum/path_search.hpp"

namespace tenferro::inline TENFERRO_ABI::einsum {

/// Greedy orders with random restarts, the best of which are improved locally. Fewer attempts for very many tensors.
[[nodiscard]] Merges search_order(const Problem& problem, const PathOptions& options);

}  // namespace tenferro::inline TENFERRO_ABI::einsum
