// tenferro.Plan: an einsum compiled once and run many times, with its derivatives.
#pragma once

#include "naming.hpp"

namespace tenferro::python {

void bind_plan(NamingModule& module);

}  // namespace tenferro::python
