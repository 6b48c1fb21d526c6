// Search of a contraction order for many tensors.
#pragma once

#include "einsum/path_search/clock.hpp"
#include "einsum/path_search/measure.hpp"
#include "einsum/path_search/problem.hpp"
#include "tenferro/einsum/path_search.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace einsum {

/// Obeys the clock if it has a deadline, else the budget of work of the options. `known`, if not empty, is an
/// order to improve; without it the search begins from nothing. `measure` is not Room.
[[nodiscard]] Merges search_order(const Problem& problem, const Measure& measure, const PathOptions& options,
                                  const Clock& clock, const Merges& known = {});

}}}  // namespace tenferro::TENFERRO_ABI::einsum
