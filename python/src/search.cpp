// A network as lists of integer labels in, a path as opt_einsum has it out.
#include "search.hpp"

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

/// (path, {cost: number}) of the network.
nb::tuple search(const std::vector<Labels>& inputs, const Labels& output, const std::vector<Index>& extents,
                 const std::string& minimize, double seconds, std::uint64_t seed, int threads,
                 nb::handle dtype) {
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
    const auto [path, spent] = unlocked(true, [&] {
        const Network network = resolve(Subscripts::from_labels(lists, output), shapes);
        const ContractionTree tree = find_tree(network, options);
        return std::pair(path_from_tree(tree), cost(network, tree, options.dtype));
    });
    return nb::make_tuple(list_of_tuples(path), cost_dict(spent));
}

}  // namespace

void bind_search(nb::module_& module) {
    module.def("_search", search, nb::arg("inputs"), nb::arg("output"), nb::arg("extents"),
               nb::arg("minimize"), nb::arg("seconds"), nb::arg("seed"), nb::arg("threads"),
               nb::arg("dtype"));
}

}  // namespace tenferro::python
