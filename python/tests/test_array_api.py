"""The array API standard 2024.12 as the namespace `tenferro`: every name of it is there or an exception with
its reason, has the standard's parameters, and gives what NumPy's namespace, which follows the standard too,
gives."""

import operator

import numpy as np
import pytest

import tenferro as tf
from conftest import close, drawn

KINDS = {"b": [np.bool_], "i": [np.int32, np.int64], "f": [np.float32, np.float64],
         "c": [np.complex64, np.complex128]}

# Of one operand: the kinds of dtypes, and what brings real drawn numbers where the function is defined.
small = lambda x: x / (1 + abs(x))
positive = lambda x: abs(x) + x.dtype.type(0.25)
nonzero = lambda x: abs(x) + x.dtype.type(1)
UNARY = {
    "abs": "ifc", "acos": ("fc", small), "acosh": ("fc", lambda x: positive(x) + 1), "asin": ("fc", small),
    "asinh": "fc", "atan": "fc", "atanh": ("fc", small), "bitwise_invert": "bi", "ceil": "if", "conj": "c",
    "cos": "fc", "cosh": "fc", "exp": "fc", "expm1": "fc", "floor": "if", "imag": "c", "isfinite": "ifc",
    "isinf": "ifc", "isnan": "ifc", "log": ("fc", positive), "log1p": ("fc", positive),
    "log2": ("fc", positive), "log10": ("fc", positive), "logical_not": "b", "negative": "ifc",
    "positive": "ifc", "real": "c", "reciprocal": "fc", "round": "if", "sign": "ifc", "signbit": "f",
    "sin": "fc", "sinh": "fc", "sqrt": ("fc", positive), "square": "ifc", "tan": "fc", "tanh": "fc",
    "trunc": "if"}
BINARY = {
    "add": "ifc", "atan2": "f", "bitwise_and": "bi", "bitwise_left_shift": ("i", abs), "bitwise_or": "bi",
    "bitwise_right_shift": ("i", abs), "bitwise_xor": "bi", "copysign": "f", "divide": "fc", "equal": "bifc",
    "floor_divide": ("if", nonzero), "greater": "if", "greater_equal": "if", "hypot": "f", "less": "if",
    "less_equal": "if", "logaddexp": "f", "logical_and": "b", "logical_or": "b", "logical_xor": "b",
    "maximum": "if", "minimum": "if", "multiply": "ifc", "nextafter": "f", "not_equal": "bifc",
    "pow": ("ifc", lambda x: abs(x)), "remainder": ("if", nonzero), "subtract": "ifc"}

