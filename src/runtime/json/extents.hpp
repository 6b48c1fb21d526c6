// Extents, shapes, dtypes and descriptions of values as JSON.
#pragma once

#include "tenferro/base/json_place.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/tensor_meta.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

inline constexpr std::string_view kJsonOp = "graph_json";

/// What symbols in a document may refer to: the inputs that a graph has.
using InputMetas = std::vector<TensorMeta>;

[[nodiscard]] Json write_extent(const SymDim& dim);
[[nodiscard]] Json write_shape(const SymShape& shape);
[[nodiscard]] Json write_meta(const TensorMeta& meta);

[[nodiscard]] DType read_dtype(const JsonPlace& place);
/// Symbols are checked against `inputs`.
[[nodiscard]] SymDim read_extent(const JsonPlace& place, const InputMetas& inputs);
[[nodiscard]] SymShape read_shape(const JsonPlace& place, const InputMetas& inputs);
[[nodiscard]] TensorMeta read_meta(const JsonPlace& place, const InputMetas& inputs);
/// The descriptions of a graph's inputs, whose extents may refer to each other.
[[nodiscard]] InputMetas read_inputs(const JsonPlace& place);

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
