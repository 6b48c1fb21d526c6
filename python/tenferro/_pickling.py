"""What pickled objects are made by, functions that a pickle can name, and how functions are pickled."""

from . import _core


def tensor(dtype, shape, data):
    """The tensor of these bytes in column-major order."""
    return _core._tensor_of_bytes(dtype, shape, data)


def dtype(name):
    return _core.dtype(name)


def function(compiled):
    """A compiled function is pickled, and copied, as its name."""
    return compiled.__qualname__
