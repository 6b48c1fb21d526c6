// Searches as parts of a planning: several share one clock.
#pragma once

#include "einsum/path_search/clock.hpp"
#include "einsum/path_search/descent.hpp"
#include "tenferro/einsum/path_search.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// The public find_tree under a clock that began earlier; takes no notice of options.deadline. Tensors that
/// leave no room for others under options.memory_limit_bytes are worth avoiding, as in Measure.
[[nodiscard]] ContractionTree find_tree(const Network& network, const PathOptions& options,
                                        const Clock& clock);

/// Goes on from a tree, with a share of an ordinary search's work if there is no deadline: the result is no
/// worse in the objective. A network with groups keeps its tree.
[[nodiscard]] ContractionTree improve_tree(const Network& network, const ContractionTree& tree,
                                           const PathOptions& options, const Clock& clock, double effort = 1);

struct DescendedTree {
    ContractionTree tree;
    double work = 0;  ///< estimated seconds
};

/// Whether trees of the network are searched for, and not ordered optimally or kept for its groups.
[[nodiscard]] bool is_searched(const Network& network, const PathOptions& options);

/// A single descent from a tree of a network that is searched, no worse in the objective. Others are as
/// improve_tree leaves them.
[[nodiscard]] DescendedTree descend(const Network& network, const ContractionTree& tree,
                                    const PathOptions& options, const Clock& clock, const Heat& heat);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
