// Tensors as text, as NumPy prints them: `std::cout << t`.
#pragma once

#include <iosfwd>
#include <string>

#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// What `print(numpy_array)` shows: nested brackets with the last axis along a line of at most 75 columns,
/// numbers of one width, at most 8 decimals; of more than 1000 elements the first and last three of an axis
/// (and, where the axes are too many for that, the first of the outer ones). A tensor that cannot be read
/// here, because it is on a device or was moved from, shows as one line that says so.
[[nodiscard]] TENFERRO_API std::string to_string(const TensorRead& tensor);
TENFERRO_API std::ostream& operator<<(std::ostream& out, const TensorRead& tensor);

}}  // namespace tenferro::TENFERRO_ABI
