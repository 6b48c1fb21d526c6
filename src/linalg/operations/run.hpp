// What the execution of operations shares: results of LinalgBackend as outputs, products of matrices.
#pragma once

#include <utility>
#include <vector>

#include "tenferro/linalg/backend.hpp"
#include "tenferro/tensor/backend_session.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

template <class... Tensors>
[[nodiscard]] std::vector<Tensor> outputs(Tensors&&... tensors) {
    std::vector<Tensor> all;
    all.reserve(sizeof...(tensors));
    (all.push_back(std::forward<Tensors>(tensors)), ...);
    return all;
}

/// A B, matrix by matrix, for the axis of A and that of B that are contracted.
[[nodiscard]] inline Tensor product_of(BackendSession& session, const TensorRead& a, const TensorRead& b,
                                       Index a_axis = 1, Index b_axis = 0) {
    DotGeneralConfig config{{a_axis}, {b_axis}, {}, {}};
    for (std::size_t axis = 2; axis < a.rank(); ++axis) {
        config.lhs_batch.push_back(static_cast<Index>(axis));
        config.rhs_batch.push_back(static_cast<Index>(axis));
    }
    return session.dot_general_read(a, b, config);
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
