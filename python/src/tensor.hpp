// tenferro.Tensor as a Python class.
#pragma once

#include <nanobind/nanobind.h>

namespace tenferro::python {

void bind_tensor(nanobind::module_& module);

}  // namespace tenferro::python
