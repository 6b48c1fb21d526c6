// Which dtype meets which: NumPy's promotion among our dtypes, and dtypes as Python names them.
#pragma once

#include <optional>
#include <vector>

#include "exchange.hpp"

namespace tenferro::python {

/// The dtype of both, as NumPy promotes: int32 and float32 are float64.
[[nodiscard]] DType promoted(DType a, DType b) noexcept;

/// `value` in `dtype`: exactly where it is promoted, else with the loss of a cast.
[[nodiscard]] Value in_dtype(const Value& value, DType dtype);

/// All of `values` in their common dtype, or in `wanted`.
void promote(std::vector<Value>& values, std::optional<DType> wanted = std::nullopt);

/// A DType of tenferro, a dtype or scalar type of NumPy, a dtype of torch, a type of Python or a name:
/// "float32", "f32", … . DTypeMismatch for what is none of ours.
[[nodiscard]] DType dtype_of(nb::handle object);

/// tenferro.DType: one object per dtype.
struct DTypeObject {
    DType dtype;
};
[[nodiscard]] nb::object dtype_object(DType dtype);
void bind_dtypes(nb::module_& module);

/// "float32", …
[[nodiscard]] const char* numpy_name(DType dtype) noexcept;

}  // namespace tenferro::python
