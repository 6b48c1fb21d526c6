// Extents, shapes, dtypes and descriptions of values as JSON.
#pragma once

#include "runtime/json/place.hpp"
#include "tenferro/ops/tensor_meta.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

/// What symbols in a document may refer to: the inputs that a graph has.
using InputMetas = std::vector<TensorMeta>;

[[nodiscard]] Json write_extent(const SymDim& dim);
[[nodiscard]] Json write_shape(const SymShape& shape);
[[nodiscard]] Json write_meta(const TensorMeta& meta);

[[nodiscard]] DType read_dtype(const Place& place);
/// Symbols are checked against `inputs`.
[[nodiscard]] SymDim read_extent(const Place& place, const InputMetas& inputs);
[[nodiscard]] SymShape read_shape(const Place& place, const InputMetas& inputs);
[[nodiscard]] TensorMeta read_meta(const Place& place, const InputMetas& inputs);
/// The descriptions of a graph's inputs, whose extents may refer to each other.
[[nodiscard]] InputMetas read_inputs(const Place& place);

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
