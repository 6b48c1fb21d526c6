// A contraction as data: a list of pairwise steps over numbered slots, and the executor interface that runs
// them. The step list does not know the numbers, the dtype or even the algebra; the derivative programs are
// step lists too.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tenferro/base/cancellation.hpp"
#include "tenferro/base/function_ref.hpp"
#include "tenferro/einsum/contraction_tree.hpp"
#include "tenferro/einsum/search_progress.hpp"
#include "tenferro/tensor/dot_general.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

enum class StepKind {
    /// out = unary einsum of lhs: a label that only lhs has is summed, one that only out has is broadcast, a
    /// repeated one is
    /// a diagonal, read or embedded.
    Rearrange,
    /// out = pairwise einsum of lhs and rhs; no label repeats in a list, each is in two or three of the
    /// lists.
    Contract,
    /// out = lhs + rhs, labels equal; an absent operand is zero.
    Add,
};

struct Step {
    StepKind kind;
    int lhs = -1, rhs = -1, out = -1;  ///< slots; rhs is -1 for Rearrange
    LabelIds lhs_labels, rhs_labels, out_labels;
    DotGeneralConfig config;  ///< Contract: the axes behind the labels
    Dims result_axes;  ///< Contract: axis i of the dot_general result is axis result_axes[i] of out; none:
                       ///< all in order
    std::vector<int> released;  ///< slots whose last use is this step
    std::vector<Index>
        places;  ///< of the tensors that the step makes, in order: elements into the workspace; -1: not in it
};

struct Program {
    int inputs = 0;  ///< slots 0 … inputs-1 are given by the caller
    int slots = 0;
    std::vector<Step> steps;
    std::vector<int> outputs;          ///< slots
    std::vector<Index> extents;        ///< of every label
    Index workspace = 0;               ///< elements of the memory that steps share
    bool result_in_workspace = false;  ///< the only output is made at its start, and keeps that part of it
    double peak = 0;                   ///< most elements of memory that a run holds at once, outputs included
};

/// The program that contracts `network` along `tree`: one input per operand, one output.
[[nodiscard]] TENFERRO_API Program lower(const Network& network, const ContractionTree& tree);
/// Reverse mode of a program without Add: inputs are those of `forward` and the cotangent of its output; one
/// output per input of `forward`. The flow is transposed without conjugation.
[[nodiscard]] TENFERRO_API Program vjp_program(const Program& forward);
/// Forward mode of a program without Add: inputs are those of `forward`, then one tangent for each (may be
/// absent).
[[nodiscard]] TENFERRO_API Program jvp_program(const Program& forward);

/// The algebra and the place in which steps are computed. `out` has the shape of the result and overlaps no
/// operand.
class TENFERRO_API PairwiseExecutor {
public:
    virtual ~PairwiseExecutor();
    /// A compact column-major tensor with undefined elements.
    virtual Tensor allocate(DType dtype, std::span<const Index> shape) = 0;
    /// dot_general; the axes of `out` are [lhs_free…, rhs_free…, batch…].
    virtual void contract(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                          const TensorWrite& out) = 0;
    virtual void sum(const TensorRead& a, std::span<const Index> axes, const TensorWrite& out) = 0;
    virtual void add(const TensorRead& a, const TensorRead& b, const TensorWrite& out) = 0;
    virtual void embed_diagonal(const TensorRead& a, Index first, Index second, const TensorWrite& out) = 0;
    virtual void copy(const TensorRead& a, const TensorWrite& out) = 0;
};

/// Told how many of how many steps are done, before the first and after each.
using Progress = FunctionRef<void(std::size_t done, std::size_t total)>;

/// How a run is watched and ended.
struct RunOptions {
    const Progress* progress = nullptr;
    /// Told how far the search of an order is, where there is one (Engine::einsum, PlanCache::get).
    const SearchWatcher* search = nullptr;
    /// Looked at before every step; then the run throws Cancelled.
    CancellationToken cancellation = {};
};

/// Runs a program. An absent input (null) is zero; an output that is zero because of that is absent. Outputs
/// are compact column-major. There is one element of `inputs` per input and one of `outputs` per output.
TENFERRO_API void run(const Program& program, std::span<const TensorRead* const> inputs,
                      std::span<std::optional<Tensor>> outputs, PairwiseExecutor& executor,
                      const RunOptions& options = {});

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
