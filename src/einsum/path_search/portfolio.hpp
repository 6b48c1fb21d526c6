// Search of a contraction order for many tensors.
#pragma once

#include "einsum/path_search/measure.hpp"
#include "einsum/path_search/problem.hpp"
#include "tenferro/einsum/path_search.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace einsum {

/// The measure is not Room. Obeys the deadline, or the budget of work, of the options.
[[nodiscard]] Merges search_order(const Problem& problem, const Measure& measure, const PathOptions& options);

}}}  // namespace tenferro::TENFERRO_ABI::einsum
