// tenferro.einsum: the path from a Python call to the engine, kept short. An einsum whose string is
// the same Python object as in an earlier call, on arrays of the same shapes, finds its plan without reading
// the string.
#pragma once

#include <nanobind/nanobind.h>

namespace tenferro::python {

void bind_einsum(nanobind::module_& module);

}  // namespace tenferro::python
