// The options of a plan as C callers give them: checked, and in the engine's terms.
#pragma once

#include <optional>
#include <vector>

#include "tenferro.h"
#include "tenferro/einsum/path_search.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

/// Contractions in the order that a caller wants, as tree_from_path takes them.
using GivenPath = std::vector<std::vector<int>>;

struct PlanOptions {
    tensor_network::PathOptions search;
    std::optional<GivenPath> path;  ///< instead of a search
};

/// The fields that the caller's header knew, the rest with their defaults, for a plan of `n` operands; null
/// is all defaults. Throws InvalidArgument naming the field, Unsupported for one that we do not know.
[[nodiscard]] PlanOptions to_plan_options(const char* function, const tfe_einsum_plan_options* given,
                                          std::size_t n);

}}}  // namespace tenferro::TENFERRO_ABI::capi