# Of others: the shapes of the drawn operands, kinds of dtypes, and calls.
M, V, B = [(3, 4)], [(5,)], [(2, 3, 4)]
OTHER = {
    "clip": (B, "if", lambda xp, x: [xp.clip(x, -1, 1), xp.clip(x, max=0), xp.clip(x, min=0), xp.clip(x)]),
    # creation
    "arange": ([], "", lambda xp: [xp.arange(5), xp.arange(2, 11, 3), xp.arange(0.0, 1.0, 0.3),
                                   xp.arange(4, 0, -1), xp.arange(5, dtype=xp.float32), xp.arange(3, 3)]),
    "asarray": (M, "bifc", lambda xp, x: [xp.asarray(x), xp.asarray(x, copy=True),
                                          xp.asarray(x, dtype=xp.complex128), xp.asarray([[1, 2], [3, 4]]),
                                          xp.asarray(2.5, dtype=xp.float32)]),
    "empty": ([], "", lambda xp: [xp.zeros_like(xp.empty((2, 3))),
                                  xp.zeros_like(xp.empty(4, dtype=xp.int32))]),
    "empty_like": (M, "ifc", lambda xp, x: [xp.zeros_like(xp.empty_like(x)),
                                                   xp.zeros_like(xp.empty_like(x, dtype=xp.float32))]),
    "eye": ([], "", lambda xp: [xp.eye(3), xp.eye(2, 4, k=1), xp.eye(4, 2, k=-2, dtype=xp.int64),
                                xp.eye(3, k=7)]),
    "from_dlpack": (M, "bifc", lambda xp, x: [xp.from_dlpack(x), xp.from_dlpack(x, copy=True)]),
    "full": ([], "", lambda xp: [xp.full((2, 3), 4), xp.full(2, 1.5, dtype=xp.float32), xp.full((), 2j)]),
    "full_like": (M, "ifc", lambda xp, x: [xp.full_like(x, 3), xp.full_like(x, 2.5, dtype=xp.float64)]),
    "linspace": ([], "", lambda xp: [xp.linspace(0, 1, 5), xp.linspace(3, -2, 4, endpoint=False),
                                     xp.linspace(1, 2, 1), xp.linspace(0, 1j, 3),
                                     xp.linspace(0, 1, 3, dtype=xp.float32)]),
    "meshgrid": ([(3,), (4,), (2,)], "if", lambda xp, *x: [*xp.meshgrid(*x), *xp.meshgrid(*x, indexing="ij"),
                                                          *xp.meshgrid(x[0])]),
    "ones": ([], "", lambda xp: [xp.ones((2, 3)), xp.ones(2, dtype=xp.int32)]),
    "ones_like": (M, "ifc", lambda xp, x: [xp.ones_like(x), xp.ones_like(x, dtype=xp.int64)]),
    "tril": (B, "ifc", lambda xp, x: [xp.tril(x), xp.tril(x, k=1), xp.tril(x, k=-9)]),
    "triu": (B, "ifc", lambda xp, x: [xp.triu(x), xp.triu(x, k=-1), xp.triu(x, k=9)]),
    "zeros": ([], "", lambda xp: [xp.zeros((2, 0)), xp.zeros(3, dtype=xp.bool)]),
    "zeros_like": (M, "ifc", lambda xp, x: [xp.zeros_like(x), xp.zeros_like(x, dtype=xp.int64)]),
    # dtypes
    "astype": (M, "if", lambda xp, x: [xp.astype(x, xp.float64), xp.astype(x, xp.complex64),
                                       xp.astype(x, xp.bool), xp.astype(x, x.dtype, copy=False),
                                       xp.astype(x, xp.int32)]),
    "can_cast": ([], "", lambda xp: [xp.can_cast(xp.int32, xp.float64), xp.can_cast(xp.float64, xp.float32)]),
    "finfo": ([], "", lambda xp: [[getattr(xp.finfo(d), of)
                                   for of in ("bits", "eps", "max", "min", "smallest_normal")]
                                  for d in (xp.float32, xp.float64, xp.complex64, xp.complex128)]),
    "iinfo": ([], "", lambda xp: [[getattr(xp.iinfo(d), of) for of in ("bits", "max", "min")]
                                  for d in (xp.int32, xp.int64)]),
    "isdtype": ([], "", lambda xp: [[xp.isdtype(getattr(xp, d), kind) for kind in (
        "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating",
        "numeric", xp.float32, ("bool", xp.int64))]
                                    for d in ("bool", "int32", "int64", "float32", "complex128")]),
    "result_type": (M, "ifc", lambda xp, x: [xp.zeros(1, dtype=xp.result_type(x, xp.float32)),
                                             xp.zeros(1, dtype=xp.result_type(x, x, xp.complex64))]),
    # indexing, searching, sets, sorting
    "take": (B, "bifc", lambda xp, x: [xp.take(x, xp.asarray([1, 0, -1]), axis=1),
                                       xp.take(xp.reshape(x, (-1,)), xp.asarray([3, 5]))]),
    "take_along_axis": (B, "bifc", lambda xp, x: [
        xp.take_along_axis(x, xp.asarray([[[1, -1]]]), axis=2),
        xp.take_along_axis(x, xp.asarray([[[0], [2]]]), axis=1), xp.take_along_axis(x, xp.asarray([[[3]]]))]),
    "argmax": (B, "if", lambda xp, x: [xp.argmax(x), xp.argmax(x, axis=1),
                                       xp.argmax(x, axis=-1, keepdims=True)]),
    "argmin": (B, "if", lambda xp, x: [xp.argmin(x), xp.argmin(x, axis=0),
                                       xp.argmin(x, axis=2, keepdims=True)]),
    "count_nonzero": (B, "bifc", lambda xp, x: [xp.asarray(xp.count_nonzero(x)), xp.count_nonzero(x, axis=1),
                                                xp.count_nonzero(x, axis=(0, 2), keepdims=True)]),
    "nonzero": (B, "bifc", lambda xp, x: [*xp.nonzero(x), *xp.nonzero(x[0, 0])]),
    "searchsorted": ([(6,), (2, 3)], "if", lambda xp, x, y: [
        xp.searchsorted(xp.sort(x), y), xp.searchsorted(xp.sort(x), x, side="right"),
        xp.searchsorted(x, y, sorter=xp.argsort(x))]),
    "where": ([(3, 4), (4,)], "bifc", lambda xp, x, y: [xp.where(x != 0, x, y), xp.where(x == x, x, y[0])]),
    "unique_all": (M, "bifc", lambda xp, x: [*xp.unique_all(x)]),
    "unique_counts": (M, "bifc", lambda xp, x: [*xp.unique_counts(x)]),
    "unique_inverse": (M, "bifc", lambda xp, x: [*xp.unique_inverse(x)]),
    "unique_values": (M, "bif", lambda xp, x: [xp.sort(xp.unique_values(x) * 1)]),
    "argsort": (B, "if", lambda xp, x: [xp.argsort(x, stable=True), xp.argsort(x, axis=1, stable=True)]),
    "sort": (B, "if", lambda xp, x: [xp.sort(x), xp.sort(x, axis=0, stable=True)]),
    # manipulation
    "broadcast_arrays": ([(3, 1), (4,)], "bifc", lambda xp, *x: [*xp.broadcast_arrays(*x)]),
    "broadcast_to": (M, "bifc",
                     lambda xp, x: [xp.broadcast_to(x, (2, 3, 4)), xp.broadcast_to(x[:1], (3, 4))]),
    "concat": ([(3, 4), (2, 4)], "bifc", lambda xp, *x: [xp.concat(x), xp.concat([x[0], x[0]], axis=-1),
                                                        xp.concat(x, axis=None)]),
    "expand_dims": (M, "bifc", lambda xp, x: [xp.expand_dims(x, axis=0), xp.expand_dims(x, axis=-1)]),
    "flip": (B, "bifc", lambda xp, x: [xp.flip(x), xp.flip(x, axis=1), xp.flip(x, axis=(0, -1))]),
    "moveaxis": (B, "bifc", lambda xp, x: [xp.moveaxis(x, 0, -1), xp.moveaxis(x, (0, 2), (1, 0))]),
    "permute_dims": (B, "bifc", lambda xp, x: [xp.permute_dims(x, (2, 0, 1))]),
    "repeat": (B, "bifc", lambda xp, x: [xp.repeat(x, 2), xp.repeat(x, 3, axis=1),
                                         xp.repeat(x, xp.asarray([2, 0, 1]), axis=1)]),
    "reshape": (B, "bifc", lambda xp, x: [xp.reshape(x, (4, 6)), xp.reshape(x, (2, -1)),
                                          xp.reshape(x, (-1,), copy=True)]),
    "roll": (B, "bifc", lambda xp, x: [xp.roll(x, 5), xp.roll(x, -1, axis=1),
                                       xp.roll(x, (1, 2), axis=(0, 2))]),
    "squeeze": ([(1, 3, 1)], "bifc", lambda xp, x: [xp.squeeze(x, axis=0), xp.squeeze(x, axis=(0, 2))]),
    "stack": ([(3, 4), (3, 4)], "bifc",
              lambda xp, *x: [xp.stack(x), xp.stack(x, axis=-1), xp.stack(x, axis=1)]),
    "tile": (M, "bifc", lambda xp, x: [xp.tile(x, (2, 3)), xp.tile(x, (2,)), xp.tile(x, (2, 1, 1))]),
    "unstack": (B, "bifc", lambda xp, x: [*xp.unstack(x), *xp.unstack(x, axis=-1)]),
    # statistics and the like
    "all": (B, "bifc", lambda xp, x: [xp.all(x), xp.all(x, axis=1), xp.all(x, axis=(0, 2), keepdims=True)]),
    "any": (B, "bifc", lambda xp, x: [xp.any(x), xp.any(x, axis=1), xp.any(x, axis=(0, 2), keepdims=True)]),
    "diff": (B, "ifc", lambda xp, x: [xp.diff(x), xp.diff(x, axis=1, n=2),
                                      xp.diff(x, axis=0, prepend=x[:1], append=x)]),
    "cumulative_sum": (B, "ifc", lambda xp, x: [
        xp.cumulative_sum(x, axis=1), xp.cumulative_sum(x, axis=-1, include_initial=True),
        xp.cumulative_sum(x[0, 0]), xp.cumulative_sum(x, axis=0, dtype=xp.complex128)]),
    "cumulative_prod": (B, "ifc", lambda xp, x: [
        xp.cumulative_prod(x, axis=1), xp.cumulative_prod(x, axis=-1, include_initial=True),
        xp.cumulative_prod(x[0, 0]), xp.cumulative_prod(x, axis=0, dtype=xp.complex128)]),
    "max": (B, "if", lambda xp, x: [xp.max(x), xp.max(x, axis=1), xp.max(x, axis=(0, 2), keepdims=True)]),
    "mean": (B, "fc", lambda xp, x: [xp.mean(x), xp.mean(x, axis=1), xp.mean(x, axis=(0, 2), keepdims=True)]),
    "min": (B, "if", lambda xp, x: [xp.min(x), xp.min(x, axis=1), xp.min(x, axis=(0, 2), keepdims=True)]),
    "prod": (B, "ifc", lambda xp, x: [xp.prod(x[0, 0]), xp.prod(x, axis=1, keepdims=True),
                                      xp.prod(x, axis=0, dtype=xp.complex128)]),
    "std": (B, "f", lambda xp, x: [xp.std(x), xp.std(x, axis=1, correction=1),
                                   xp.std(x, axis=(0, 2), keepdims=True)]),
    "sum": (B, "ifc", lambda xp, x: [xp.sum(x), xp.sum(x, axis=1), xp.sum(x, axis=(0, 2), keepdims=True),
                                     xp.sum(x, dtype=xp.complex128)]),
    "var": (B, "f", lambda xp, x: [xp.var(x), xp.var(x, axis=1, correction=1),
                                   xp.var(x, axis=(0, 2), keepdims=True)]),
    # products
    "matmul": ([(2, 3, 4), (4, 3)], "ifc", lambda xp, x, y: [xp.matmul(x, y), xp.matmul(x[0, 0], y)]),
    "matrix_transpose": (B, "bifc", lambda xp, x: [xp.matrix_transpose(x)]),
    "tensordot": ([(2, 3, 4), (3, 4, 2)], "ifc", lambda xp, x, y: [
        xp.tensordot(x, y), xp.tensordot(x, y, axes=0), xp.tensordot(x, y, axes=((0, 1), (2, 0)))]),
    "vecdot": ([(2, 3, 4), (3, 4)], "ifc", lambda xp, x, y: [xp.vecdot(x, y), xp.vecdot(x[0], y, axis=-1)]),
}

