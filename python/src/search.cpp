// A network as lists of integer labels in, a path as opt_einsum has it out.
#include "search.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "interrupt.hpp"
#include "numbers.hpp"
#include "planning.hpp"
#include "promotion.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro::python {

namespace {

using Labels = std::vector<std::int32_t>;

tensor_network::PathObjective objective_of(const std::string& name) {
    using tensor_network::PathObjective;
    if (name == "time") return PathObjective::Time;
    if (name == "flops") return PathObjective::Flops;
    if (name == "size") return PathObjective::Memory;
    throw Error(ErrorKind::InvalidArgument, "path search",
                text("minimize is '", name, "' but must be 'time', 'flops' or 'size'"));
}

/// The numbers of a plan's sliced labels, which has the same operands.
nb::tuple sliced_of(const tensor_network::EinsumPlan& plan, const std::vector<Labels>& inputs) {
    const tensor_network::Network& network = plan.network();
    std::vector<std::int32_t> numbers(network.extents.size());
    for (std::size_t i = 0; i < inputs.size(); ++i)
        for (std::size_t axis = 0; axis < inputs[i].size(); ++axis)
            numbers[static_cast<std::size_t>(network.inputs[i][axis])] = inputs[i][axis];
    nb::list sliced;
    for (const tensor_network::LabelId label : plan.sliced_labels())
        sliced.append(numbers[static_cast<std::size_t>(label)]);
    return nb::tuple(sliced);
}

/// (path, {cost: number}, sliced labels) of the network.
nb::tuple search(const std::vector<Labels>& inputs, const Labels& output, const std::vector<Index>& extents,
                 const std::string& minimize, double seconds, std::uint64_t seed, int threads,
                 nb::handle dtype, std::optional<std::int64_t> memory_limit) {
    using namespace tensor_network;
    std::vector<std::span<const std::int32_t>> lists(inputs.begin(), inputs.end());
    std::vector<Dims> shapes;
    for (const Labels& labels : inputs) {
        Dims shape;
        for (const std::int32_t label : labels) {
            if (label < 0 || static_cast<std::size_t>(label) >= extents.size())
                throw Error(ErrorKind::InvalidArgument, "path search",
                            text("label ", label, " has no extent"));
            shape.push_back(extents[static_cast<std::size_t>(label)]);
        }
        shapes.push_back(std::move(shape));
    }
    PathOptions options;
    options.objective = objective_of(minimize);
    options.deadline = seconds;
    options.seed = seed;
    options.threads = threads;
    options.dtype = dtype_of(dtype);
    options.memory_limit_bytes = memory_limit.value_or(0);
    const Subscripts subscripts = Subscripts::from_labels(lists, output);
    if (memory_limit) {
        const auto plan =
            unlocked(true, [&] { return std::make_unique<EinsumPlan>(subscripts, shapes, options); });
        return nb::make_tuple(list_of_tuples(path_from_tree(plan->tree())), cost_dict(plan->cost()),
                              sliced_of(*plan, inputs));
    }
    const auto [path, spent] = unlocked(true, [&] {
        const Network network = resolve(subscripts, shapes);
        const ContractionTree tree = find_tree(network, options);
        return std::pair(path_from_tree(tree), cost(network, tree, options.dtype));
    });
    return nb::make_tuple(list_of_tuples(path), cost_dict(spent), nb::tuple());
}

}  // namespace

void bind_search(nb::module_& module) {
    module.def("_search", search, nb::arg("inputs"), nb::arg("output"), nb::arg("extents"),
               nb::arg("minimize"), nb::arg("seconds"), nb::arg("seed"), nb::arg("threads"), nb::arg("dtype"),
               nb::arg("memory_limit").none());
}

}  // namespace tenferro::python
