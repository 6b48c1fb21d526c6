// NumPy's arrays by its C interface, which is looked for when the first array is seen: importing this package
// does not import NumPy.
#pragma once

#include <optional>

#include <nanobind/nanobind.h>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro::python {

namespace nb = nanobind;

/// Whether `object` is a numpy.ndarray.
[[nodiscard]] bool is_ndarray(PyObject* object) noexcept;

/// The array's memory as it is, valid while the array is; nothing where we cannot read it so: an array of
/// bool, whose bytes may be anything, an unaligned or byte-swapped one, one of a dtype that we do not have.
[[nodiscard]] std::optional<TensorRead> borrow_ndarray(PyObject* array);

/// A tensor on the array's memory, which keeps the array alive, or on a copy where the memory cannot be used.
/// Throws DTypeMismatch (a dtype that we do not have), InvalidArgument (byte-swapped, strides that are not
/// whole elements).
[[nodiscard]] Tensor tensor_of_ndarray(PyObject* array);

/// A new array with the tensor's memory, writable where nobody else has it (then a little may be copied).
/// With `reversed` the axes are in reverse order, so that a compact column-major tensor is a C-contiguous
/// array.
[[nodiscard]] nb::object ndarray_of(Tensor&& tensor, bool reversed = false);

}  // namespace tenferro::python