square = lambda xp, x: xp.matmul(x, xp.conj(xp.matrix_transpose(x)))
definite = lambda xp, x: square(xp, x) + np.eye(x.shape[-2], dtype=str(x.dtype))
LINALG = {
    "cholesky": (B, "fc", lambda xp, x: [xp.linalg.cholesky(definite(xp, x)),
                                         xp.linalg.cholesky(definite(xp, x), upper=True)]),
    "cross": ([(4, 3), (4, 3)], "ifc",
              lambda xp, x, y: [xp.linalg.cross(x, y), xp.linalg.cross(x[:3], y[:3], axis=0)]),
    "det": (B, "fc", lambda xp, x: [xp.linalg.det(definite(xp, x))]),
    "diagonal": (B, "bifc", lambda xp, x: [xp.linalg.diagonal(x), xp.linalg.diagonal(x, offset=-1)]),
    "eigh": (B, "fc", lambda xp, x: [xp.linalg.eigh(definite(xp, x)).eigenvalues, abs(
        xp.linalg.eigh(definite(xp, x)).eigenvectors)]),
    "eigvalsh": (B, "fc", lambda xp, x: [xp.linalg.eigvalsh(definite(xp, x))]),
    "inv": (B, "fc", lambda xp, x: [xp.linalg.inv(definite(xp, x))]),
    "matmul": ([(3, 4), (4, 2)], "ifc", lambda xp, x, y: [xp.linalg.matmul(x, y)]),
    "matrix_norm": (B, "fc", lambda xp, x: [xp.linalg.matrix_norm(x), *(
        xp.linalg.matrix_norm(x, ord=n, keepdims=True)
        for n in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf))]),
    "matrix_power": (B, "fc",
                     lambda xp, x: [xp.linalg.matrix_power(definite(xp, x), n) for n in (0, 1, 3, -2)]),
    "matrix_rank": (B, "fc", lambda xp, x: [xp.asarray(xp.linalg.matrix_rank(x)),
                                            xp.asarray(xp.linalg.matrix_rank(definite(xp, x), rtol=0.9))]),
    "matrix_transpose": (B, "bifc", lambda xp, x: [xp.linalg.matrix_transpose(x)]),
    "outer": ([(3,), (4,)], "ifc", lambda xp, x, y: [xp.linalg.outer(x, y)]),
    "pinv": (B, "fc", lambda xp, x: [xp.linalg.pinv(x), xp.linalg.pinv(x, rtol=0.5),
                                     xp.linalg.pinv(x, rtol=xp.asarray([0.5, 0.1], dtype=xp.real(x).dtype))]),
    "qr": (B, "fc", lambda xp, x: [abs(xp.linalg.qr(x).R), abs(xp.linalg.qr(x, mode="complete").Q)[..., :3]]),
    "slogdet": (B, "fc", lambda xp, x: [xp.linalg.slogdet(definite(xp, x)).sign,
                                        xp.linalg.slogdet(definite(xp, x)).logabsdet]),
    "solve": ([(2, 3, 4), (3,)], "fc", lambda xp, x, y: [xp.linalg.solve(definite(xp, x)[0], y),
                                                         xp.linalg.solve(definite(xp, x), x)]),
    "svd": (B, "fc", lambda xp, x: [xp.linalg.svd(x).S, abs(xp.linalg.svd(x, full_matrices=False).U)]),
    "svdvals": (B, "fc", lambda xp, x: [xp.linalg.svdvals(x)]),
    "tensordot": ([(3, 4), (4, 2)], "ifc", lambda xp, x, y: [xp.linalg.tensordot(x, y, axes=1)]),
    "trace": (B, "ifc", lambda xp, x: [xp.linalg.trace(x),
                                       xp.linalg.trace(x, offset=1, dtype=xp.complex128)]),
    "vecdot": ([(3, 4), (3, 4)], "ifc", lambda xp, x, y: [xp.linalg.vecdot(x, y)]),
    "vector_norm": (B, "fc", lambda xp, x: [
        xp.linalg.vector_norm(x), xp.linalg.vector_norm(x, axis=(0, 2), keepdims=True),
        *(xp.linalg.vector_norm(x, axis=1, ord=n) for n in (1, 3, np.inf, -np.inf, 0))]),
}

