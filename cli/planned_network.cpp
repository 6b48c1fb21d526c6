// Choosing the path.
#include "cli/planned_network.hpp"

#include <chrono>

#include "cli/progress_bar.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::cli {

std::unique_ptr<const tensor_network::EinsumPlan> search_plan(const tensor_network::Subscripts& subscripts,
                                                              std::span<const Dims> shapes,
                                                              tensor_network::PathOptions search) {
    SearchLine line;
    const tensor_network::SearchWatcher watcher(line);
    search.progress = &watcher;
    return std::make_unique<tensor_network::EinsumPlan>(subscripts, shapes, search);
}

PlannedNetwork plan_network(Instance instance, const std::string& strategy,
                            tensor_network::PathOptions search) {
    const auto subscripts =
        tensor_network::Subscripts::parse(instance.subscripts, tensor_network::Dialect::NumPy);
    const std::string wanted =
        strategy.empty() ? (instance.paths.contains("opt_flops") ? "opt_flops" : "own") : strategy;
    PlannedNetwork planned;
    const auto start = std::chrono::steady_clock::now();
    if (wanted == "own") {
        planned.path_source = "own search";
        search.dtype = instance.dtype;
        planned.plan = search_plan(subscripts, instance.shapes, search);
    } else {
        const auto path = instance.paths.find(wanted);
        if (path == instance.paths.end())
            throw Error(ErrorKind::InvalidArgument, instance.name, text("has no path '", wanted, "'"));
        planned.path_source = text(wanted, " of the file");
        planned.plan = std::make_unique<tensor_network::EinsumPlan>(subscripts, instance.shapes, path->second,
                                                                    instance.dtype);
    }
    planned.plan_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    planned.instance = std::move(instance);
    return planned;
}

}  // namespace tenferro::cli
