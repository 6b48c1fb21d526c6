"""Einsums over the tropical algebras and their gradients, on NumPy arrays, Tensors and PyTorch tensors.

| algebra | sum | product | zero |
|---|---|---|---|
| maxplus | max | + | -inf |
| minplus | min | + | +inf |
| maxmul | max | * | 0 |

Arrays are float64 or float32, and computed in the wider of the two; others become float64. Results are of the
library of the first operand. The functions are those of the extension ``libtenferro_ext_tropical``
(``extension/tropical``), which is part of this package with its headers. Raises ValueError for malformed
subscripts, shapes that do not fit and, for maxmul of three or more operands, negative numbers.
"""

import ctypes as _ctypes
import functools as _functools
import sys as _sys
from pathlib import Path as _Path
from typing import Any as _Any, Iterable as _Iterable

import numpy as _np

from . import _core, errors

ALGEBRAS = ("maxplus", "minplus", "maxmul")
_TYPES = {"float64": ("f64", _ctypes.c_double), "float32": ("f32", _ctypes.c_float)}
_KINDS = {-1: errors.InvalidArgument, -2: errors.ShapeMismatch}


@_functools.cache
def _library():
    """The extension, through which the functions of the library that it stands on are found too."""
    return _ctypes.CDLL(str(_Path(__file__).parent / "lib" / "libtenferro_ext_tropical.so.0"))


@_functools.cache
def _function(name, result=None):
    function = getattr(_library(), name)
    function.restype = result
    return function


def _call(function, *arguments):
    """Calls a function whose last argument is its status."""
    status = _ctypes.c_int32()
    result = function(*arguments, _ctypes.byref(status))
    if status.value != 0:
        message, length = (_ctypes.c_uint8 * 4096)(), _ctypes.c_size_t()
        _function("tfe_last_error_message", _ctypes.c_int32)(message, _ctypes.c_size_t(4096),
                                                             _ctypes.byref(length))
        text = bytes(message[:max(length.value - 1, 0)]).decode(errors="replace")
        raise _KINDS.get(status.value, errors.BackendFailure)(text)
    return result


class _Handle:
    """A tensor of the library."""

    def __init__(self, suffix, pointer):
        self.suffix, self.pointer = suffix, pointer

    def __del__(self):
        _function(f"tfe_tensor_{self.suffix}_release")(_ctypes.c_void_p(self.pointer))

    @classmethod
    def of(cls, array, dtype):
        suffix, _ = _TYPES[dtype.name]
        columns = array.flags.f_contiguous
        array = _np.asarray(array, dtype=dtype, order="F" if columns else "C")
        shape = (_ctypes.c_size_t * array.ndim)(*array.shape)
        make = _function(f"tfe_tensor_{suffix}_from_{'' if columns else 'row_major_'}data", _ctypes.c_void_p)
        return cls(suffix, _call(make, _ctypes.c_void_p(array.ctypes.data), _ctypes.c_size_t(array.size),
                                 shape, _ctypes.c_size_t(array.ndim)))

    def array(self):
        pointer = _ctypes.c_void_p(self.pointer)
        rank = _function(f"tfe_tensor_{self.suffix}_ndim", _ctypes.c_size_t)(pointer)
        shape = (_ctypes.c_size_t * rank)()
        _function(f"tfe_tensor_{self.suffix}_shape")(pointer, shape)
        scalar = _TYPES["float64" if self.suffix == "f64" else "float32"][1]
        result = _np.empty(tuple(shape), scalar, order="F")
        data = _function(f"tfe_tensor_{self.suffix}_data", _ctypes.c_void_p)(pointer)
        if result.size:
            _ctypes.memmove(result.ctypes.data, data, result.nbytes)
        return result


def _prepared(subscripts, operands, algebra, op):
    """The explicit subscripts and the operands as NumPy arrays, with the type to compute in."""
    if algebra not in ALGEBRAS:
        raise ValueError(f"{op}: algebra is {algebra!r} but must be one of {', '.join(ALGEBRAS)}")
    if not operands:
        raise ValueError(f"{op}: there are no operands")
    arrays = [_np.asarray(operand) for operand in operands]
    for at, array in enumerate(arrays):
        if array.dtype.kind not in "biuf":
            raise errors.DTypeMismatch(f"{op}: operand {at} has dtype {array.dtype} but must be real")
    dtype = _np.result_type(*arrays)
    if "->" not in subscripts or "." in subscripts or " " in subscripts:
        subscripts = _core._explicit(subscripts, [array.ndim for array in arrays])
    return subscripts, arrays, dtype if dtype.name in _TYPES else _np.dtype(_np.float64)