CONSTANTS = ["e", "inf", "nan", "newaxis", "pi"]
DTYPES = ["bool", "int32", "int64", "float32", "float64", "complex64", "complex128"]
ATTRIBUTES = """dtype device mT ndim shape size T __abs__ __add__ __and__ __array_namespace__ __bool__
    __complex__ __dlpack__ __dlpack_device__ __eq__ __float__ __floordiv__ __ge__ __getitem__ __gt__ __index__
    __int__ __invert__ __le__ __lshift__ __lt__ __matmul__ __mod__ __mul__ __ne__ __neg__ __or__ __pos__
    __pow__ __rshift__ __sub__ __truediv__ __xor__ __radd__ __rsub__ __rmul__ __rtruediv__ __rfloordiv__
    __rpow__ __rmod__ __rmatmul__ __rand__ __ror__ __rxor__ __rlshift__ __rrshift__ to_device""".split()
# What is not there, and why.
EXCEPTIONS = {
    **dict.fromkeys(["int8", "int16", "uint8", "uint16", "uint32", "uint64"], "the engine has seven dtypes"),
    "__setitem__": "tensors never change; x += y makes a new one",
    "fft": "an optional extension",
}
# What makes Tensors of all arrays, and rows that make them.
CREATION = {"asarray", "from_dlpack", "empty_like", "full_like", "ones_like", "zeros_like", "result_type",
            "take_along_axis", "count_nonzero", "linalg.matrix_rank"}
