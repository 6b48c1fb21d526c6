// TensorMeta: what is known of a tensor before it exists, its dtype and its symbolic shape.
#pragma once

#include <string>

#include "tenferro/tensor/shape_rules.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

using TensorMeta = BasicTensorMeta<SymDim>;

/// A shape of known extents.
[[nodiscard]] TENFERRO_API SymShape symbolic(std::span<const Index> shape);
/// "[2, n0_1]".
[[nodiscard]] TENFERRO_API std::string shape_text(const SymShape& shape);
/// The product of the extents.
[[nodiscard]] TENFERRO_API SymDim element_count(const SymShape& shape);
/// The number that every extent is, which must be known (InvalidConfig in the name of `op`).
[[nodiscard]] TENFERRO_API Dims concrete(const SymShape& shape, std::string_view op);

}}  // namespace tenferro::TENFERRO_ABI
