"""Tensor contractions, an operation graph and its derivatives, on the arrays that you have.

Functions take a Tensor, arrays of NumPy, PyTorch or JAX, or anything with ``__dlpack__``, without copying
them, and return arrays of the library that they were given.
"""

import copyreg as _copyreg
import math as _math

from ._imports import require_main_interpreter as _require_main_interpreter

_require_main_interpreter()  # before the module is loaded, which would take the types from the main one

# What has a second name is exported, as checkers of types see it.
from . import errors as errors  # noqa: E402
from ._core import *  # noqa: F403
from ._core import __version__ as __version__
from ._imports import when_imported as _when_imported
from ._pickling import function as _function
from ._transforms import checkpoint as checkpoint, compile as compile, grad as grad, hvp as hvp, jvp as jvp
from ._transforms import value_and_grad as value_and_grad, vjp as vjp

TYPE_CHECKING = False  # importing typing takes longer than all the rest
if TYPE_CHECKING:
    from . import extension as extension, linalg as linalg, paths as paths, tropical as tropical
    from ._array_api import __array_namespace_info__ as __array_namespace_info__
    from ._array_api import broadcast_arrays as broadcast_arrays, broadcast_shapes as broadcast_shapes
    from ._array_api import can_cast as can_cast, count_nonzero as count_nonzero
    from ._array_api import cumulative_prod as cumulative_prod, diff as diff, finfo as finfo, iinfo as iinfo
    from ._array_api import isdtype as isdtype, isin as isin, meshgrid as meshgrid, repeat as repeat
    from ._array_api import result_type as result_type, roll as roll, take_along_axis as take_along_axis
    from ._array_api import tile as tile, unique_all as unique_all, unique_counts as unique_counts
    from ._array_api import unique_inverse as unique_inverse, unique_values as unique_values
    from ._array_api import unstack as unstack
    from ._drawing import Drawing as Drawing, show as show
    from .paths import PathInfo as PathInfo, PathOptimizer as PathOptimizer, contract as contract
    from .paths import contract_path as contract_path

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
_copyreg.pickle(type(asarray), _function)  # noqa: F405
newaxis = None
e, pi, inf, nan = _math.e, _math.pi, _math.inf, _math.nan
__array_api_version__ = "2024.12"