# Functions whose shape the values of the operand decide need elements; the rest may be traced.
NOT_TRACED = {"nonzero", "unique_all", "unique_counts", "unique_inverse", "unique_values", "from_dlpack"}


def rows():
    for name, row in {**UNARY, **BINARY}.items():
        kinds, domain = row if isinstance(row, tuple) else (row, lambda x: x)
        shapes = [(2, 3, 4)] if name in UNARY else [(2, 1, 4), (3, 4)]
        f = lambda xp, *x, name=name: [getattr(xp, name)(*x)]
        yield name, shapes, kinds, f, domain if name in UNARY else lambda x, domain=domain: domain(x)
    for prefix, table in (("", OTHER), ("linalg.", LINALG)):
        for name, (shapes, kinds, f) in table.items():
            yield prefix + name, shapes, kinds, f, lambda x: x


CASES = [(name, dtype, shapes, f, domain) for name, shapes, kinds, f, domain in rows()
         for dtype in [d for kind in kinds for d in KINDS[kind]] or [None]]


def operands_for(rng, name, dtype, shapes, domain):
    arrays = [drawn(rng, shape, dtype) for shape in shapes]
    if name in BINARY:  # the second operand is the one with a domain
        return [arrays[0], domain(arrays[1])] if name != "pow" else [domain(arrays[0]), domain(arrays[1])]
    return [domain(array) for array in arrays]


