// Calls of matrix_programs.hpp from Python, on arrays of any library.
#pragma once

#include <nanobind/nanobind.h>

namespace tenferro::python {

namespace nb = nanobind;

void bind_matrix_calls(nb::module_& module);

}  // namespace tenferro::python
