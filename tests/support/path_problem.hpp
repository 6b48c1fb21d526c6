// A problem of the path search from the labels of its tensors.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "einsum/path_search/problem.hpp"

namespace tenferro::test {

/// All labels have extent 2; one that a single tensor has is in the result.
inline tensor_network::Problem path_problem(std::vector<tensor_network::LabelIds> tensors) {
    tensor_network::Problem problem;
    problem.computed.assign(tensors.size(), false);
    for (tensor_network::LabelIds& labels : tensors) {
        std::sort(labels.begin(), labels.end());
        for (const tensor_network::LabelId label : labels) {
            const std::size_t at = tensor_network::index(label);
            if (at >= problem.uses.size()) problem.uses.resize(at + 1, 0);
            ++problem.uses[at];
        }
    }
    for (int& uses : problem.uses) uses = std::max(uses, 2);
    problem.bits.assign(problem.uses.size(), 1);
    problem.tensors = std::move(tensors);
    return problem;
}

}  // namespace tenferro::test
