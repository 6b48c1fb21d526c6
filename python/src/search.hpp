// The path search by itself, for the libraries that contract on their own.
#pragma once

#include <nanobind/nanobind.h>

namespace tenferro::python {

void bind_search(nanobind::module_& module);

}  // namespace tenferro::python
