// tenferro.Plan: an einsum compiled once and run many times, with its derivatives.
#pragma once

#include <nanobind/nanobind.h>

namespace tenferro::python {

void bind_plan(nanobind::module_& module);

}  // namespace tenferro::python
