// Functions of Python as graphs: traced on inputs like their arguments, differentiated as graphs, compiled
// and run, or, inside another trace, put into it.
#pragma once

#include "exchange.hpp"

namespace tenferro::python {

void bind_checkpoint(nanobind::module_& module);
void bind_graph(nb::module_& module);

}  // namespace tenferro::python
