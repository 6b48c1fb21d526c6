// What the compiler does to a graph's instructions, in order.
#pragma once

#include "tenferro/runtime/exec_program.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace runtime {

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
/// Lists the contracted axes of every contraction in the order of lhs, or of rhs where only that has them in
/// sequence.
void sort_contracted_axes(Draft& draft);
/// A transpose whose result a contraction reads, or that only reorders a contraction's result, becomes part
/// of it.
void fold_transposes(Draft& draft);
/// Drops instructions that no output needs.
void remove_dead_code(Draft& draft);
/// Groups elementwise instructions into plans and orders everything; sets last_use and released.
[[nodiscard]] std::vector<ExecSegment> make_segments(Draft& draft, bool fuse);

}}}  // namespace tenferro::TENFERRO_ABI::runtime
