// tenferro.linalg: the library's linear algebra with batches in front, as Python's libraries have them.
#pragma once

#include <nanobind/nanobind.h>

namespace tenferro::python {

void bind_linear_algebra(nanobind::module_& module);

}  // namespace tenferro::python
