// Shapes and values of tensors as text and as JSON, in NumPy's axis order (last axis innermost).
#pragma once

#include <span>
#include <string>

#include "tenferro/base/json.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro::cli {

/// "2 x 3", or "scalar" for rank 0.
[[nodiscard]] std::string shape_text(std::span<const Index> shape);
/// Nested brackets, rows on their own lines; "[]" where there are no elements.
[[nodiscard]] std::string values_text(const TensorRead& tensor);
/// Nested arrays; a complex number is [real, imaginary]; what JSON has no numbers for is "nan", "inf",
/// "-inf".
[[nodiscard]] Json values_json(const TensorRead& tensor);

}  // namespace tenferro::cli
