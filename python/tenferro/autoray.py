"""What autoray, and with it quimb and cotengra, calls on a tenferro.Tensor beyond the functions of this
package: NumPy's names and argument orders, and autoray's own conventions. Registered when autoray is
imported."""

from itertools import accumulate as _accumulate

import autoray as _autoray
import numpy as _np

import tenferro as _tf

_AXIS_SECOND = (
    "all any argmax argmin argsort concatenate count_nonzero expand_dims flip max mean min prod sort stack "
    "std sum var"
).split()
_OTHER_NAMES = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "array": "asarray",
    "asfortranarray": "asarray",
    "ascontiguousarray": "asarray",
    "conjugate": "conj",
    "power": "pow",
    "true_divide": "divide",
}
_AXIS_THIRD = ["repeat", "roll", "take"]
_BY_NUMPY = ["argwhere", "unique"]


def _with_axis(name):
    function = getattr(_tf, name)

    def call(x, axis=None, **options):
        return function(x, **options) if axis is None else function(x, axis=axis, **options)

    return call


def _with_axis_third(name):
    function = getattr(_tf, name)

    def call(x, how, axis=None):
        return function(x, how) if axis is None else function(x, how, axis=axis)

    return call


def _tensors(values):
    return tuple(map(_tf.asarray, values)) if isinstance(values, (tuple, list)) else _tf.asarray(values)


def _by_numpy(name):
    """A function that this package lacks and that has no derivative: NumPy's, on the same memory."""
    function = getattr(_np, name)

    def call(x, *args, **options):
        return _tensors(function(_np.asarray(x), *args, **options))

    return call


def _svd(x, full_matrices=False, **options):
    return _tf.linalg.svd(x, full_matrices=full_matrices)


def _norm(x, ord=None, axis=None, keepdims=False):
    """numpy.linalg.norm: of vectors along one axis, of matrices in two, else of all elements."""
    if ord is None and axis is None:
        return _tf.linalg.vector_norm(x, keepdims=keepdims)
    axes = tuple(range(x.ndim)) if axis is None else (axis,) if _np.ndim(axis) == 0 else tuple(axis)
    if len(axes) == 1:
        return _tf.linalg.vector_norm(x, axis=axes[0], keepdims=keepdims, ord=2 if ord is None else ord)
    if len(axes) != 2:
        raise ValueError(f"linalg.norm: a norm is one of vectors or of matrices, not of {len(axes)} axes")
    last = (-2, -1)
    ord = {None: "fro", "f": "fro"}.get(ord, ord)
    norm = _tf.linalg.matrix_norm(_tf.moveaxis(x, axes, last), keepdims=keepdims, ord=ord)
    return _tf.moveaxis(norm, last, axes) if keepdims else norm


def _diag(x, k=0):
    if x.ndim != 1:
        return _tf.diagonal(x, k)
    placed = _pad(x, (max(k, 0), max(-k, 0)))
    size = placed.shape[0]
    chosen = _tf.asarray(_np.eye(size, k=k, dtype=bool))
    return _tf.where(chosen, _tf.reshape(placed, (1, size)), _tf.zeros((), dtype=x.dtype))


def _trace(x, offset=0, axis1=0, axis2=1):
    return _tf.sum(_tf.diagonal(x, offset, axis1, axis2), axis=-1)


def _ravel(x):
    return _tf.reshape(x, (-1,))


def _dot(x, y):
    return x * y if 0 in (x.ndim, y.ndim) else _tf.tensordot(x, y, axes=([x.ndim - 1], [max(y.ndim - 2, 0)]))


def _kron(x, y):
    rank = max(x.ndim, y.ndim)
    rows, columns = ((1,) * (rank - a.ndim) + tuple(a.shape) for a in (x, y))
    left = _tf.reshape(x, sum(((m, 1) for m in rows), ()))
    right = _tf.reshape(y, sum(((1, n) for n in columns), ()))
    return _tf.reshape(left * right, tuple(m * n for m, n in zip(rows, columns)))


def _pad(x, widths, mode="constant", constant_values=0):
    if mode != "constant":
        return _tf.asarray(_np.pad(_np.asarray(x), widths, mode))
    widths = _np.broadcast_to(_np.asarray(widths, dtype=int), (x.ndim, 2)).tolist()
    for axis, pair in enumerate(widths):
        sides = [
            _tf.full((*x.shape[:axis], width, *x.shape[axis + 1 :]), constant_values, dtype=x.dtype)
            for width in pair
        ]
        x = _tf.concat([sides[0], x, sides[1]], axis=axis) if any(pair) else x
    return x


def _split(x, parts, axis=0):
    axis %= x.ndim
    extent = x.shape[axis]
    if isinstance(parts, int):
        if extent % parts:
            raise ValueError(f"split: axis {axis} of extent {extent} does not divide into {parts} parts")
        parts = list(_accumulate([extent // parts] * (parts - 1)))
    edges = [0, *parts, extent]
    return [x[(slice(None),) * axis + (slice(*pair),)] for pair in zip(edges, edges[1:])]


def _cumsum(x, axis=None):
    return _tf.cumulative_sum(_ravel(x)) if axis is None else _tf.cumulative_sum(x, axis=axis)


class Generator:
    """NumPy's generator of random numbers, whose arrays are tensors."""

    def __init__(self, seed=None):
        self._generator = _np.random.default_rng(seed)

    def __getattr__(self, name):
        function = getattr(self._generator, name)
        return lambda *args, **options: _tf.asarray(function(*args, **options))


def register():
    """Makes all of it known to autoray."""
    functions = {name: _with_axis(name) for name in _AXIS_SECOND}
    functions |= {name: getattr(_tf, ours) for name, ours in _OTHER_NAMES.items()}
    functions |= {name: _with_axis_third(name) for name in _AXIS_THIRD}
    functions |= {name: _by_numpy(name) for name in _BY_NUMPY}
    functions |= {
        "allclose": lambda x, y, **options: bool(_np.allclose(_np.asarray(x), _np.asarray(y), **options)),
        "astype": lambda x, dtype, **options: _tf.astype(x, dtype),
        "complex": lambda re, im: re + 1j * im,
        "copy": lambda x: _tf.asarray(x, copy=True),
        "cumsum": _cumsum,
        "diag": _diag,
        "dot": _dot,
        "indices": lambda shape: _tf.asarray(_np.indices(shape)),
        "kron": _kron,
        "linalg.norm": _norm,
        "linalg.svd": _svd,
        "outer": lambda x, y: _tf.outer(_ravel(x), _ravel(y)),
        "pad": _pad,
        "random.default_rng": Generator,
        "ravel": _ravel,
        "scipy.linalg.expm": _tf.linalg.expm,
        "split": _split,
        "tile": lambda x, counts: _tf.tile(x, (counts,) if isinstance(counts, int) else counts),
        "trace": _trace,
        "tril": lambda x, k=0: _tf.tril(x, k=k),
        "triu": lambda x, k=0: _tf.triu(x, k=k),
        "vdot": lambda x, y: _tf.vecdot(_ravel(x), _ravel(y)),
    }
    functions |= {
        f"random.{name}": getattr(Generator(), name)
        for name in ("normal", "uniform", "exponential", "poisson")
    }
    for name, function in functions.items():
        _autoray.register_function("tenferro", name, function)


register()
