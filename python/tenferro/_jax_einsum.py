"""einsum for JAX: a primitive that is linear in every operand, so that jit, grad, jvp and vmap of any order
make contractions of ours. XLA calls a handler on its own memory; there is one for the CPU. What takes less
time than such a call is left to XLA."""

from functools import partial as _partial
from math import prod as _prod

import jax as _jax
import jax.numpy as _jnp
import numpy as _np
from jax.extend.core import Primitive as _Primitive
from jax.interpreters import ad as _ad
from jax.interpreters import batching as _batching
from jax.interpreters import mlir as _mlir

from . import _core, errors
from . import _einsum_strings as _strings
from . import _matrix_functions as _functions

_DTYPES = tuple(_np.dtype(name)
                for name in ("float32", "float64", "complex64", "complex128", "int32", "int64"))
_TINY = 64  # products of elements
_jax.ffi.register_ffi_target("tenferro_einsum", _core._xla_handlers()[0], platform="cpu")

_einsum_p = _Primitive("tenferro_einsum")


def _einsum(equation, operands):
    return _einsum_p.bind(*operands, equation=equation)


def _result(*operands, equation):
    terms, output = _strings.parts(equation)
    known = _strings.extents(terms, [operand.shape for operand in operands])
    return _jax.core.ShapedArray(tuple(known[label] for label in output), operands[0].dtype)


def _by_xla(*operands, equation):
    terms, output = _strings.parts(equation)
    numbers = {label: number for number, label in enumerate(dict.fromkeys("".join(terms)))}
    pairs = [part for operand, term in zip(operands, terms)
             for part in (operand, [numbers[label] for label in term])]
    return _jnp.einsum(*pairs, [numbers[label] for label in output], precision="highest")


def _lowered(ctx, *operands, equation):
    extents = _strings.extents(_strings.parts(equation)[0], [aval.shape for aval in ctx.avals_in]).values()
    if all(isinstance(extent, int) for extent in extents) and _prod(extents) <= _TINY:
        return _mlir.lower_fun(_partial(_by_xla, equation=equation), multiple_results=False)(ctx, *operands)
    inputs, _, output = equation.partition("->")
    return _jax.ffi.ffi_lowering("tenferro_einsum")(ctx, *operands, equation=f"{inputs}->{output[::-1]}")


def _transposed(cotangent, *operands, equation):
    """Of each operand that the map is linear in the einsum of the cotangent and the others."""
    terms, output = _strings.parts(equation)
    results = []
    for at, operand in enumerate(operands):
        if not _ad.is_undefined_primal(operand):
            results.append(None)
        elif type(cotangent) is _ad.Zero:
            results.append(_ad.Zero(operand.aval))
        else:
            shape, dtype = operand.aval.shape, operand.aval.dtype
            pulled, made = _strings.pulled(terms, output, at, lambda axis: _jnp.eye(shape[axis], dtype=dtype),
                                           lambda axis: _jnp.ones(shape[axis], dtype=dtype))
            others = [other for k, other in enumerate(operands) if k != at]
            results.append(_einsum(pulled, [cotangent, *others, *made]))
    return results


def _tangent(primals, tangents, equation):
    result = _einsum(equation, primals)
    parts = [_einsum(equation, [*primals[:at], tangent, *primals[at + 1:]])
             for at, tangent in enumerate(tangents) if type(tangent) is not _ad.Zero]
    return result, sum(parts[1:], parts[0]) if parts else _ad.Zero(result.aval.to_tangent_aval())


def _batched(operands, axes, equation):
    terms, output = _strings.parts(equation)
    return _einsum(_strings.with_batch(terms, output, axes), operands), 0


_einsum_p.def_impl(_partial(_jax.jit, static_argnames="equation")(
    lambda *operands, equation: _einsum(equation, operands)))
_einsum_p.def_abstract_eval(_result)
_mlir.register_lowering(_einsum_p, _lowered, platform="cpu")
_ad.primitive_jvps[_einsum_p] = _tangent
_ad.primitive_transposes[_einsum_p] = _transposed
_batching.primitive_batchers[_einsum_p] = _batched


def as_array(name, at, operand, dtypes):
    """The operand as an array of JAX. Raises for what is none, and for other dtypes."""
    if not isinstance(operand, (_jax.Array, _np.ndarray, _np.generic, int, float, complex)):
        raise errors.DTypeMismatch(f"{name}: operand {at} is a {type(operand).__name__}, not an array")
    array = _jnp.asarray(operand)
    _functions.check_operand(name, at, array.dtype, dtypes)
    return array


def einsum(equation, *operands):
    """jnp.einsum by tenferro, on the CPU. Implicit output and '...' are accepted; operands are promoted as
    JAX does. Raises ValueError and TypeError as tenferro.einsum does, when the function is traced."""
    operands = [as_array("einsum", at, operand, _DTYPES) for at, operand in enumerate(operands)]
    dtype = _jnp.result_type(*operands)
    shapes = [operand.shape for operand in operands]
    equation = _strings.checked(equation, tuple(shapes))
    repeated = _strings.repeated_shapes(_strings.parts(equation)[0], shapes)
    return _einsum(equation, [_jnp.broadcast_to(operand, shape).astype(dtype)
                              for operand, shape in zip(operands, repeated)])
