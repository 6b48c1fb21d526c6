"""Functions of the array API standard that are made of others: what is asked of dtypes and of the namespace,
and arrays rearranged, counted and made distinct. Arrays in are of any library, results are what came in."""

from math import prod as _prod
from typing import Any, NamedTuple

from . import _core, errors
from ._naming import integer, integers, naming, one_of

_SIGNED = ("int32", "int64")
_REAL = ("float32", "float64")
_COMPLEX = ("complex64", "complex128")
_KINDS = {"bool": ("bool",), "signed integer": _SIGNED, "unsigned integer": (), "integral": _SIGNED,
          "real floating": _REAL, "complex floating": _COMPLEX, "numeric": _SIGNED + _REAL + _COMPLEX}


def _give(result, *given):
    """`result` as an array of the library of `given`: a Tensor where one of these is, else like the first."""
    like = next((one for one in given if isinstance(one, _core.Tensor)), given[0])
    return _core._give_like(result, like)


def _kind_names(kind):
    return _KINDS[one_of(kind, "dtypes", "kind", _KINDS)]


class _Info:
    """What this namespace is: the inspection functions of the array API standard."""

    def capabilities(self):
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": None}

    def default_device(self):
        return "cpu"

    def devices(self):
        return ["cpu"]

    def default_dtypes(self, *, device=None):
        _core.asarray(0, device=device)
        return {"real floating": _core.float64, "complex floating": _core.complex128, "integral": _core.int64,
                "indexing": _core.int64}

    def dtypes(self, *, device=None, kind=None):
        _core.asarray(0, device=device)
        kinds = ("bool", "numeric") if kind is None else kind if isinstance(kind, tuple) else (kind,)
        return {name: getattr(_core, name) for one in kinds for name in _kind_names(one)}


def __array_namespace_info__() -> _Info:
    return _Info()


