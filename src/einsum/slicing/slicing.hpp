// Slicing: a contraction under a memory limit fixes some labels and runs once per value of them. Parts of the
// tree that have none of these labels are computed once; results are added up over summed labels and put side
// by side for output labels.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "einsum/path_search/clock.hpp"
#include "tenferro/einsum/path_search.hpp"
#include "tenferro/einsum/program.hpp"
#include "tenferro/einsum/scaled.hpp"
#include "tenferro/tensor/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// A network split along a tree for fixed labels. Operands of `inner` are `sources`: an operand of the whole
/// network, or the result of a part.
struct SlicedNetwork {
    struct Part {
        Network network;
        ContractionTree tree;
        std::vector<int> operands;  ///< of the whole network
    };
    struct Source {
        int operand = -1;  ///< of the whole network, or
        int part = -1;     ///< index into `parts`
        LabelIds labels;   ///< of its axes, sliced ones included
    };
    std::vector<Part> parts;  ///< what does not depend on the sliced labels
    std::vector<Source> sources;
    Network inner;  ///< without the sliced labels
    ContractionTree tree;
    LabelIds summed, kept;  ///< the sliced labels, by whether the output has them
};

[[nodiscard]] SlicedNetwork slice(const Network& network, const ContractionTree& tree,
                                  const LabelIds& labels);

struct SlicedTree {
    ContractionTree tree;
    LabelIds labels;  ///< none where the tree fits as it is
    ContractionCost cost;
    Index concurrent = 1;  ///< slices that the limit has room for at once
};

/// A tree and sliced labels whose peak is within options.memory_limit_bytes, where this is not 0. Throws
/// Unsupported naming the limit and the lowest peak found. Takes no notice of options.deadline.
[[nodiscard]] SlicedTree find_sliced_tree(const Network& network, const PathOptions& options,
                                          const Clock& clock);

/// This tree, in slices where the limit asks for them; it is not changed.
[[nodiscard]] SlicedTree sliced_tree(const Network& network, ContractionTree tree,
                                     const PathOptions& options);

/// As find_sliced_tree, under the options' deadline, within options.vjp_memory_limit_bytes too. Throws
/// Unsupported naming the limit and the least that reverse mode was found to take.
[[nodiscard]] SlicedTree find_tree_within_limits(const Network& network, const PathOptions& options);

/// The step lists of a sliced network, and their runs. Inputs are those of lower(network, tree), absent ones
/// are zero. Slices run on all threads of the backend at once where there is room for as many; their results
/// are taken in order, so that the sum does not depend on that.
class SlicedPrograms {
public:
    SlicedPrograms(const Network& network, const SlicedTree& sliced);

    using Inputs = std::span<const std::optional<TensorRead>>;
    [[nodiscard]] Tensor run(BackendSession& session, Inputs operands, const RunOptions& options) const;
    /// Over any algebra, one slice after the other.
    [[nodiscard]] Tensor run(PairwiseExecutor& executor, Inputs operands, const RunOptions& options) const;
    /// `inputs` are the primals, then the tangents. Nothing where the tangent is zero.
    [[nodiscard]] std::optional<Tensor> jvp(BackendSession& session, Inputs inputs,
                                            const RunOptions& options) const;
    /// `inputs` are the operands, then the cotangent. One flow per operand.
    [[nodiscard]] std::vector<std::optional<Tensor>> vjp(BackendSession& session, Inputs inputs,
                                                         const RunOptions& options) const;

    // The same with a power of two beside every value, one slice after the other. Exponents of operands are
    // 0.
    [[nodiscard]] ScaledTensor run_scaled(BackendSession& session, Inputs operands,
                                          const RunOptions& options) const;
    [[nodiscard]] std::optional<ScaledTensor> jvp_scaled(BackendSession& session, Inputs inputs,
                                                         const RunOptions& options) const;
    [[nodiscard]] std::vector<std::optional<ScaledTensor>> vjp_scaled(BackendSession& session, Inputs inputs,
                                                                      std::int64_t cotangent_exponent,
                                                                      const RunOptions& options) const;

    /// Of vjp; the peak is at most this.
    [[nodiscard]] ContractionCost vjp_cost(DType dtype) const;

private:
    using Values = std::vector<std::optional<Tensor>>;
    using Views = std::vector<std::optional<TensorRead>>;
    using Exponents = std::vector<std::int64_t>;
    using ScaledValues = std::vector<std::optional<ScaledTensor>>;
    /// The mantissas and exponents of what is computed once.
    struct ScaledParts {
        Values mantissas;
        Exponents exponents;
        void push_back(std::optional<ScaledTensor> value);
    };

    [[nodiscard]] Views part_inputs(std::size_t part, Inputs operands) const;
    [[nodiscard]] Views source_views(Inputs operands, const Values& parts) const;
    [[nodiscard]] Values run_parts(PairwiseExecutor& executor, Inputs operands,
                                   const CancellationToken& cancellation) const;
    template <class Compute, class Take>
    void for_each_slice(BackendSession& session, const RunOptions& options, std::size_t steps,
                        const Compute& compute, const Take& take) const;
    /// Tells that so many slices of `steps` steps each are done.
    void tell(const RunOptions& options, Index slices, std::size_t steps) const;
    [[nodiscard]] std::vector<Index> values_of(Index slice) const;
    [[nodiscard]] Views at(const Views& views, const std::vector<Index>& values) const;
    [[nodiscard]] std::optional<Tensor> add_up(BackendSession& session, const Program& program,
                                               const Views& views, const RunOptions& options) const;
    [[nodiscard]] Values part_flows(BackendSession& session, Inputs operands, Values sources,
                                    const CancellationToken& cancellation) const;

    [[nodiscard]] ScaledParts scaled_parts(BackendSession& session, Inputs operands,
                                           const RunOptions& options) const;
    /// Appended: one exponent per source.
    void append_exponents(const ScaledParts& parts, Exponents& exponents) const;
    template <class Take>
    void each_scaled_slice(BackendSession& session, const Program& program, const Views& views,
                           const TensorRead* cotangent, const Exponents& exponents, const RunOptions& options,
                           const Take& take) const;
    [[nodiscard]] std::optional<ScaledTensor> add_up_scaled(BackendSession& session, const Program& program,
                                                            const Views& views, const Exponents& exponents,
                                                            const RunOptions& options) const;

    Network network_;
    SlicedNetwork sliced_;
    std::vector<Program> parts_;
    Program inner_;
    Index slices_ = 1, summed_slices_ = 1;  ///< all, and those of one value of the kept labels
    Index concurrent_;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
