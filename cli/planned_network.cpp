// Choosing the path.
#include "cli/planned_network.hpp"

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::cli {

PlannedNetwork plan_network(Instance instance, const std::string& strategy, einsum::Dialect dialect) {
    const auto subscripts = einsum::Subscripts::parse(instance.subscripts, dialect);
    const std::string wanted = strategy.empty() ? (instance.paths.contains("opt_flops") ? "opt_flops" : "own") : strategy;
    PlannedNetwork planned;
    if (wanted == "own") {
        planned.path_source = "own search";
        planned.plan = std::make_unique<einsum::EinsumPlan>(subscripts, instance.shapes);
    } else {
        const auto path = instance.paths.find(wanted);
        if (path == instance.paths.end())
            throw Error(ErrorKind::InvalidArgument, instance.name, text("has no path '", wanted, "'"));
        planned.path_source = text(wanted, " of the file");
        planned.plan = std::make_unique<einsum::EinsumPlan>(subscripts, instance.shapes, path->second);
    }
    planned.instance = std::move(instance);
    return planned;
}

}  // namespace tenferro::cli
