// A network from its labels, without subscripts to parse.
#pragma once

#include <utility>
#include <vector>

#include "tenferro/einsum/network.hpp"

namespace tenferro::test {

inline tensor_network::Network made_network(std::vector<tensor_network::LabelIds> inputs,
                                            tensor_network::LabelIds output, std::vector<Index> extents) {
    tensor_network::Network made;
    made.inputs = std::move(inputs);
    made.output = std::move(output);
    made.extents = std::move(extents);
    made.dropped_axes.resize(made.inputs.size());
    return made;
}

}  // namespace tenferro::test
