// A network ready to run: from an instance file or from subscripts with shapes, along the file's path or a
// searched one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/instance.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro::cli {

struct PlannedNetwork {
    Instance instance;
    std::string path_source;  ///< "opt_flops of the file", …, "own search"
    std::unique_ptr<const tensor_network::EinsumPlan> plan;
    double plan_seconds = 0;  ///< what making the plan took, the search included
};

/// A plan along a searched path; a terminal shows how far the search is.
[[nodiscard]] std::unique_ptr<const tensor_network::EinsumPlan> search_plan(
    const tensor_network::Subscripts& subscripts, std::span<const Dims> shapes,
    tensor_network::PathOptions search);

/// `strategy` is a path name of the instance, "own", or empty: the path opt_flops if the instance has it,
/// else "own". Subscripts are in NumPy's grammar. `search` is for "own"; its element size becomes that of the
/// instance. Throws InvalidArgument when the instance lacks the path.
[[nodiscard]] PlannedNetwork plan_network(Instance instance, const std::string& strategy,
                                          tensor_network::PathOptions search);

}  // namespace tenferro::cli
