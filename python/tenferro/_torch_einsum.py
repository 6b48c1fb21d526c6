"""einsum for PyTorch: an operator whose derivatives are contractions, of any order. Where nothing watches,
the engine is called at once."""

from functools import lru_cache as _lru_cache

import torch as _torch
from torch.autograd import forward_ad as _forward_ad

from . import _core
from . import _einsum_strings as _strings
from ._torch_operators import check_operand, define, forward, nested_jvp, plain

_is_compiling = _torch.compiler.is_compiling
_transformation = _torch._C._functorch.peek_interpreter_stack
_modes = _torch._C._len_torch_dispatch_stack
_DTYPES = (_torch.float32, _torch.float64, _torch.complex64, _torch.complex128, _torch.int32, _torch.int64)


@_torch.compiler.assume_constant_result
def _written_out(equation, ranks):
    return _strings.written_out(equation, ranks)


def _on_cpu(equation, operands):
    if not _are_plain(operands):
        operands = [plain(operand) for operand in operands]
    result = _core._torch_einsum(_strings.reversed_output(equation, ()), *operands)
    return _core.einsum(equation, *map(plain, operands), order="C") if result is None else result


def _fake(equation, operands):
    terms, output = _strings.parts(equation)
    known = _strings.extents(terms, [operand.shape for operand in operands])
    return operands[0].new_empty([known[label] for label in output])


class _Recorded(_torch.autograd.Function):
    @staticmethod
    def forward(equation, *operands):
        return forward(_einsum, equation, list(operands))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.equation, *operands = inputs
        ctx.save_for_backward(*operands)
        ctx.save_for_forward(*operands)

    @staticmethod
    def backward(ctx, cotangent):
        operands = ctx.saved_tensors
        terms, output = _strings.parts(ctx.equation)
        gradients = []
        for at, operand in enumerate(operands):
            if not ctx.needs_input_grad[1 + at]:
                gradients.append(None)
                continue
            equation, made = _strings.pulled(
                terms, output, at, lambda axis: _torch.eye(operand.shape[axis], dtype=operand.dtype),
                lambda axis: _torch.ones(operand.shape[axis], dtype=operand.dtype))
            others = [other.conj() for k, other in enumerate(operands) if k != at]
            gradients.append(_einsum(equation, [cotangent, *others, *made]))
        return (None, *gradients)

    @nested_jvp
    def jvp(ctx, operands, *tangents):
        moved = [_einsum(ctx.equation, [*operands[:at], tangent, *operands[at + 1:]])
                 for at, tangent in enumerate(tangents) if tangent is not None]
        return sum(moved[1:], moved[0])


@_lru_cache(512)
def _fitting(equation, *shapes):
    """The equation written out; None where an axis has to be repeated first."""
    written = _strings.written_out(equation, tuple(map(len, shapes)))
    return (written if _strings.repeated_shapes(_strings.parts(written)[0], list(shapes)) == list(shapes)
            else None)


@_lru_cache(512)
def _reversed_gradients(equation, needed):
    """The einsum of each gradient that is needed, with its output reversed; None where one is of more than
    the cotangent and the other operands."""
    terms, output = _strings.parts(equation)
    found = []
    for at in range(len(terms)):
        pulled, made = _strings.pulled(terms, output, at, str, str)
        if needed[1 + at] and made:
            return None
        found.append(_strings.reversed_output(pulled, ()) if needed[1 + at] else None)
    return tuple(found)


class _RecordedAtOnce(_torch.autograd.Function):
    """The same without the dispatcher, of tensors that are nothing but memory."""

    @staticmethod
    def forward(ctx, equation, *operands):
        ctx.equation = equation
        ctx.save_for_backward(*operands)
        return _on_cpu(equation, operands)

    @staticmethod
    def backward(ctx, cotangent):
        if not (_torch.is_grad_enabled() or cotangent.is_complex() or _is_watched()):
            operands = ctx.saved_tensors
            strings = _reversed_gradients(ctx.equation, ctx.needs_input_grad)
            if strings is not None and _are_plain((cotangent, *operands)):
                gradients = _core._torch_gradients(strings, cotangent, *operands)
                if gradients is not None:
                    return None, *gradients
        return _Recorded.backward(ctx, cotangent)


_at_once = super(_torch.autograd.Function, _RecordedAtOnce).apply


def _vmap(info, in_dims, equation, operands):
    terms, output = _strings.parts(equation)
    return _einsum(_strings.with_batch(terms, output, in_dims[1]), operands), 0


_einsum = define("einsum(str equation, Tensor[] operands) -> Tensor", cpu=_on_cpu, fake=_fake,
                 function=_Recorded, vmap=_vmap)


def _is_watched():
    """Whether something is between calls and their results: a compiler, torch.func,
    a mode of the dispatcher."""
    return (_is_compiling() or _transformation() is not None or _modes() != 0
            or _forward_ad._current_level >= 0)


def _are_plain(operands):
    """Whether these are nothing but tensors."""
    for operand in operands:
        if type(operand) is not _torch.Tensor or operand.is_conj() or operand.is_neg() or not operand.is_cpu:
            return False
    return True


def _are_alike(operands):
    """Whether these have one dtype that is ours, and lie in strides."""
    dtype = operands[0].dtype
    for operand in operands:
        if operand.dtype != dtype or operand.layout != _torch.strided:
            return False
    return dtype in _DTYPES


def einsum(equation, *operands):
    """torch.einsum by tenferro. Implicit output and '...' are accepted; operands of several dtypes are
    promoted as PyTorch does. Raises ValueError, TypeError and BufferError."""
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    if not _is_watched() and _are_plain(operands):
        if not _torch._C._any_requires_grad(*operands) or not _torch.is_grad_enabled():
            ranks = tuple([operand.dim() for operand in operands]) if "." in equation else ()
            result = _core._torch_einsum(_strings.reversed_output(equation, ranks), *operands)
            if result is not None:
                return result
        elif _are_alike(operands):
            written = _fitting(equation, *[operand.shape for operand in operands])
            if written is not None:
                return _at_once(written, *operands)
    for at, operand in enumerate(operands):
        check_operand("einsum", at, operand, _DTYPES)
    if not operands:
        _strings.checked(equation, ())
    dtype = operands[0].dtype
    for operand in operands:
        dtype = _torch.promote_types(dtype, operand.dtype)
    equation = _written_out(equation, tuple(operand.dim() for operand in operands))
    shapes = [operand.shape for operand in operands]
    repeated = _strings.repeated_shapes(_strings.parts(equation)[0], shapes)
    return _einsum(equation, [operand if wanted is shape and operand.dtype == dtype else
                              operand.to(dtype).expand(wanted)
                              for operand, shape, wanted in zip(operands, shapes, repeated)])
