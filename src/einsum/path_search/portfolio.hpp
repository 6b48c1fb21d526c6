// Search of a contraction order for many tensors.
#pragma once

#include "einsum/path_search/clock.hpp"
#include "einsum/path_search/measure.hpp"
#include "einsum/path_search/problem.hpp"
#include "tenferro/einsum/path_search.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// What a search begins from: nothing, or an order to improve with a share of an ordinary search's work.
struct Beginning {
    Merges known = {};
    double effort = 1;
};

/// Obeys the clock if it has a deadline, else the budget of work of the options. `measure` is not Room.
[[nodiscard]] Merges search_order(const Problem& problem, const Measure& measure, const PathOptions& options,
                                  const Clock& clock, const Beginning& beginning = {});

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
