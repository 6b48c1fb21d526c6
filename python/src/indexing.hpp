// Indexing as NumPy has it: integers, slices, ..., None; masks and arrays of integers; and tensors like
// others but for what an index selects.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "exchange.hpp"
#include "naming.hpp"

namespace tenferro::python {

/// a[index]: basic indices give views of the memory. AxisOutOfBounds for an integer out of range and for too
/// many indices.
[[nodiscard]] Value indexed(const Value& a, nb::handle index);

/// Whether an index is a slice, None, ... or an integer.
[[nodiscard]] bool is_basic(nb::handle item);
/// a[items] of basic indices alone, with one ... at most.
[[nodiscard]] Value select_basic(const Value& a, std::span<const nb::object> items);
/// The same where some are arrays or masks: a copy, whose axes stand where NumPy has them.
[[nodiscard]] Value select_with_arrays(const Value& a, std::span<const nb::object> items);
/// The items of an index. AxisOutOfBounds for more than one '...'.
[[nodiscard]] std::vector<nb::object> items_of(nb::handle index);
/// Where a[items] lies if that is all elements between corners.
struct Box {
    Dims starts;
    SymShape extents;
};
[[nodiscard]] std::optional<Box> box_of(const Value& a, std::span<const nb::object> items);
/// Unsupported where it is only known at run time.
[[nodiscard]] Index known_extent(const Value& a, std::size_t axis);

/// The slices of `a` along `axis` at `indices`, whose axes stand in its place; negative indices count from
/// the end. AxisOutOfBounds.
[[nodiscard]] Value take(const Value& a, const Value& indices, Index axis);

void bind_indexing(nb::class_<Value>& tensor);
void bind_updates(NamingModule& module, nb::class_<Value>& tensor);

}  // namespace tenferro::python
