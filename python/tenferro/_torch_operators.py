"""How tenferro's operators are made known to PyTorch: kernels for the CPU, for shapes alone, for autograd in
both modes and for vmap. Tensors on the CPU are read where they are, with any strides."""

import torch as _torch
from torch.autograd import forward_ad as _forward_ad
from torch._functorch.autograd_function import VmapInfo as _VmapInfo
from torch._functorch.utils import enable_single_level_autograd_function as _single_level

from . import _matrix_functions as _functions
from . import errors

_library = _torch.library.Library("tenferro", "FRAGMENT")


def define(schema, *, cpu, fake, function, vmap):
    """The operator of `schema`, whose arguments are a string and a list of tensors; `function` is the
    autograd.Function of (string, *tensors) that records it, which calls `forward`."""
    name = schema.partition("(")[0]
    _library.define(schema)
    operator = getattr(_torch.ops.tenferro, name).default

    def recorded(text, operands):
        if not _is_watched(operands):
            return below(operator, text, operands)
        with _single_level():  # transformations of torch.func have been taken off before a kernel of autograd
            made = super(_torch.autograd.Function, function).apply(text, *operands)
        return list(made) if isinstance(made, tuple) else made

    _library.impl(name, cpu, "CPU")
    _library.impl(name, recorded, "Autograd")
    _library.impl(name, _batched(operator, vmap), "Batched")
    _torch.library.register_fake(f"tenferro::{name}", fake, lib=_library)
    _torch.library.register_vmap(f"tenferro::{name}", vmap, lib=_library)
    return operator


def _batched(operator, vmap):
    """The kernel for the vmap of torch.autograd (is_grads_batched, vectorize), which is not that of
    torch.func: operands are taken out of the innermost one, and the results put back."""

    def kernel(text, operands):
        level = _torch._C._vmapmode_decrement_nesting() + 1
        try:
            bare = [_torch._remove_batch_dim(operand, level, 1, 0) for operand in operands]
            axes = [None if operand.shape[0] == 1 else 0 for operand in bare]  # no batch: there once
            size = next((operand.shape[0] for operand in bare if operand.shape[0] != 1), 1)
            bare = [operand[0] if axis is None else operand for operand, axis in zip(bare, axes)]
            if size == 1:
                return operator(text, bare)
            made, _ = vmap(_VmapInfo(size, "error"), (None, axes), text, bare)
        finally:
            _torch._C._vmapmode_increment_nesting()
        put = lambda result: _torch._add_batch_dim(result, 0, level)
        return list(map(put, made)) if isinstance(made, (tuple, list)) else put(made)

    return kernel


def below(operator, text, operands):
    """The operator without its derivatives."""
    with _torch._C._AutoDispatchBelowAutograd():
        return operator(text, operands)


def forward(operator, text, operands):
    """The same inside an autograd.Function, which records nothing there: transformations around the innermost
    one of torch.func have to."""
    with _torch.enable_grad(), _forward_ad._set_fwd_grad_enabled(True):
        return below(operator, text, operands)


def nested_jvp(rule):
    """A rule jvp(ctx, primals, *tangents) as an autograd.Function wants it. PyTorch switches forward mode off
    around it, also that of transformations further out, which have to see it: it is on again, and the
    primals are without the tangents of this one."""

    def jvp(ctx, _, *tangents):
        with _forward_ad._set_fwd_grad_enabled(True):
            return rule(ctx, [_forward_ad.unpack_dual(one).primal for one in ctx.saved_tensors], *tangents)

    return staticmethod(jvp)


def plain(tensor):
    """The tensor as nothing but its memory."""
    return tensor.detach().resolve_conj().resolve_neg()


def _is_watched(operands):
    if _torch.is_grad_enabled() and any(operand.requires_grad for operand in operands):
        return True
    return any(_forward_ad.unpack_dual(operand).tangent is not None for operand in operands)


def check_operand(name, at, operand, dtypes):
    """Raises for what is no tensor on the CPU of one of `dtypes`."""
    if not isinstance(operand, _torch.Tensor):
        raise errors.DTypeMismatch(f"{name}: operand {at} is a {type(operand).__name__}, not a torch.Tensor")
    if operand.device.type not in ("cpu", "meta"):
        raise errors.UnsupportedDevice(f"{name}: operand {at} is on {operand.device} but must be on the CPU")
    if operand.layout != _torch.strided:
        raise errors.Unsupported(f"{name}: operand {at} has layout {operand.layout} but must be strided")
    _functions.check_operand(name, at, operand.dtype, dtypes)
