// Where descents start from: orders of several kinds, each with luck of its own.
#pragma once

#include "einsum/path_search/budget.hpp"
#include "einsum/path_search/random.hpp"
#include "einsum/path_search/state.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

class Starts {
public:
    /// `attempts` greedy orders are tried for one start, fewer in large networks. Measured by predicted time.
    Starts(const Problem& problem, const Measure& measure, int attempts);

    /// One or two orders of each kind, the cheapest first: greedy, bisection, layers, elimination of labels
    /// where they have many owners, as listed. The first kind only, if there is no time for others.
    [[nodiscard]] std::vector<Merges> one_of_each(Budget& budget, Random& random) const;
    /// Another order, of each kind in turn.
    [[nodiscard]] Merges another(std::size_t number, Budget& budget, Random& random) const;

private:
    enum class Kind { Greedy, Bisection, Layers, Elimination, AsListed };

    /// None where the kind makes tensors that are too wide to be considered.
    [[nodiscard]] std::vector<ContractionState> make(Kind kind, bool perturbed, Budget& budget,
                                                     Random& random) const;
    template <class Contract>
    [[nodiscard]] std::vector<ContractionState> cheapest_of(std::size_t orders, const Budget& budget,
                                                            const Contract& contract) const;

    const Problem& problem_;
    ContractionState listed_, simplified_;
    std::size_t attempts_, along_cuts_;
    std::vector<Kind> kinds_;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
