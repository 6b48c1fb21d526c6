// Narrow cuts through a part of a network, seen as a hypergraph: tensors are nodes, labels are nets that
// weigh the logarithm of their extents.
#pragma once

#include "einsum/path_search/budget.hpp"
#include "einsum/path_search/random.hpp"
#include "einsum/path_search/state.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

using Nodes = std::vector<int>;

/// The nodes of a part, numbered from 0 as they are listed, and their labels as nets between them.
class Part {
public:
    /// `local` has -1 for each label of the state, before and after.
    Part(const ContractionState& state, const Nodes& nodes, std::vector<int>& local);

    [[nodiscard]] std::size_t size() const { return nets_of_.size(); }
    [[nodiscard]] std::size_t nets() const { return pins_.size(); }
    [[nodiscard]] const std::vector<int>& nets_of(std::size_t node) const { return nets_of_[node]; }
    [[nodiscard]] const std::vector<int>& pins(std::size_t net) const { return pins_[net]; }
    [[nodiscard]] double weight(std::size_t net) const { return weights_[net]; }

    /// For each node whether it is on the second side of a narrow cut, each of whose sides has at least
    /// `least` nodes: moves of Fiduccia and Mattheyses (1982) from a breadth-first half. Past the end of the
    /// budget the cut is no longer improved.
    [[nodiscard]] std::vector<bool> cut(std::size_t least, const Budget& budget, Random& random) const;

    /// For each node the steps from net to net between it and a cut, on its own side; more than for any other
    /// where none lead there.
    [[nodiscard]] std::vector<int> steps_to(const std::vector<bool>& cut) const;

private:
    /// All nodes, one connected piece after the other.
    [[nodiscard]] Nodes breadth_first(std::size_t first) const;

    std::vector<std::vector<int>> nets_of_, pins_;
    std::vector<double> weights_;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
