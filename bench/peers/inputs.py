"""The operands: the rule of bench/worker/inputs.hpp in NumPy."""

import math

import numpy as np

from protocol import DTYPES

CHUNK = 1 << 20
COMPLEX = {"c32": "f32", "c64": "f64"}


def elements(count, dtype, number=0, scale=1.0, signed=True):
    """Elements 0 … count-1 of operand `number`; a complex number is two elements of the rule."""
    if dtype in COMPLEX:
        return elements(2 * count, COMPLEX[dtype], number, scale, signed).view(DTYPES[dtype])
    result = np.empty(count, DTYPES[dtype])
    for begin in range(0, count, CHUNK):
        i = np.arange(begin + 1, min(begin + CHUNK, count) + 1, dtype=np.uint64)
        z = np.uint64((number + 1) << 32) + i * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
        value = scale * (0.5 + (z >> np.uint64(11)).astype(np.float64) * 2.0**-53)
        negated = (z & np.uint64(1)).astype(bool)
        result[begin : begin + len(i)] = np.where(negated, -value, value) if signed else value
    return result


def einsum_operands(row):
    """Row-major arrays of the row's row-major shapes."""
    return [elements(math.prod(shape), row["dtype"], number, scale).reshape(shape)
            for number, (shape, scale) in enumerate(zip(row["row_major"]["shapes"], row["scales"]))]


def elementwise_operands(row):
    return [elements(row["count"], row["dtype"], number, row["scale"], signed=False) for number in range(2)]


def pair_operands(row):
    """Compact row-major arrays."""
    return [elements(math.prod(shape), row["dtype"], number, signed=False).reshape(shape)
            for number, shape in enumerate(row["row_major"]["shapes"])]


def pair_views(row, operands):
    """The operands, of NumPy, PyTorch or JAX, with the result's axes, of extent 1 where they have none."""
    labels, result = row["row_major"]["subscripts"].split("->")
    for array, own in zip(operands, labels.split(",")):
        order = [own.index(label) for label in result if label in own]
        turned = array.permute(order) if hasattr(array, "permute") else array.transpose(order)
        yield turned[tuple(slice(None) if label in own else None for label in result)]


def graph_operands(row):
    """As row-major arrays of the reversed axes: the transposes of the row's matrices."""
    return [elements(math.prod(row["shape"]), row["dtype"], number, signed=False).reshape(row["shape"][::-1])
            for number in range(2)]


def arithmetic(a, b, pairs):
    z = a
    for _ in range(pairs):
        z = z * b + a
    return z


ARITHMETIC_PAIRS = {"2 cheap operations": 1, "8 cheap operations": 4, "10 cheap operations": 5}


def reduction_operand(row):
    """The row's column-major tensor as the row-major array of the reversed axes, and the axes in it."""
    shape = row["shape"][::-1]
    axes = tuple(len(shape) - 1 - axis for axis in row["axes"])
    return elements(math.prod(shape), row["dtype"], signed=False).reshape(shape), axes


def axis_operand(row):
    """The same for one axis."""
    shape = row["shape"][::-1]
    return elements(math.prod(shape), row["dtype"]).reshape(shape), len(shape) - 1 - row["axis"]


def permutation_operand(row):
    """(array, perm): the source as a compact row-major array, and the permutation whose row-major result
    is the row's column-major one. The source's strides must be compact in some order of its axes."""
    shape, strides = row["shape"], row["strides"]
    memory_order = sorted(range(len(shape)), key=lambda axis: -strides[axis])  # slowest first
    array = elements(math.prod(shape), row["dtype"]).reshape([shape[axis] for axis in memory_order])
    return array, [memory_order.index(axis) for axis in reversed(row["perm"])]


def path_of(row):
    """What opt_einsum takes for the path: the row's own, or the one that the referee found for all peers."""
    return [tuple(step) for step in row["path"] or row["peer_path"]]


def binary_shortcut(row):
    """The operation that a user would write instead of an einsum, or None."""
    return {"ij,jk->ik": "matmul", "bij,bjk->bik": "matmul", "ij,ij->ij": "multiply", "i,j->ij": "outer",
            "tkj,to->tokj": "batched outer", "ba,rb->ra": "matmul of states",
            "ba,rbl->ral": "matmul of states"}.get(row["row_major"]["subscripts"])


def matrices(shape, dtype, number):
    """The row's column-major matrices [M, N, B], or [M, N], as row-major ones [B, M, N]."""
    columns = elements(math.prod(shape), dtype, number).reshape(shape[::-1])
    return np.ascontiguousarray(columns.swapaxes(-1, -2))


def linalg_operand(row, number):
    """Operand 0 is A, 1 the right-hand side, 2 and 3 are their tangents, as in bench/worker/linalg.cpp."""
    m, _, *batch = row["shape"]
    if number % 2 == 1:
        return matrices([m, 1, *batch], row["dtype"], number)
    x = matrices(row["shape"], row["dtype"], number)
    if row["function"] not in ("cholesky", "eigh"):
        return x
    x = (x + x.conj().swapaxes(-1, -2)) / 2
    if row["function"] == "cholesky" and number == 0:
        x = x / m + 3 * np.eye(m, dtype=x.dtype)
    return x


def linalg_weights(row, shapes):
    """One for each output of those shapes, [B, M, N] or, for values, [B, N]."""
    real, batch = COMPLEX.get(row["dtype"], row["dtype"]), len(row["shape"]) - 2
    return [matrices([*shape[batch:], *shape[:batch]], real, 4 + i) if len(shape) == batch + 2
            else elements(math.prod(shape), real, 4 + i).reshape(shape) for i, shape in enumerate(shapes)]
