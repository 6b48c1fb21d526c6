// Einsum of tensors on the default engine, beside the one of handles: `einsum("ij,jk->ik", {x, y})`.
#pragma once

#include "tenferro/api/engine.hpp"
#include "tenferro/einsum/replay.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// See Engine::einsum.
[[nodiscard]] inline Tensor einsum(std::string_view subscripts, Operands operands,
                                   tensor_network::Dialect dialect = tensor_network::Dialect::Strict) {
    return default_engine().einsum(subscripts, operands, dialect);
}
[[nodiscard]] inline Tensor einsum(std::string_view subscripts, std::span<const TensorRead> operands,
                                   tensor_network::Dialect dialect = tensor_network::Dialect::Strict) {
    return default_engine().einsum(subscripts, operands, dialect);
}
[[nodiscard]] inline Tensor einsum(std::string_view subscripts, std::span<const Tensor> operands,
                                   tensor_network::Dialect dialect = tensor_network::Dialect::Strict) try {
    const std::vector<TensorRead> views(operands.begin(), operands.end());
    return default_engine().einsum(subscripts, views, dialect);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

}}  // namespace tenferro::TENFERRO_ABI
