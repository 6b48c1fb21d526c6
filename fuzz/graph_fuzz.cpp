// Any bytes as a graph in JSON: it is refused with a tenferro::Error or comes back equal from its own text,
// and compiles or is refused.
#include <cstdint>
#include <string>
#include <string_view>

#include "tenferro/base/error.hpp"
#include "tenferro/runtime/graph_json.hpp"

using namespace tenferro;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    graph_runtime::GuardedGraph graph;
    try {
        graph = graph_runtime::graph_from_json({reinterpret_cast<const char*>(data), size});
    } catch (const Error&) {
        return 0;  // refused, as it should be
    }
    const std::string text = graph_runtime::graph_to_json(graph);
    if (graph_runtime::graph_from_json(text) != graph) __builtin_trap();
    try {
        (void)graph_runtime::compile_std_to_exec(graph.graph, graph.guards)->text();
    } catch (const Error&) {
        // read, but shapes or dtypes do not fit
    }
    return 0;
}
