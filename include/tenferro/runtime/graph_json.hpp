// Flat graphs as JSON text, for other processes (docs/semantics.md, Extensions). Version 1 of the format:
//
//   {"format": "tenferro-graph", "version": 1,
//    "inputs": [{"dtype": "f64", "shape": [2, ["n", 0, 1]]}],
//    "nodes": [{"op": "transpose", "fields": {"perm": [1, 0]}, "inputs": [0]},
//              {"op": "extension", "family_id": "a.b.v1", "payload": "", "inputs": [1], "outputs": [{"dtype":
//              …, "shape": …}]}],
//    "outputs": [1], "guards": [[["n", 0, 0], ["n", 0, 1]]]}
//
// Values are numbered: first the inputs, then the outputs of each node. A node of a linear map also has
// "active", the inputs that carry its flow. An extent is a number, a symbol ["n", input, axis] or an operator
// on extents: ["+", …], ["*", …], ["exact_div", a, b], ["min", …], ["max", …].
#pragma once

#include <string>
#include <string_view>

#include "tenferro/runtime/exec_program.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

/// A graph and what it assumes about symbolic extents.
struct GuardedGraph {
    FlatGraph graph;
    std::vector<ShapeGuard> guards;

    friend bool operator==(const GuardedGraph&, const GuardedGraph&) = default;
};

struct GraphReadOptions {
    /// An extension of a family that is not registered, in any version, becomes a
    /// tensor_ops::MissingExtension.
    bool skip_missing_extensions = false;
};

// Both throw OutOfMemory where there is no memory, but for one case: values of the JSON library need some to
// be destroyed, and where there is none then, they end the process.

/// Throws Unsupported where an extension's family is not registered or does not encode its payload, and
/// InvalidArgument for graphs that could not be read again.
[[nodiscard]] TENFERRO_API std::string graph_to_json(const GuardedGraph& graph);

/// Throws InvalidArgument, with the place and what is wrong there, for text that is not a graph;
/// MalformedFamilyId; Unsupported for an extension that is not registered, or is in another version, and for
/// another version of the format. Families of other libraries are registered before; those of linear algebra
/// register themselves, but in programs that link the static library and use nothing else of it: these call
/// linalg::register_operations().
[[nodiscard]] TENFERRO_API GuardedGraph graph_from_json(std::string_view json, GraphReadOptions options = {});

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