def agree(actual, expected):
    assert len(actual) == len(expected)
    for one, other in zip(actual, expected):
        if isinstance(other, (list, bool, np.bool_)):
            assert np.asarray(one).tolist() == np.asarray(other).tolist()
        else:
            close(one, np.asarray(other), 400)


@pytest.mark.parametrize("name, dtype, shapes, f, domain", CASES,
                         ids=[f"{name}-{np.dtype(dtype).name if dtype else ''}" for name, dtype, *_ in CASES])
def test_as_numpy(name, dtype, shapes, f, domain, rng):
    arrays = operands_for(rng, name, dtype, shapes, domain)
    expected = f(np, *arrays)
    agree(f(tf, *map(tf.asarray, arrays)), expected)
    if arrays and name not in CREATION:
        given = f(tf, *arrays)
        agree(given, expected)
        assert not any(isinstance(one, tf.Tensor) for one in given)


@pytest.mark.parametrize("name, dtype, shapes, f, domain", [
    case for case in CASES
    if case[2] and case[1] in (np.float64, np.int64, np.bool_) and case[0] not in NOT_TRACED],
    ids=lambda x: x if isinstance(x, str) else "")
def test_traced(name, dtype, shapes, f, domain, rng):
    arrays = operands_for(rng, name, dtype, shapes, domain)
    program = tf.compile(lambda *x: f(tf, *x))
    agree(program(*arrays), [np.asarray(one) for one in f(tf, *map(tf.asarray, arrays))])


def test_every_name_is_there():
    functions = [*UNARY, *BINARY, *OTHER]
    wanted = {*functions, *CONSTANTS, *DTYPES, "__array_api_version__", "__array_namespace_info__"}
    assert not [name for name in wanted if not hasattr(tf, name)]
    assert not [name for name in LINALG if not hasattr(tf.linalg, name)]
    assert not [name for name in ATTRIBUTES if not hasattr(tf.Tensor, name)]
    for name in EXCEPTIONS:
        assert not hasattr(tf, name) and not hasattr(tf.Tensor, name)
    assert (len(functions), len(LINALG), len(ATTRIBUTES)) == (133, 23, 53)


def parameters(nanobind_function):
    """The names of the parameters of a compiled function."""
    text = nanobind_function.__doc__.split("\n")[0]
    inside = text[text.index("(") + 1:text.rindex(") ->")]
    return [part.split(":")[0].strip() for part in inside.replace(", ", ",").split(",") if ":" in part]


def test_parameters_are_the_standards():
    """Those that are given by their names."""
    strict = pytest.importorskip("array_api_strict", reason="array_api_strict is not installed")
    import inspect

    for ours, theirs, names in ((tf, strict, [*UNARY, *BINARY, *OTHER]), (tf.linalg, strict.linalg, LINALG)):
        for name in names:
            wanted = [p.name for p in inspect.signature(getattr(theirs, name)).parameters.values()
                      if p.kind is p.KEYWORD_ONLY]
            f = getattr(ours, name)
            has = parameters(f) if type(f).__name__ == "nb_func" else list(inspect.signature(f).parameters)
            assert set(wanted) <= set(has), (name, wanted, has)


