// What an ExecProgram holds.
#pragma once

#include "runtime/passes.hpp"
#include "runtime/shape_binding.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

struct ExecProgram::State {
    std::vector<TensorMeta> inputs;
    std::vector<ExecInstruction> instructions;
    std::vector<ExecSegment> segments;
    std::vector<std::uint32_t> outputs;
    std::uint32_t values = 0;
    std::vector<ShapeGuard> guards;
    ShapeBindings bindings;
};

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
