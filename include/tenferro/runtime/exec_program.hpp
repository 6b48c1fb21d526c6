// ExecProgram: a compiled graph. Immutable: compiled once, run on any backend, from any thread, with changing
// extents.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tenferro/graph/materialise.hpp"
#include "tenferro/ops/shape_guard.hpp"
#include "tenferro/tensor/operand.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

using FlatGraph = op_graph::FlatGraph<StdTensorOp>;

/// One operation of a program on numbered values: first the program's inputs, then what instructions make.
struct ExecInstruction {
    StdTensorOp op;
    std::vector<std::uint32_t> inputs;
    std::vector<bool> last_use;  ///< per input: no later instruction reads it, and it is no output
    std::uint32_t first_output;
    std::vector<TensorMeta> outputs;
};

/// Instructions that run as one: a fusion plan over several, or a single one without.
struct ExecSegment {
    std::vector<std::uint32_t> instructions;
    std::vector<std::uint32_t> inputs, outputs;  ///< values that the plan reads and makes
    std::shared_ptr<const ElementwiseFusionPlan> plan;
    std::vector<std::uint32_t> released;  ///< values that nothing needs after it
    std::vector<std::uint32_t> dying;     ///< those of `inputs` whose memory a result may take
};

struct CompileOptions {
    bool fold_transposes = true;  ///< into contractions
    bool fuse_elementwise = true;

    friend bool operator==(const CompileOptions&, const CompileOptions&) = default;
};

class TENFERRO_API ExecProgram {
public:
    /// See compile_std_to_exec.
    ExecProgram(FlatGraph graph, std::vector<ShapeGuard> guards, CompileOptions options);
    ~ExecProgram();
    ExecProgram(const ExecProgram&) = delete;
    ExecProgram& operator=(const ExecProgram&) = delete;

    /// Runs it in `session`. Inputs must have the dtypes (DTypeMismatch), ranks (RankMismatch) and known
    /// extents (ShapeMismatch) that were traced, and satisfy the guards (ShapeMismatch). Results are compact
    /// column-major. With unchanged shapes and the form that fills `outputs`, one per output, a run allocates
    /// nothing but its results.
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session, std::span<const TensorRead> inputs) const;
    void run(BackendSession& session, std::span<const TensorRead> inputs, std::span<Tensor> outputs) const;
    /// In a session of its own.
    [[nodiscard]] std::vector<Tensor> run(TensorBackend& backend, std::span<const TensorRead> inputs) const;
    [[nodiscard]] std::vector<Tensor> run(TensorBackend& backend, Operands inputs) const {
        return run(backend, std::span<const TensorRead>(views(inputs)));
    }
    /// One instruction after the other, each with a result of its own: what `run` is checked against.
    [[nodiscard]] std::vector<Tensor> run_unsegmented(BackendSession& session,
                                                      std::span<const TensorRead> inputs) const;

    [[nodiscard]] const std::vector<TensorMeta>& inputs() const noexcept;
    [[nodiscard]] std::size_t output_count() const noexcept;
    [[nodiscard]] const std::vector<ExecInstruction>& instructions() const noexcept;
    [[nodiscard]] const std::vector<ExecSegment>& segments() const noexcept;
    /// One line per instruction, grouped by segment.
    [[nodiscard]] std::string text() const;
    /// Roughly what it occupies, in bytes.
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The program of a graph: infers dtypes and shapes, folds, removes dead code, groups into segments and finds
/// last uses. Throws Unsupported where the graph has an extension of a family that is not registered (seed
/// 002, section 12).
[[nodiscard]] TENFERRO_API std::shared_ptr<const ExecProgram> compile_std_to_exec(
    FlatGraph graph, std::vector<ShapeGuard> guards = {}, CompileOptions options = {});

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
