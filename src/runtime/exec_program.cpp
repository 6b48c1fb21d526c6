// Compiling a graph, and what a program tells about itself.
#include "tenferro/runtime/exec_program.hpp"

#include <new>

#include "runtime/program_state.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

ExecProgram::ExecProgram(FlatGraph graph, std::vector<ShapeGuard> guards, CompileOptions options) try
    : state_(std::make_unique<State>()) {
    for (const op_graph::FlatNode<StdTensorOp>& node : graph.nodes) node.op.operation().require_available();
    Draft draft = lower(std::move(graph));
    normalize(draft);
    drop_units(draft);
    share_mirrored(draft);
    if (options.fold_transposes) fold_transposes(draft);
    remove_dead_code(draft);
    prune_outputs(draft);
    state_->segments = make_segments(draft, options.fuse_elementwise);
    state_->inputs = std::move(draft.inputs);
    state_->instructions = std::move(draft.instructions);
    state_->outputs = std::move(draft.outputs);
    state_->values = draft.values;
    state_->guards = std::move(guards);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("compile");
}

ExecProgram::~ExecProgram() = default;

std::shared_ptr<const ExecProgram> compile_std_to_exec(FlatGraph graph, std::vector<ShapeGuard> guards,
                                                       CompileOptions options) try {
    return std::make_shared<const ExecProgram>(std::move(graph), std::move(guards), options);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("compile");
}

const std::vector<TensorMeta>& ExecProgram::inputs() const noexcept { return state_->inputs; }
std::size_t ExecProgram::output_count() const noexcept { return state_->outputs.size(); }
const std::vector<ExecInstruction>& ExecProgram::instructions() const noexcept {
    return state_->instructions;
}
const std::vector<ExecSegment>& ExecProgram::segments() const noexcept { return state_->segments; }

std::string ExecProgram::text() const try {
    const auto values_text = [](const std::vector<std::uint32_t>& values) {
        std::string list;
        for (const std::uint32_t value : values) list += tenferro::text(list.empty() ? "" : ", ", "%", value);
        return list;
    };
    std::string out;
    for (std::size_t i = 0; i < state_->inputs.size(); ++i)
        out += tenferro::text("%", i, " = input ", info(state_->inputs[i].dtype).name,
                              shape_text(state_->inputs[i].shape), "\n");
    for (const ExecSegment& segment : state_->segments) {
        if (segment.plan) out += "fused:\n";
        for (const std::uint32_t i : segment.instructions) {
            const ExecInstruction& instruction = state_->instructions[i];
            out += tenferro::text(segment.plan ? "  " : "", "%", instruction.first_output, " = ",
                                  instruction.op.text(), "(", values_text(instruction.inputs), ") ",
                                  info(instruction.outputs[0].dtype).name,
                                  shape_text(instruction.outputs[0].shape), "\n");
        }
    }
    return out + tenferro::text("return ", values_text(state_->outputs), "\n");
} catch (const std::bad_alloc&) {
    throw_out_of_memory("compile");
}

std::size_t ExecProgram::memory() const noexcept {
    std::size_t bytes = sizeof(State) + state_->inputs.size() * sizeof(TensorMeta);
    for (const ExecInstruction& instruction : state_->instructions) {
        bytes += sizeof instruction + 256;  // the operation behind it, bound and unbound
        for (const TensorMeta& meta : instruction.outputs)
            bytes += sizeof meta + meta.rank() * sizeof(SymDim);
    }
    return bytes;
}

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
