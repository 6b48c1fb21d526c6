"""What pickled objects are made by: functions that a pickle can name."""

from . import _core


def tensor(dtype, shape, data):
    """The tensor of these bytes in column-major order."""
    return _core._tensor_of_bytes(dtype, shape, data)


def dtype(name):
    return _core.dtype(name)
