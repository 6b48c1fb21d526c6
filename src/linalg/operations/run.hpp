// The results of LinalgBackend as the outputs of an operation.
#pragma once

#include <utility>
#include <vector>

#include "tenferro/linalg/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

template <class... Tensors>
[[nodiscard]] std::vector<Tensor> outputs(Tensors&&... tensors) {
    std::vector<Tensor> all;
    all.reserve(sizeof...(tensors));
    (all.push_back(std::forward<Tensors>(tensors)), ...);
    return all;
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
