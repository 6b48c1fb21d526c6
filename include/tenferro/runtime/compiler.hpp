// GraphCompiler: from traced tensors to programs, with a bounded cache of what it compiled.
#pragma once

#include "tenferro/base/cache_limits.hpp"
#include "tenferro/runtime/exec_program.hpp"
#include "tenferro/runtime/traced_tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

using graph_runtime::CompileOptions;
using graph_runtime::ExecProgram;

/// Thread-safe. Programs outlive the compiler and its cache.
class TENFERRO_API GraphCompiler {
public:
    explicit GraphCompiler(CompileOptions options = {}, CacheLimits limits = {});
    ~GraphCompiler();
    GraphCompiler(const GraphCompiler&) = delete;
    GraphCompiler& operator=(const GraphCompiler&) = delete;

    /// The program that computes `outputs` from `inputs`, which must be distinct graph inputs
    /// (InvalidArgument) and include all that the outputs depend on, by value or by extent (MissingValue). A
    /// graph of the same structure is compiled once.
    [[nodiscard]] std::shared_ptr<const ExecProgram> compile(std::span<const TracedTensor> outputs,
                                                             std::span<const TracedTensor> inputs);
    [[nodiscard]] std::shared_ptr<const ExecProgram> compile(std::initializer_list<TracedTensor> outputs,
                                                             std::initializer_list<TracedTensor> inputs) {
        return compile(std::span(outputs.begin(), outputs.size()), std::span(inputs.begin(), inputs.size()));
    }
    [[nodiscard]] std::shared_ptr<const ExecProgram> compile(std::initializer_list<TracedTensor> outputs,
                                                             std::span<const TracedTensor> inputs) {
        return compile(std::span(outputs.begin(), outputs.size()), inputs);
    }
    [[nodiscard]] std::shared_ptr<const ExecProgram> compile(std::initializer_list<TracedTensor> outputs,
                                                             const TracedTensor& input) {
        return compile(std::span(outputs.begin(), outputs.size()), std::span(&input, 1));
    }

    [[nodiscard]] CacheStats stats() const;
    void clear();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}}  // namespace tenferro::TENFERRO_ABI
