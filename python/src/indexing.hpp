// Indexing as NumPy has it: integers, slices, ..., None; a tensor of bool or of integers selects rows.
#pragma once

#include "exchange.hpp"

namespace tenferro::python {

/// a[index]: basic indices give views of the memory. AxisOutOfBounds for an integer out of range,
/// RankMismatch for too many indices.
[[nodiscard]] Value indexed(const Value& a, nb::handle index);

/// The slices of `a` along `axis` at `indices`, whose axes stand in its place; negative indices count from
/// the end. AxisOutOfBounds.
[[nodiscard]] Value take(const Value& a, const Value& indices, Index axis);

void bind_indexing(nb::class_<Value>& tensor);

}  // namespace tenferro::python
