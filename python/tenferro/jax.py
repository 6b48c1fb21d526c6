"""einsum for JAX: a primitive that is linear in every operand, so that jit, grad, jvp and vmap of any order make
contractions of ours. It is computed by a callback on the host's memory, so it runs on the CPU."""

from functools import partial as _partial

import jax as _jax
import jax.numpy as _jnp
import numpy as _np
from jax.extend.core import Primitive as _Primitive
from jax.interpreters import ad as _ad
from jax.interpreters import batching as _batching
from jax.interpreters import mlir as _mlir

from . import _core

_einsum_p = _Primitive("tenferro_einsum")


def _einsum(equation, *operands):
    return _einsum_p.bind(*operands, equation=equation)


def _on_host(equation, *operands):
    return _np.asarray(_core.einsum(equation, *(_np.asarray(operand) for operand in operands), order="C"))


def _compute(*operands, equation):
    terms, output = equation.split("->")
    extents = {label: extent for term, operand in zip(terms.split(","), operands)
               for label, extent in zip(term, operand.shape)}
    result = _jax.ShapeDtypeStruct(tuple(extents[label] for label in output), operands[0].dtype)
    return _jax.pure_callback(_partial(_on_host, equation), result, *operands)


def _transposed(cotangent, *operands, equation):
    """Of each operand that the map is linear in the einsum of the cotangent and the others."""
    terms, output = equation.split("->")
    terms = terms.split(",")
    results = []
    for at, operand in enumerate(operands):
        if not _ad.is_undefined_primal(operand):
            results.append(None)
            continue
        if type(cotangent) is _ad.Zero:
            results.append(_ad.Zero(operand.aval))
            continue
        parts = [(output, cotangent)] + [(t, o) for k, (t, o) in enumerate(zip(terms, operands)) if k != at]
        known, used, wanted = set("".join(t for t, _ in parts)), set(), ""
        spare = iter(chr(code) for code in range(0x4E00, 0x9000))
        for extent, label in zip(operand.aval.shape, terms[at]):
            new = label
            if label in used:  # a diagonal: the element is 0 beside it
                new = next(spare)
                parts.append((label + new, _jnp.eye(extent, dtype=cotangent.dtype)))
            elif label not in known:  # summed alone
                parts.append((label, _jnp.ones(extent, dtype=cotangent.dtype)))
            used.add(label)
            wanted += new
        results.append(_einsum(",".join(t for t, _ in parts) + "->" + wanted, *(part for _, part in parts)))
    return results


def _tangent(primals, tangents, equation):
    result = _einsum(equation, *primals)
    parts = [_einsum(equation, *primals[:at], tangent, *primals[at + 1:])
             for at, tangent in enumerate(tangents) if type(tangent) is not _ad.Zero]
    return result, sum(parts[1:], parts[0]) if parts else _ad.Zero.from_primal_value(result)


def _batched(operands, axes, equation):
    """The batch is one more label, first in every operand that has it and in the result."""
    terms, output = equation.split("->")
    label = next(chr(code) for code in range(0x9000, 0xA000) if chr(code) not in equation)
    moved = [operand if axis is None else _jnp.moveaxis(operand, axis, 0) for operand, axis in zip(operands, axes)]
    labels = [term if axis is None else label + term for term, axis in zip(terms.split(","), axes)]
    return _einsum(f"{','.join(labels)}->{label}{output}", *moved), 0


_einsum_p.def_impl(_partial(_jax.jit, static_argnames="equation")(_compute))
_einsum_p.def_abstract_eval(lambda *operands, equation: _jax.core.ShapedArray(
    _jax.eval_shape(_partial(_compute, equation=equation), *operands).shape, operands[0].dtype))
_mlir.register_lowering(_einsum_p, _mlir.lower_fun(_compute, multiple_results=False))
_ad.primitive_jvps[_einsum_p] = _tangent
_ad.primitive_transposes[_einsum_p] = _transposed
_batching.primitive_batchers[_einsum_p] = _batched


def einsum(equation, *operands):
    """jnp.einsum by tenferro. Implicit output and '...' are accepted; operands are promoted as JAX does. Raises
    ValueError and TypeError as tenferro.einsum does."""
    operands = [_jnp.asarray(operand) for operand in operands]
    dtype = _jnp.result_type(*operands)
    equation = _core._explicit(equation, [operand.ndim for operand in operands])
    terms = equation.split("->")[0].split(",")
    extents = {}
    for term, operand in zip(terms, operands):
        for label, extent in zip(term, operand.shape):
            extents[label] = extent if extents.get(label, 1) == 1 else extents[label]
    repeated = [_jnp.broadcast_to(operand, [extents[label] if extent == 1 else extent
                                            for label, extent in zip(term, operand.shape)])
                if len(term) == operand.ndim else operand for term, operand in zip(terms, operands)]
    return _einsum(equation, *(operand.astype(dtype) for operand in repeated))
