// Matrix runs: consecutive segments of a program that are steps on small matrices for the extents of a
// binding, and run as one plan.
#pragma once

#include "runtime/shape_binding.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

struct MatrixRun {
    MatrixPlan plan;
    std::size_t segments;                        ///< how many it takes the place of
    std::vector<std::uint32_t> inputs, outputs;  ///< values of the program, as the plan's
};

/// The longest runs of `segments` of at least two, by their first segment; null elsewhere. The
/// program has `values` values.
[[nodiscard]] std::vector<std::shared_ptr<const MatrixRun>> find_matrix_runs(
    const std::vector<TensorMeta>& inputs, const std::vector<ExecInstruction>& instructions,
    const std::vector<ExecSegment>& segments, const std::vector<std::uint32_t>& outputs, std::uint32_t values,
    const ShapeBinding& binding);

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
