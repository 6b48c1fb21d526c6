"""What tenferro.torch and tenferro.jax share: strings of einsums that are written out,
and of their derivatives."""

from functools import lru_cache

from . import _core


@lru_cache(512)
def written_out(equation, ranks):
    """With implicit output and '...' as labels."""
    return _core._explicit(equation, list(ranks))


@lru_cache(512)
def checked(equation, shapes):
    """Written out, for operands of these shapes. Raises what tenferro.einsum does."""
    _core._checked_einsum(equation, shapes)
    return written_out(equation, tuple(map(len, shapes)))


@lru_cache(512)
def reversed_output(equation, ranks):
    """Written out, with the output reversed:
    what the engine makes of it in columns has its axes reversed in rows."""
    inputs, _, output = written_out(equation, ranks).partition("->")
    return f"{inputs}->{output[::-1]}"


def parts(equation):
    """(the labels of every operand, those of the result)."""
    terms, output = equation.split("->")
    return terms.split(","), output


def extents(terms, shapes):
    """The extent of every label; one of 1 stands for that of other operands."""
    known = {}
    for term, shape in zip(terms, shapes):
        for label, extent in zip(term, shape):
            if label not in known or known[label] == 1:
                known[label] = extent
    return known


def repeated_shapes(terms, shapes):
    """The shapes with extents of 1 repeated to those of the other operands; a shape that does not fit its
    labels, or has one twice, is left to the engine."""
    if not any(1 in shape for shape in shapes):
        return shapes
    known = extents(terms, shapes)
    return [shape if len(term) != len(shape) or len(set(term)) != len(term) else
            tuple(known[label] if extent == 1 else extent for label, extent in zip(term, shape))
            for term, shape in zip(terms, shapes)]


def pulled(terms, output, at, eye, ones):
    """The gradient of operand `at` as an einsum of the cotangent, the other operands and what eye(axis) and
    ones(axis) make for axes of the operand: (equation, the arrays made). A label that the others lack is
    repeated, a diagonal has zeros beside it."""
    inputs = [output, *(term for k, term in enumerate(terms) if k != at)]
    known, used, wanted, made = set().union(*inputs), set(), "", []
    spare = (chr(code) for code in range(0x4E00, 0x9000))
    for axis, label in enumerate(terms[at]):
        new = label
        if label in used:
            new = next(spare)
            inputs.append(label + new)
            made.append(eye(axis))
        elif label not in known:
            inputs.append(label)
            made.append(ones(axis))
        used.add(label)
        wanted += new
    return f"{','.join(inputs)}->{wanted}", made


def with_batch(terms, output, axes):
    """The einsum with one more label, at these axes of the operands (None: not there)
    and first in the result."""
    label = next(chr(code) for code in range(0x9000, 0xA000)
                 if not any(chr(code) in t for t in (*terms, output)))
    batched = [term if axis is None else term[:axis] + label + term[axis:] for term, axis in zip(terms, axes)]
    return f"{','.join(batched)}->{label}{output}"
