"""einsum for PyTorch: a torch.library operator whose derivatives are contractions of ours, of any order; it
passes torch.compile(fullgraph=True). Tensors on the CPU are read where they are, with any strides."""

import torch as _torch

from . import _core


def _result_dtype(operands):
    dtype = operands[0].dtype
    for operand in operands:
        dtype = _torch.promote_types(dtype, operand.dtype)
    return dtype


def _plain(tensor):
    return tensor.detach().resolve_conj().resolve_neg()


@_torch.library.custom_op("tenferro::einsum", mutates_args=())
def _einsum(equation: str, operands: list[_torch.Tensor]) -> _torch.Tensor:
    return _core.einsum(equation, *(_plain(operand) for operand in operands), order="C")


@_einsum.register_fake
def _(equation, operands):
    extents = {}
    terms, output = equation.split("->")
    for term, operand in zip(terms.split(","), operands):
        for label, extent in zip(term, operand.shape):
            extents[label] = extent
    return operands[0].new_empty([extents[label] for label in output], dtype=_result_dtype(operands))


def _keep(ctx, inputs, output):
    ctx.equation, operands = inputs
    ctx.save_for_backward(*operands)


def _backward(ctx, cotangent):
    """Of each operand the einsum of the cotangent and the conjugates of the others; labels that the others lack
    are repeated, and a diagonal is embedded by its own contraction with an identity."""
    operands = ctx.saved_tensors
    terms, output = ctx.equation.split("->")
    terms = terms.split(",")
    gradients = []
    for at, (term, operand) in enumerate(zip(terms, operands)):
        if not ctx.needs_input_grad[1][at]:
            gradients.append(None)
            continue
        others = [(t, o.conj() if o.is_complex() else o) for k, (t, o) in enumerate(zip(terms, operands)) if k != at]
        parts = [(output, cotangent), *others]
        known = set(output).union(*(t for t, _ in others))
        labels, wanted = set(), ""
        spare = iter(chr(code) for code in range(0x4E00, 0x9000))
        for axis, label in enumerate(term):
            new = label
            if label in labels:  # a diagonal: the element is 0 beside it
                new = next(spare)
                parts.append((label + new, _torch.eye(operand.shape[axis], dtype=cotangent.dtype)))
            elif label not in known:  # summed alone: the gradient is the same along it
                parts.append((label, _torch.ones(operand.shape[axis], dtype=cotangent.dtype)))
            labels.add(label)
            wanted += new
        text = ",".join(t for t, _ in parts) + "->" + wanted
        gradient = _einsum(text, [part for _, part in parts])
        if not operand.is_complex() and gradient.is_complex():
            gradient = gradient.real
        gradients.append(gradient.to(operand.dtype))
    return None, gradients


_einsum.register_autograd(_backward, setup_context=_keep)


@_torch.library.register_vmap("tenferro::einsum")
def _vmap(info, in_dims, equation, operands):
    terms, output = equation.split("->")
    batch = chr(0x9000)
    while batch in equation:
        batch = chr(ord(batch) + 1)
    moved, labels = [], []
    for term, operand, dim in zip(terms.split(","), operands, in_dims[1]):
        moved.append(operand if dim is None else operand.movedim(dim, 0))
        labels.append(term if dim is None else batch + term)
    return _einsum(",".join(labels) + "->" + batch + output, moved), 0


def _is_plain(operands):
    """Whether these are ordinary tensors and nothing watches what happens to them."""
    if _torch.compiler.is_compiling() or _torch._C._functorch.peek_interpreter_stack() is not None:
        return False
    if _torch._C._len_torch_dispatch_stack():
        return False
    return all(type(operand) is _torch.Tensor and not operand.requires_grad and not operand.is_conj()
               and not operand.is_neg() for operand in operands)


def _repeated(equation, operands):
    """Operands whose extents of 1 stand for those of others, repeated to these."""
    terms = equation.split("->")[0].split(",")
    extents = {}
    for term, operand in zip(terms, operands):
        for label, extent in zip(term, operand.shape):
            if extents.get(label, 1) == 1:
                extents[label] = extent
    return [operand if len(term) != operand.dim() or len(set(term)) != len(term) else
            operand.expand([extents[label] if extent == 1 else extent for label, extent in zip(term, operand.shape)])
            for term, operand in zip(terms, operands)]


def einsum(equation, *operands):
    """torch.einsum by tenferro, on CPU tensors. Implicit output and '...' are accepted. Raises ValueError and TypeError as tenferro.einsum does."""
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    if "->" not in equation or "." in equation or " " in equation:
        equation = _core._explicit(equation, [operand.dim() for operand in operands])
    if _is_plain(operands):
        return _core.einsum(equation, *operands, order="C")
    return _einsum(equation, _repeated(equation, operands))