def test_names_are_the_standards():
    strict = pytest.importorskip("array_api_strict", reason="array_api_strict is not installed")
    later = {"isin", "broadcast_shapes"}  # of the standard after
    flags = {name for name in strict.__all__ if "flags" in name.lower()} | {"Device", "ALL_DEVICES"}
    known = {*UNARY, *BINARY, *OTHER, *CONSTANTS, *DTYPES, *EXCEPTIONS, "linalg", "__array_api_version__",
             "__version__", "__array_namespace_info__"}
    assert set(strict.__all__) - flags - later <= known
    assert set(strict.linalg.__all__) <= set(LINALG)


def test_what_the_namespace_says_of_itself():
    info = tf.__array_namespace_info__()
    assert info.default_device() == "cpu" and info.devices() == ["cpu"]
    assert set(info.capabilities()) == {"boolean indexing", "data-dependent shapes", "max dimensions"}
    assert info.default_dtypes() == {"real floating": tf.float64, "complex floating": tf.complex128,
                                     "integral": tf.int64, "indexing": tf.int64}
    assert info.dtypes() == {name: getattr(tf, name) for name in DTYPES}
    assert info.dtypes(kind=("bool", "real floating")) == {
        "bool": tf.bool, "float32": tf.float32, "float64": tf.float64}
    assert info.dtypes(kind="unsigned integer") == {}
    x = tf.asarray(1.0)
    assert x.__array_namespace__(api_version="2024.12") is tf
    with pytest.raises(ValueError, match="2099.12"):
        x.__array_namespace__(api_version="2099.12")
    for f in (tf.zeros, tf.ones, tf.empty):
        assert f(2, device="cpu").device == "cpu"
        with pytest.raises(ValueError, match="device is 'gpu'"):
            f(2, device="gpu")


@pytest.mark.parametrize("name", ["iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "imatmul"])
def test_in_place_operators_make_new_tensors(name, rng):
    a, b = drawn(rng, (3, 3)) ** 2 + 1, drawn(rng, (3, 3)) ** 2 + 1
    t = before = tf.asarray(a)
    t = getattr(operator, name)(t, tf.asarray(b))
    close(t, getattr(operator, name)(a.copy(), b) if name != "imatmul" else a @ b, 30)
    np.testing.assert_array_equal(np.asarray(before), a)


@pytest.mark.parametrize("name", ["iand", "ior", "ixor", "ilshift", "irshift"])
def test_in_place_operators_on_bits(name, rng):
    a, b = drawn(rng, (3, 3), np.int64), abs(drawn(rng, (3, 3), np.int64))
    close(getattr(operator, name)(tf.asarray(a), tf.asarray(b)), getattr(operator, name)(a.copy(), b))


def test_signs_and_special_numbers():
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1.5, -2.5, 0.5, 3.5])
    for name in ("signbit", "round", "floor", "ceil", "trunc", "abs"):
        result = np.asarray(getattr(tf, name)(x))
        np.testing.assert_array_equal(result, getattr(np, name)(x))
        assert np.signbit(result[:4]).tolist() == np.signbit(getattr(np, name)(x)[:4]).tolist(), name
    np.testing.assert_array_equal(np.signbit(tf.copysign(np.ones(10), x)), np.signbit(x))
    np.testing.assert_array_equal(tf.nextafter(x, np.zeros(10)), np.nextafter(x, 0))
    np.testing.assert_array_equal(tf.log10(np.array([1000.0, 1e-3])), [3.0, -3.0])
    np.testing.assert_array_equal(tf.sort(x)[:7], np.sort(x)[:7])
    np.testing.assert_array_equal(tf.argsort(x), np.argsort(x, stable=True))
    close(tf.argsort(np.array([2, 1, 2, 1]), descending=True), np.array([0, 2, 1, 3]))
    assert tf.unique_counts(x).counts.tolist() == [1, 1, 2, 1, 1, 1, 1, 1, 1]  # one zero, two NaNs
    assert (tf.asarray([1, -8]) >> 70).tolist() == [0, -1] and (tf.asarray([1]) << 64).tolist() == [0]


