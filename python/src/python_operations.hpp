// Operations written in Python: extensions of the engine that call it back.
#pragma once

#include <nanobind/nanobind.h>

namespace tenferro::python {

void bind_python_operations(nanobind::module_& module);

}  // namespace tenferro::python