@naming
def isdtype(dtype, kind) -> bool:
    """Whether a dtype is another one, of a kind ('bool', 'signed integer', 'integral', 'real floating',
    'complex floating', 'numeric', …), or of one in a tuple of these."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, str):
        return _core.dtype(dtype).name in _kind_names(kind)
    return _core.dtype(dtype) == _core.dtype(kind)


def _dtype_or_number(thing):
    if isinstance(thing, (bool, int, float, complex)) and not hasattr(thing, "dtype"):
        return thing
    is_array = hasattr(thing, "dtype") and not isinstance(thing, type)
    return _core.dtype(thing.dtype if is_array else thing)


@naming
def result_type(*arrays_and_dtypes) -> _core.DType:
    """What arrays, dtypes and numbers are promoted to together.
    A number keeps the dtype that can hold its kind."""
    things = [_dtype_or_number(thing) for thing in arrays_and_dtypes]
    dtypes = [thing for thing in things if isinstance(thing, _core.DType)]
    if not dtypes:
        raise errors.InvalidArgument("result_type: needs an array or a dtype")
    common = dtypes[0]
    for dtype in dtypes[1:]:
        common = _core._promoted(common, dtype)
    for number in things:
        if not isinstance(number, _core.DType):
            common = _core._beside(common, number)
    return common


@naming
def can_cast(from_, to, /) -> bool:
    """Whether promotion leads from a dtype, or that of an array, to another."""
    return _core._promoted(_dtype_or_number(from_), _core.dtype(to)) == _core.dtype(to)


class FloatInfo(NamedTuple):
    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: _core.DType


class IntegerInfo(NamedTuple):
    bits: int
    max: int
    min: int
    dtype: _core.DType


@naming
def finfo(type, /) -> FloatInfo:
    """The numbers of a floating-point dtype, or of that of an array, for complex ones of their parts."""
    dtype = _dtype_or_number(type)
    if not isdtype(dtype, ("real floating", "complex floating")):
        raise errors.DTypeMismatch(f"finfo: dtype is {dtype} but must be a floating-point one")
    if dtype in (_core.float32, _core.complex64):
        digits, largest, bits, least = 23, 127, 32, -126
        dtype = _core.float32
    else:
        digits, largest, bits, least = 52, 1023, 64, -1022
        dtype = _core.float64
    high = (2.0 - 2.0**-digits) * 2.0**largest
    return FloatInfo(bits, 2.0**-digits, high, -high, 2.0**least, dtype)


@naming
def iinfo(type, /) -> IntegerInfo:
    """The range of an integer dtype, or of that of an array."""
    dtype = _dtype_or_number(type)
    if not isdtype(dtype, "integral"):
        raise errors.DTypeMismatch(f"iinfo: dtype is {dtype} but must be an integer one")
    bits = 8 * dtype.itemsize
    return IntegerInfo(bits, 2 ** (bits - 1) - 1, -(2 ** (bits - 1)), dtype)


@naming
def broadcast_shapes(*shapes) -> tuple:
    """The shape that these broadcast to together."""
    result: list = []
    for shape in shapes:
        shape = (shape,) if isinstance(shape, int) else shape
        shape = tuple(integers(shape, "broadcast_shapes", "an extent"))
        if any(extent < 0 for extent in shape):
            raise errors.InvalidArgument(f"broadcast_shapes: shape {shape} has a negative extent")
        result = [1] * (len(shape) - len(result)) + result
        for axis, extent in enumerate(shape, len(result) - len(shape)):
            if extent != 1 and result[axis] not in (1, extent):
                raise errors.ShapeMismatch(f"broadcast_shapes: axis {axis} has extents "
                                           f"{result[axis]} and {extent}")
            result[axis] = extent if extent != 1 else result[axis]
    return tuple(result)


@naming
def broadcast_arrays(*arrays) -> list:
    """The arrays, repeated to one shape."""
    values = [_core.asarray(one) for one in arrays]
    shape = broadcast_shapes(*(value.shape for value in values))
    return [_give(_core.broadcast_to(value, shape), *arrays) for value in values]


@naming
def meshgrid(*arrays, indexing="xy") -> list:
    """The coordinates of a grid, one array for each vector; with 'xy' the first two axes are exchanged."""
    one_of(indexing, "meshgrid", "indexing", ("xy", "ij"))
    values = [_core.asarray(one) for one in arrays]
    rank = len(values)
    shaped = [_core.reshape(value, (1,) * at + (-1,) + (1,) * (rank - 1 - at))
              for at, value in enumerate(values)]
    shape = broadcast_shapes(*(value.shape for value in shaped))
    grids = [_core.broadcast_to(value, shape) for value in shaped]
    if indexing == "xy" and rank > 1:
        grids = [_core.swapaxes(grid, 0, 1) for grid in grids]
    return [_give(grid, *arrays) for grid in grids]


def _axis(axis, rank, name):
    axis = integer(axis, name, "axis")
    if not -rank <= axis < rank:
        raise errors.AxisOutOfBounds(f"{name}: axis is {axis} but the operand has rank {rank}")
    return axis % rank


def _part(axis, start, stop):
    return (slice(None),) * axis + (slice(start, stop),)


@naming
def repeat(x, repeats, /, *, axis=None) -> Any:
    """Every slice along an axis so often as repeats says, an integer or one for each; without an axis every
    element of x in row-major order."""
    value = _core.asarray(x)
    if axis is None:
        value, axis = _core.reshape(value, -1), 0
    axis = _axis(axis, value.ndim, "repeat")
    extent = value.shape[axis]
    counts = _core.asarray(repeats)
    if counts.ndim > 1 or counts.size not in (1, extent):
        raise errors.ShapeMismatch(f"repeat: repeats has shape {counts.shape} "
                                   f"but axis {axis} has extent {extent}")
    if not isdtype(counts.dtype, "integral"):
        raise errors.DTypeMismatch(f"repeat: repeats is {counts.dtype} but must be integers")
    counts = _core.broadcast_to(_core.reshape(counts, -1), (extent,))
    if _core.any(counts < 0).item():
        raise errors.InvalidArgument("repeat: repeats must not be negative")
    ends = _core.cumulative_sum(counts)
    places = _core.searchsorted(ends, _core.arange(ends[-1].item() if extent else 0), side="right")
    return _give(_core.take(value, places, axis=axis), x)


@naming
def roll(x, /, shift, *, axis=None) -> Any:
    """Elements moved along axes and around their ends, by one shift or one for each axis; without an axis
    along x in row-major order."""
    value = _core.asarray(x)
    axes = axis if isinstance(axis, tuple) else (axis,)
    shifts = integers(shift if isinstance(shift, tuple) else (shift,) * len(axes), "roll", "a shift")
    if axis is None and len(shifts) == 1:
        return _give(_core.reshape(_core._roll(_core.reshape(value, -1), shifts[0], 0), value.shape), x)
    if len(shifts) != len(axes):
        raise errors.InvalidArgument(f"roll: got {len(shifts)} shifts for {len(axes)} axes")
    for one, at in zip(shifts, axes):
        value = _core._roll(value, one, _axis(at, value.ndim, "roll"))
    return _give(value, x)


@naming
def tile(x, repetitions, /) -> Any:
    """x so often along each axis as repetitions says, aligned at the last axis."""
    value, repetitions = _core.asarray(x), integers(repetitions, "tile", "a repetition")
    if any(times < 0 for times in repetitions):
        raise errors.InvalidArgument(f"tile: repetitions is {repetitions} but none may be negative")
    rank = max(value.ndim, len(repetitions))
    shape = (1,) * (rank - value.ndim) + value.shape
    times = (1,) * (rank - len(repetitions)) + tuple(repetitions)
    spread = _core.reshape(value, [n for extent in shape for n in (1, extent)])
    spread = _core.broadcast_to(spread, [n for pair in zip(times, shape) for n in pair])
    spread = _core.reshape(spread, [time * extent for time, extent in zip(times, shape)])
    return _give(spread, x)


@naming
def unstack(x, /, *, axis=0) -> tuple:
    """The slices of x along an axis."""
    value = _core.asarray(x)
    at = _axis(axis, value.ndim, "unstack")
    return tuple(_give(value[(slice(None),) * at + (i,)], x) for i in range(value.shape[at]))


@naming
def take_along_axis(x, indices, /, *, axis=-1) -> Any:
    """The elements of x at indices along an axis; all other axes broadcast. Negative indices count from the
    end; IndexError for those out of range."""
    value, places = _core.asarray(x), _core.asarray(indices)
    if value.ndim != places.ndim:
        raise errors.RankMismatch(f"take_along_axis: x has rank {value.ndim} but indices have {places.ndim}")
    at = _axis(axis, value.ndim, "take_along_axis")
    value, places = _core.moveaxis(value, at, -1), _core.moveaxis(places, at, -1)
    batch, extent = broadcast_shapes(value.shape[:-1], places.shape[:-1]), value.shape[-1]
    if not places.is_traced and _core.any((places < -extent) | (places >= extent)).item():
        raise errors.AxisOutOfBounds("take_along_axis: an index is out of range "
                                     f"for axis {at} of extent {extent}")
    value = _core.broadcast_to(value, batch + (extent,))
    places = _core.broadcast_to(_core.where(places < 0, places + extent, places), batch + places.shape[-1:])
    first = _core.reshape(_core.arange(_prod(batch)) * extent, batch + (1,))
    taken = _core.take(_core.reshape(value, -1), _core.reshape(places + first, -1), axis=0)
    return _give(_core.moveaxis(_core.reshape(taken, places.shape), -1, at), x, indices)


@naming
def count_nonzero(x, /, *, axis=None, keepdims=False) -> Any:
    """How many elements over axes are not 0, all without one, in int64."""
    return _core.sum(_core.astype(x, _core.bool), axis=axis, keepdims=keepdims)


@naming
def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False) -> Any:
    """Products of the elements up to each along an axis, which may be left out for rank 1; integers in int64,
    or all in dtype. include_initial puts a 1 before them."""
    value = _core.asarray(x)
    if axis is None:
        if value.ndim != 1:
            raise errors.InvalidArgument("cumulative_prod: axis is needed for "
                                         f"an operand of rank {value.ndim}")
        axis = 0
    axis = _axis(axis, value.ndim, "cumulative_prod")
    if dtype is None and isdtype(value.dtype, ("bool", "integral")):
        dtype = _core.int64
    if dtype is not None:
        value = _core.astype(value, dtype)
    dtype = value.dtype
    if isdtype(dtype, "bool"):
        value = _core.astype(value, _core.int64)
    if include_initial:
        shape = value.shape[:axis] + (1,) + value.shape[axis + 1:]
        value = _core.concat([_core.ones(shape, dtype=value.dtype), value], axis=axis)
    extent, step = value.shape[axis], 1
    while step < extent:  # every element times the one `step` before it
        products = value[_part(axis, step, None)] * value[_part(axis, None, -step)]
        value = _core.concat([value[_part(axis, None, step)], products], axis=axis)
        step *= 2
    return _give(_core.astype(value, dtype, copy=False), x)


@naming
def diff(x, /, *, axis=-1, n=1, prepend=None, append=None) -> Any:
    """The differences of neighbours along an axis, n times; prepend and append are put at the ends before."""
    value = _core.asarray(x)
    axis, n = _axis(axis, value.ndim, "diff"), integer(n, "diff", "n")
    if n < 0:
        raise errors.InvalidArgument(f"diff: n is {n} but must not be negative")
    parts = [part for part in (prepend, value, append) if part is not None]
    if len(parts) > 1:
        value = _core.concat(parts, axis=axis)
    for _ in range(min(n, value.shape[axis])):  # then nothing is left
        value = value[_part(axis, 1, None)] - value[_part(axis, None, -1)]
    return _give(value, x)


@naming
def isin(x1, x2, /, *, invert=False) -> Any:
    """Whether each element of x1 is one of x2, or with invert is none."""
    dtype = result_type(x1, x2)
    wanted = _core.astype(_core.asarray(x1), dtype)
    known = _core.sort(_core.reshape(_core.astype(_core.asarray(x2), dtype), -1))
    if known.size == 0:
        found = _core.zeros(wanted.shape, dtype=_core.bool)
    else:
        places = _core.searchsorted(known, wanted)
        found = _core.take(known, _core.minimum(places, known.size - 1), axis=0) == wanted
    return _give(found ^ bool(invert), *(one for one in (x1, x2) if hasattr(one, "shape")))


class UniqueAllResult(NamedTuple):
    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class UniqueCountsResult(NamedTuple):
    values: Any
    counts: Any


class UniqueInverseResult(NamedTuple):
    values: Any
    inverse_indices: Any


@naming
def unique_all(x, /) -> UniqueAllResult:
    """The distinct elements in ascending order; where each is first in row-major order; which of them every
    element is, in the shape of x; how often each is there. NaNs are distinct. ValueError for traced
    tensors."""
    return UniqueAllResult(*_core._unique(x))


@naming
def unique_counts(x, /) -> UniqueCountsResult:
    """Values and counts of unique_all."""
    values, _, _, counts = _core._unique(x)
    return UniqueCountsResult(values, counts)


@naming
def unique_inverse(x, /) -> UniqueInverseResult:
    """Values and inverse of unique_all."""
    values, _, inverse, _ = _core._unique(x)
    return UniqueInverseResult(values, inverse)


@naming
def unique_values(x, /) -> Any:
    """Values of unique_all."""
    return _core._unique_values(x)
