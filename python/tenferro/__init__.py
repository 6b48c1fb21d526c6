"""Tensor contractions, an operation graph and its derivatives, on the arrays that you have.

Functions take a Tensor, arrays of NumPy, PyTorch or JAX, or anything with ``__dlpack__``, without copying
them, and return arrays of the library that they were given.
"""

import math as _math

from ._imports import require_main_interpreter as _require_main_interpreter

_require_main_interpreter()  # before the module is loaded, which would take the types from the main one

from . import errors  # noqa: E402
from ._core import *  # noqa: F403
from ._core import __version__
from ._imports import when_imported as _when_imported
from ._transforms import checkpoint, compile, grad, hvp, jvp, value_and_grad, vjp

TYPE_CHECKING = False  # importing typing takes longer than all the rest
if TYPE_CHECKING:
    from . import extension, linalg, paths, tropical
    from ._array_api import (__array_namespace_info__, broadcast_arrays, broadcast_shapes, can_cast,
                             count_nonzero, cumulative_prod, diff, finfo, iinfo, isdtype, isin, meshgrid,
                             repeat, result_type, roll, take_along_axis, tile, unique_all, unique_counts,
                             unique_inverse, unique_values, unstack)
    from ._drawing import Drawing, show
    from .paths import PathInfo, PathOptimizer, contract, contract_path

_LAZY = {"PathOptimizer": "paths", "PathInfo": "paths", "contract": "paths", "contract_path": "paths",
         "linalg": None, "paths": None, "extension": None, "torch": None, "jax": None, "tropical": None,
         "autoray": None,
         "show": "_drawing", "Drawing": "_drawing",
         **dict.fromkeys(
             ("__array_namespace_info__", "broadcast_arrays", "broadcast_shapes", "can_cast", "count_nonzero",
              "cumulative_prod", "diff", "finfo", "iinfo", "isdtype", "isin", "meshgrid", "repeat",
              "result_type", "roll", "take_along_axis", "tile", "unique_all", "unique_counts",
              "unique_inverse", "unique_values", "unstack"), "_array_api")}


def __getattr__(name):
    """What is imported when it is first used."""
    if name not in _LAZY:
        raise AttributeError(f"module 'tenferro' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"{__name__}.{_LAZY[name] or name}")
    return getattr(module, name) if _LAZY[name] else module


def __dir__():
    return sorted({*globals(), *_LAZY})


def _meet_autoray():
    from . import autoray  # noqa: F401  which registers itself


_when_imported("autoray", _meet_autoray)
newaxis = None
e, pi, inf, nan = _math.e, _math.pi, _math.inf, _math.nan
__array_api_version__ = "2024.12"
