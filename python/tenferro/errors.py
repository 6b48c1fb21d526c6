"""A class per kind of error: each is an Error, and the built-in exception that one expects: ShapeMismatch is
a ValueError, AxisOutOfBounds an IndexError, OutOfMemory a MemoryError, …"""

from . import _core

globals().update({name: kind for name, kind in vars(_core._errors).items() if isinstance(kind, type)})