def _handles(arrays, dtype):
    handles = [_Handle.of(array, dtype) for array in arrays]
    return handles, (_ctypes.c_void_p * len(handles))(*(handle.pointer for handle in handles))


def _einsum(subscripts, operands, algebra, op="einsum"):
    subscripts, arrays, dtype = _prepared(subscripts, operands, algebra, op)
    suffix = _TYPES[dtype.name][0]
    kept, handles = _handles(arrays, dtype)
    run = _function(f"tfe_tropical_einsum_{algebra}_{suffix}", _ctypes.c_void_p)
    return _Handle(suffix, _call(run, subscripts.encode(), handles, _ctypes.c_size_t(len(kept)))).array()


def _vjp(subscripts, operands, cotangent, algebra, op="vjp"):
    subscripts, arrays, dtype = _prepared(subscripts, operands, algebra, op)
    suffix = _TYPES[dtype.name][0]
    kept, handles = _handles(arrays, dtype)
    pulled = _Handle.of(_np.asarray(cotangent), dtype)
    gradients = (_ctypes.c_void_p * len(kept))()
    _call(_function(f"tfe_tropical_einsum_rrule_{algebra}_{suffix}"), subscripts.encode(), handles,
          _ctypes.c_size_t(len(kept)), _ctypes.c_void_p(pulled.pointer), gradients)
    return [_Handle(suffix, pointer).array() for pointer in gradients]


def _torch_of(operands):
    """PyTorch, if it is there and an operand is a tensor of it."""
    torch = _sys.modules.get("torch")
    return torch if torch is not None and any(isinstance(x, torch.Tensor) for x in operands) else None


@_functools.cache
def _torch_function():
    import torch

    def plain(tensor):
        return tensor.detach().numpy()

    class TropicalEinsum(torch.autograd.Function):
        @staticmethod
        def forward(ctx, subscripts, algebra, op, *operands):
            ctx.subscripts, ctx.algebra = subscripts, algebra
            ctx.save_for_backward(*operands)
            return torch.from_numpy(_einsum(subscripts, [plain(x) for x in operands], algebra, op))

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, cotangent):
            operands = ctx.saved_tensors
            found = _vjp(ctx.subscripts, [plain(x) for x in operands], plain(cotangent), ctx.algebra)
            return None, None, None, *(torch.from_numpy(g).to(x.dtype) for g, x in zip(found, operands))

    return TropicalEinsum


def _as_given(array, operand):
    return _core.asarray(array) if isinstance(operand, _core.Tensor) else array


def _applied(subscripts, operands, algebra, op):
    if torch := _torch_of(operands):
        return _torch_function().apply(subscripts, algebra, op, *(torch.as_tensor(x) for x in operands))
    return _as_given(_einsum(subscripts, operands, algebra, op), operands[0] if operands else None)


def einsum(subscripts: str, *operands: _Any, algebra: str = "maxplus") -> _Any:
    """The einsum over an algebra: numpy.einsum with its sum and product. An empty contraction gives the
    algebra's zero, NaN propagates. PyTorch differentiates it once, by the rule of vjp."""
    return _applied(subscripts, operands, algebra, "einsum")


def matmul(a: _Any, b: _Any, /, *, algebra: str = "maxplus") -> _Any:
    """The product of matrices in the last two axes; the axes before them are a batch and broadcast."""
    for name, x in (("a", a), ("b", b)):
        if len(x.shape) < 2:
            raise ValueError(f"matmul: operand {name} has {len(x.shape)} axes but needs at least 2")
    return _applied("...ij,...jk->...ik", (a, b), algebra, "matmul")


def vjp(subscripts: str, operands: _Iterable[_Any], cotangent: _Any, *, algebra: str = "maxplus") -> list:
    """A gradient per operand, in its shape. The winner of each element of the result takes the element's
    cotangent: of the assignments of the contracted labels that attain it the one of the smallest index, where
    labels count in the order in which the subscripts name them, the first fastest. maxmul multiplies by the
    winning entries of the other operands."""
    operands = tuple(operands)
    if torch := _torch_of((*operands, cotangent)):
        found = _vjp(subscripts, [torch.as_tensor(x).detach().numpy() for x in operands],
                     torch.as_tensor(cotangent).detach().numpy(), algebra)
        return [torch.from_numpy(gradient) for gradient in found]
    return [_as_given(gradient, operands[0]) for gradient in _vjp(subscripts, operands, cotangent, algebra)]
