// Handlers that XLA calls while it runs what jax.jit compiled: an einsum, and the functions of
// matrix_programs.hpp, on XLA's own memory.
#pragma once

#include <nanobind/nanobind.h>

namespace tenferro::python {

namespace nb = nanobind;

/// _core._xla_handlers(): of einsum and of matrix functions, capsules as jax.ffi.register_ffi_target takes
/// them.
void bind_xla_handlers(nb::module_& module);

}  // namespace tenferro::python
