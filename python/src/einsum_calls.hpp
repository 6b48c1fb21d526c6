// What tenferro.torch.einsum and tenferro.jax.einsum ask of the engine.
#pragma once

#include <nanobind/nanobind.h>

namespace tenferro::python {

namespace nb = nanobind;

/// _core._torch_einsum(subscripts, *tensors), where subscripts are explicit with a reversed output: a tensor
/// of PyTorch in rows, or None where a tensor cannot be read as it is; and _core._checked_einsum(subscripts,
/// shapes), which raises what einsum would.
void bind_einsum_calls(nb::module_& module);

}  // namespace tenferro::python
