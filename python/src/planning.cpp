// The ways to an order of contraction, and the einsum that follows it.
#include "planning.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <climits>
#include <string_view>

#include "interrupt.hpp"
#include "numbers.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::python {

namespace {

using Path = std::vector<std::vector<int>>;

/// From left to right.
Path naive_path(std::size_t operands) {
    Path path;
    for (std::size_t step = 1; step < operands; ++step) {
        const int last = static_cast<int>(operands - step);
        path.push_back(step == 1 ? std::vector{0, 1} : std::vector{0, last});
    }
    return path;
}

/// The names of NumPy and of opt_einsum. All of them search; 'optimal' orders more tensors optimally.
void check_name(nb::handle name) {
    constexpr std::array<std::string_view, 14> kNames = {
        "auto",          "auto-hq",          "greedy",   "optimal",    "eager",    "dp",
        "opportunistic", "branch-1",         "branch-2", "branch-all", "tenferro", "dynamic-programming",
        "random-greedy", "random-greedy-128"};
    const std::string given = nb::cast<std::string>(name);
    if (std::find(kNames.begin(), kNames.end(), given) == kNames.end())
        throw Error(ErrorKind::InvalidArgument, "einsum",
                    text("optimize is ", shown(name),
                         " but must be a name that opt_einsum has, as 'auto', 'greedy' or 'optimal'"));
}

Path path_from(nb::handle list) {
    if (!nb::hasattr(list, "__iter__"))
        throw Error(ErrorKind::DTypeMismatch, "einsum",
                    text("optimize is ", shown(list), " but must be a bool, a name, a path or a callable"));
    Path path;
    for (const nb::handle step : list) {
        if (PyUnicode_Check(step.ptr()) != 0) continue;
        std::vector<int> positions;
        for (const Index position : integers_from(step, "einsum", "a step of the path"))
            positions.push_back(static_cast<int>(std::clamp<Index>(position, -1, INT_MAX)));
        path.push_back(std::move(positions));
    }
    return path;
}

/// A path from a callable as opt_einsum has them: sets of labels, the output, extents.
Path asked_path(const tensor_network::Network& network, nb::handle callable) {
    const auto set_of = [&](const tensor_network::LabelIds& labels) {
        nb::set set;
        for (const tensor_network::LabelId label : labels)
            set.add(nb::str(network.names[static_cast<std::size_t>(label)].c_str()));
        return set;
    };
    nb::list inputs;
    for (const tensor_network::LabelIds& labels : network.inputs) inputs.append(set_of(labels));
    nb::dict extents;
    for (std::size_t i = 0; i < network.extents.size(); ++i)
        extents[network.names[i].c_str()] = network.extents[i];
    return path_from(callable(inputs, set_of(network.output), extents));
}

}  // namespace

Expression planned(const Spelling& einsum, const std::vector<Dims>& shapes, nb::handle optimize,
                   tensor_network::PathOptions options) {
    const auto subscripts =
        tensor_network::Subscripts::parse(einsum.subscripts, tensor_network::Dialect::NumPy);
    const auto follow = [&](const Path& path) {
        return Expression(unlocked(true,
                                   [&] {
                                       return std::make_shared<const tensor_network::EinsumPlan>(
                                           subscripts, shapes, path, options.dtype,
                                           options.memory_limit_bytes);
                                   }),
                          einsum.layout);
    };
    if (optimize.is(Py_False)) return follow(naive_path(shapes.size()));
    const bool is_name = PyUnicode_Check(optimize.ptr()) != 0;
    if (!optimize.is(Py_True) && !optimize.is_none() && !is_name)
        return follow(PyCallable_Check(optimize.ptr()) != 0
                          ? asked_path(tensor_network::resolve(subscripts, shapes), optimize)
                          : path_from(optimize));
    if (is_name) check_name(optimize);
    if (is_name && PyUnicode_CompareWithASCIIString(optimize.ptr(), "optimal") == 0) options.max_exact = 16;
    return {
        unlocked(
            true,
            [&] { return std::make_shared<const tensor_network::EinsumPlan>(subscripts, shapes, options); }),
        einsum.layout};
}

nb::dict cost_dict(const tensor_network::ContractionCost& cost) {
    nb::dict dict;
    dict["flops"] = cost.flops;
    dict["bytes"] = cost.bytes;
    dict["seconds"] = cost.seconds;
    dict["largest_intermediate"] = cost.largest_intermediate;
    dict["total_writes"] = cost.total_writes;
    dict["peak_bytes"] = cost.peak_bytes;
    dict["slices"] = cost.slices;
    return dict;
}

}  // namespace tenferro::python
