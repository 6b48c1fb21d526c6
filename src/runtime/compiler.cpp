// GraphCompiler: materialises, looks up, compiles.
#include "tenferro/runtime/compiler.hpp"

#include <new>

#include "base/lru_cache.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

/// What a program is made from: graph and guards.
struct Source {
    graph_runtime::FlatGraph graph;
    std::vector<ShapeGuard> guards;

    [[nodiscard]] std::uint64_t hash() const noexcept { return graph.hash(); }
    friend bool operator==(const Source&, const Source&) = default;
};

Source source_of(std::span<const TracedTensor> outputs, std::span<const TracedTensor> inputs) {
    std::vector<GlobalValKey> output_keys, input_keys;
    for (const TracedTensor& output : outputs) output_keys.push_back(output.key());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i].key().is_input())
            throw Error(ErrorKind::InvalidArgument, "compile",
                        text("input ", i, " is computed, not a graph input"));
        for (std::size_t k = 0; k < i; ++k)
            if (inputs[k].key() == inputs[i].key())
                throw Error(ErrorKind::InvalidArgument, "compile",
                            text("inputs ", k, " and ", i, " are the same"));
        input_keys.push_back(inputs[i].key());
    }
    Source source{op_graph::materialise<StdTensorOp>(output_keys, input_keys).graph, {}};
    const auto renamed = [&](const SymDim& dim) {
        return dim.substitute([&](DimSymbol symbol) {
            for (std::size_t i = 0; i < input_keys.size(); ++i)
                if (input_keys[i].input_id() == symbol.input) return SymDim::input(i, symbol.axis);
            throw Error(ErrorKind::MissingValue, "compile",
                        text("the extent ", dim.text(), " is of a graph input that is not among the inputs"));
        });
    };
    for (const TracedTensor& output : outputs)
        if (output.guards())
            for (const ShapeGuard& guard : *output.guards())
                source.guards.push_back({renamed(guard.lhs), renamed(guard.rhs)});
    return source;
}

}  // namespace

struct GraphCompiler::State {
    CompileOptions options;
    LruCache<Source, ExecProgram> programs;
};

GraphCompiler::GraphCompiler(CompileOptions options, CacheLimits limits) try
    : state_(new State{options, LruCache<Source, ExecProgram>(limits)}) {
} catch (const std::bad_alloc&) {
    throw_out_of_memory("compile");
}
GraphCompiler::~GraphCompiler() = default;

std::shared_ptr<const ExecProgram> GraphCompiler::compile(std::span<const TracedTensor> outputs,
                                                          std::span<const TracedTensor> inputs) try {
    return state_->programs.get(
        source_of(outputs, inputs),
        [&](const Source& source) {
            return graph_runtime::compile_std_to_exec(source.graph, source.guards, state_->options);
        },
        [](const ExecProgram& program) { return program.memory(); });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("compile");
}

CacheStats GraphCompiler::stats() const { return state_->programs.stats(); }
void GraphCompiler::clear() { state_->programs.clear(); }

}}  // namespace tenferro::TENFERRO_ABI
