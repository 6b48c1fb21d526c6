// What the compiler does to a graph's instructions, in order.
#pragma once

#include "tenferro/runtime/exec_program.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

/// A program in the making.
struct Draft {
    std::vector<TensorMeta> inputs;
    std::vector<ExecInstruction> instructions;  ///< last_use not yet set
    std::vector<std::uint32_t> outputs;
    std::uint32_t values = 0;

    [[nodiscard]] const TensorMeta& meta(std::uint32_t value) const { return *metas[value]; }
    /// Description of every value, into `inputs` and `instructions`.
    std::vector<const TensorMeta*> metas;
    void index_metas();
};

/// One instruction per node, with dtypes and symbolic shapes.
[[nodiscard]] Draft lower(FlatGraph graph);
/// Every operation in the form that runs best.
void normalize(Draft& draft);
/// A transpose whose result an operation reads that can do without, or that reorders the only result of one
/// that can do that itself, becomes part of it.
void fold_transposes(Draft& draft);
/// Products with 1, as gradients begin with, are their other factor.
void drop_units(Draft& draft);
/// x y and y x, of which derivatives of products consist, are computed once, and sums.
void share_mirrored(Draft& draft);
/// Drops instructions that no output needs.
void remove_dead_code(Draft& draft);
/// Of instructions with outputs that nothing reads, takes the cheaper variant without them.
void prune_outputs(Draft& draft);
/// Groups fusible instructions into plans and orders everything; sets last_use and released.
[[nodiscard]] std::vector<ExecSegment> make_segments(Draft& draft, bool fuse);

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
