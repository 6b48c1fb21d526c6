// tenferro.Tensor as a Python class.
#pragma once

#include "naming.hpp"

namespace tenferro::python {

void bind_tensor(NamingModule& module);

}  // namespace tenferro::python