def test_derivatives_of_the_new_ones(rng):
    x = abs(drawn(rng, (5,))) + 0.5
    close(tf.grad(lambda a: tf.sum(tf.log2(a)))(x), 1 / (x * np.log(2)), 8)
    close(tf.grad(lambda a: tf.sum(tf.log10(a)))(x), 1 / (x * np.log(10)), 8)
    close(tf.grad(lambda a: tf.sum(tf.round(a) * a))(x), np.round(x), 8)
    close(tf.grad(lambda a: tf.cumulative_prod(a)[-1])(x), np.prod(x) / x, 30)
    close(tf.grad(lambda a: tf.sum(tf.take_along_axis(a, tf.asarray([1, 1, 3]))))(x),
          np.array([0, 2.0, 0, 1, 0]))
    close(tf.grad(lambda a: tf.sum(tf.tile(a, (3,)) * 2.0 + tf.repeat(a, 3)))(x), np.full(5, 9.0), 8)
    close(tf.grad(lambda a: tf.sum(tf.copysign(a, tf.asarray([-1.0, 1, -1, 1, 1]))))(x),
          np.array([-1.0, 1, -1, 1, 1]))
    with pytest.raises(tf.errors.AdRuleUnsupported, match="nextafter"):
        tf.grad(lambda a: tf.sum(tf.nextafter(a, a * 2.0)))(x)


WRONG = [
    (lambda: tf.bitwise_and(tf.ones(2), tf.ones(2)), TypeError, "bitwise_and: is not defined for f64"),
    (lambda: tf.repeat(tf.ones(3), tf.asarray([1, 2])), ValueError, "repeats has shape"),
    (lambda: tf.repeat(tf.ones(3), -1), ValueError, "negative"),
    (lambda: tf.roll(tf.ones(3), 1, axis=2), IndexError, "roll: axis is 2"),
    (lambda: tf.take_along_axis(tf.ones(3), tf.asarray([3])), IndexError,
     "out of range for axis 0 of extent 3"),
    (lambda: tf.take_along_axis(tf.ones(3), tf.asarray([[0]])), ValueError,
     "x has rank 1 but indices have 2"),
    (lambda: tf.broadcast_shapes((2, 3), (4,)), ValueError, "axis 1 has extents 3 and 4"),
    (lambda: tf.cumulative_sum(tf.ones((2, 2))), ValueError, "cumulative_sum: axis is needed"),
    (lambda: tf.cumulative_prod(tf.ones((2, 2))), ValueError, "cumulative_prod: axis is needed"),
    (lambda: tf.diff(tf.ones(2), n=-1), ValueError, "diff: n is -1"),
    (lambda: tf.searchsorted(tf.ones((2, 2)), tf.ones(2)), ValueError, "rank 2 but must have 1"),
    (lambda: tf.searchsorted(tf.ones(2), tf.ones(2), side="up"), ValueError, "side is 'up'"),
    (lambda: tf.argsort(tf.ones(2, dtype="complex64")), TypeError, "argsort: c32 has no order"),
    (lambda: tf.nonzero(tf.asarray(1.0)), ValueError, "nonzero: the operand has rank 0"),
    (lambda: tf.meshgrid(tf.ones(2), indexing="yx"), ValueError, "indexing is 'yx'"),
    (lambda: tf.finfo(tf.int32), TypeError, "finfo: dtype is int32"),
    (lambda: tf.iinfo(tf.float32), TypeError, "iinfo: dtype is float32"),
    (lambda: tf.isdtype(tf.int32, "whole"), ValueError, "kind is 'whole'"),
    (lambda: tf.ones((2, 2, 2)).T, ValueError, "T: the tensor has rank 3 but must have 2"),
    (lambda: tf.ones(2).mT, ValueError, "mT: the tensor has rank 1 but must have at least 2"),
    (lambda: tf.linalg.cross(tf.ones(2), tf.ones(2)), ValueError, "extents 2 and 2 but must have 3"),
    (lambda: tf.grad(lambda a: tf.sum(tf.unique_values(a)))(np.ones(2)), ValueError, "traced"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_message(number):
    call, kind, words = WRONG[number]
    with pytest.raises(kind, match=words) as caught:
        call()
    assert isinstance(caught.value, tf.errors.Error)
